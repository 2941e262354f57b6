// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/model_list.h"

#include <QRegularExpression>

namespace kvlab::memory {

namespace {

// Longer texts are never a count; the limit keeps a pasted page from being parsed.
constexpr qsizetype maxCountText = 64;

/// Full-width digits and punctuation as ASCII, every space that groups digits as a plain one.
QString toAscii(const QString &text)
{
    QString ascii;
    for (const QChar c : text) {
        const char16_t code = c.unicode();
        if (code >= 0xFF01 && code <= 0xFF5E)
            ascii += QChar(code - 0xFEE0);
        else if (code == 0x3000 || code == 0x00A0 || code == 0x202F || code == 0x2009)
            ascii += u' ';
        else
            ascii += c;
    }
    return ascii.trimmed();
}

/// The digits of a grouped number ("4,096", "4'096.00"), or the text unchanged.
QString withoutGrouping(const QString &text)
{
    static const QRegularExpression grouped(
        QStringLiteral(R"(^([0-9]{1,3})(([, '_])[0-9]{3}(?:\3[0-9]{3})*)(?:\.0+)?$)"));
    const auto match = grouped.match(text);
    if (!match.hasMatch())
        return text;
    return match.captured(1) + match.captured(2).remove(match.captured(3));
}

// 64 digits, a power of ten up to 10^64 and the factor M take some 450 bits.
using Wide = boost::multiprecision::int512_t;

Wide powerOfTen(qsizetype exponent)
{
    return boost::multiprecision::pow(Wide(10), static_cast<unsigned>(exponent));
}

/// digits × unit × 10^exponent when that is a whole number in range.
std::optional<qint64> wholeNumber(const QString &digits, qint64 unit, qsizetype exponent)
{
    Wide value = 0;
    for (const QChar digit : digits)
        value = value * 10 + digit.digitValue();
    value *= unit;
    // Beyond 10^13 anything but zero is too large, and zero is no count either.
    if (exponent > 13)
        return std::nullopt;
    if (exponent >= 0)
        value *= powerOfTen(exponent);
    else if (value % powerOfTen(-exponent) != 0)
        return std::nullopt;
    else
        value /= powerOfTen(-exponent);
    if (value < 1 || value > maxSeqLen)
        return std::nullopt;
    return value.convert_to<qint64>();
}

} // namespace

std::optional<qint64> parseCount(const QString &text)
{
    static const QRegularExpression ambiguous(QStringLiteral(R"(^[0-9]{1,3}(\.[0-9]{3})+$)"));
    static const QRegularExpression number(
        QStringLiteral(R"(^([0-9]+)(?:\.([0-9]+))?(?:[eE]\+?([0-9]{1,3})| ?([kKmM]))?$)"));
    if (text.size() > maxCountText)
        return std::nullopt;
    const QString ascii = toAscii(text);
    if (ambiguous.match(ascii).hasMatch())
        return std::nullopt;
    const auto match = number.match(withoutGrouping(ascii));
    if (!match.hasMatch())
        return std::nullopt;

    const QString fraction = match.captured(2);
    const QString suffix = match.captured(4).toLower();
    const qint64 unit = suffix.isEmpty() ? 1 : suffix == QLatin1String("k") ? 1024 : 1024 * 1024;
    return wholeNumber(match.captured(1) + fraction, unit, match.captured(3).toInt() - fraction.size());
}

} // namespace kvlab::memory
