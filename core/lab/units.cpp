// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/units.h"

#include "memory/model_list.h"

#include <QRegularExpression>

#include <cmath>

namespace kvlab::lab {

namespace {

struct Spelling
{
    const char *text; ///< lower case, UTF-8
    const char *name;
    Dimension dimension;
    double factor;
};

constexpr double kibi = 1024;

// The first spelling of a name is the name itself. Case decides nothing: nobody types Mb for megabits here.
constexpr Spelling spellings[] = {
    {"", "", Dimension::count, 1},
    {"tokens", "tokens", Dimension::tokens, 1},
    {"token", "tokens", Dimension::tokens, 1},
    {"个token", "tokens", Dimension::tokens, 1},
    {"个", "tokens", Dimension::tokens, 1},
    {"b", "B", Dimension::bytes, 1},
    {"bytes", "B", Dimension::bytes, 1},
    {"byte", "B", Dimension::bytes, 1},
    {"字节", "B", Dimension::bytes, 1},
    {"kib", "KiB", Dimension::bytes, kibi},
    {"mib", "MiB", Dimension::bytes, kibi *kibi},
    {"gib", "GiB", Dimension::bytes, kibi *kibi *kibi},
    {"tib", "TiB", Dimension::bytes, kibi *kibi *kibi *kibi},
    {"kb", "kB", Dimension::bytes, 1e3},
    {"mb", "MB", Dimension::bytes, 1e6},
    {"gb", "GB", Dimension::bytes, 1e9},
    {"tb", "TB", Dimension::bytes, 1e12},
    {"ms", "ms", Dimension::time, 1},
    {"毫秒", "ms", Dimension::time, 1},
    {"s", "s", Dimension::time, 1e3},
    {"sec", "s", Dimension::time, 1e3},
    {"秒", "s", Dimension::time, 1e3},
    {"us", "µs", Dimension::time, 1e-3},
    {"μs", "µs", Dimension::time, 1e-3}, // as compatibility composition leaves the micro sign
    {"微秒", "µs", Dimension::time, 1e-3},
    {"%", "%", Dimension::percent, 1},
    {"percent", "%", Dimension::percent, 1},
    {"×", "×", Dimension::times, 1},
    {"x", "×", Dimension::times, 1},
    {"times", "×", Dimension::times, 1},
    {"倍", "×", Dimension::times, 1},
};

/// Full-width characters as their narrow ones, every kind of space as a plain one.
QString narrow(const QString &text)
{
    QString result = text.normalized(QString::NormalizationForm_KC);
    for (QChar &c : result) {
        if (c.isSpace())
            c = u' ';
        else if (c == u'−')
            c = u'-';
    }
    return result.trimmed();
}

std::optional<double> plainNumber(const QString &text)
{
    static const QRegularExpression grouped(
        QStringLiteral(R"(^[+-]?[0-9]{1,3}(?:([, '_])[0-9]{3})(?:\1[0-9]{3})*(?:\.[0-9]+)?$)"));
    QString digits = text;
    if (const auto match = grouped.match(text); match.hasMatch())
        digits.remove(match.captured(1));
    bool ok = false;
    const double value = digits.toDouble(&ok);
    return ok && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

} // namespace

std::optional<Unit> unitFromText(const QString &text)
{
    const QString wanted = narrow(text).remove(u' ').toLower();
    for (const Spelling &spelling : spellings) {
        if (wanted == QString::fromUtf8(spelling.text))
            return Unit{QString::fromUtf8(spelling.name), spelling.dimension, spelling.factor};
    }
    return std::nullopt;
}

QStringList unitNames()
{
    QStringList names;
    for (const Spelling &spelling : spellings) {
        const QString name = QString::fromUtf8(spelling.name);
        if (!name.isEmpty() && !names.contains(name))
            names << name;
    }
    return names;
}

TypedNumber parseNumber(const QString &text, const QString &unit)
{
    static const QRegularExpression parts(
        QStringLiteral(R"(^([+-]?[0-9][0-9., '_]*(?:[eE][+-]?[0-9]{1,3})?) ?([kKmM](?![A-Za-z]))? ?(.*)$)"));
    const auto match = parts.match(text.size() > 128 ? QString() : narrow(text));
    const auto wanted = unitFromText(unit);
    const auto typed = unitFromText(match.captured(3));
    if (!match.hasMatch() || !wanted || !typed)
        return {};
    const QString digits = match.captured(1).trimmed();
    const QString suffix = match.captured(2);
    std::optional<double> value;
    if (suffix.isEmpty())
        value = plainNumber(digits);
    else if (const auto count = memory::parseCount(digits + suffix))
        value = double(*count);
    if (!value)
        return {};
    // A bare number is meant in the unit that was asked for.
    if (typed->name.isEmpty())
        return {value, false};
    if (typed->dimension != wanted->dimension)
        return {std::nullopt, true};
    return {*value * typed->factor / wanted->factor, false};
}

QString formatNumber(double value, const QLocale &locale)
{
    const double rounded = std::round(value);
    if (std::abs(value - rounded) < 1e-9 * std::max(1.0, std::abs(value)) || std::abs(value) >= 1000)
        return locale.toString(rounded, 'f', 0);
    if (std::abs(value) >= 100)
        return locale.toString(value, 'f', 0);
    QString text = locale.toString(value, 'g', 3);
    return text;
}

} // namespace kvlab::lab
