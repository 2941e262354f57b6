// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/placeholders.h"

#include "lab/quantity.h"

#include <QRegularExpression>

#include <functional>

namespace kvlab::lab {

namespace {

const QString unknown = QStringLiteral("–");

const QRegularExpression &placeholder()
{
    static const QRegularExpression pattern(QStringLiteral(R"(\{([a-z_]+(?::[a-z]+)?)\})"));
    return pattern;
}

QString number(const std::optional<double> &value, const QLocale &locale)
{
    return value ? formatNumber(*value, locale) : unknown;
}

std::optional<memory::MemoryResult> currentEstimate(const LabFacts &facts)
{
    if (!facts.current_row)
        return std::nullopt;
    const auto estimate = memory::estimateRow(*facts.current_row, facts.library);
    const auto *result = std::get_if<memory::MemoryResult>(&estimate);
    return result ? std::optional(*result) : std::nullopt;
}

/// "2 × 28 × 4 × 128 × 4,096 × 1 × 2 B", terms joined by a plus.
QString formula(const LabFacts &facts, const QLocale &locale)
{
    const auto result = currentEstimate(facts);
    if (!result)
        return unknown;
    QStringList terms;
    for (const memory::MemoryTerm &term : result->terms) {
        QStringList factors;
        for (const memory::Factor &factor : term.factors) {
            bool whole = false;
            const qlonglong value = factor.value.toLongLong(&whole);
            factors << (whole ? locale.toString(value) : factor.value);
        }
        terms << factors.join(QStringLiteral(" × "));
    }
    return terms.join(QStringLiteral(" + "));
}

std::optional<double> rowBytes(const LabFacts &facts)
{
    const auto result = currentEstimate(facts);
    return result ? std::optional(result->bytes.convert_to<double>()) : std::nullopt;
}

using Filler = std::function<QString(const LabFacts &, const QLocale &)>;

const QMap<QString, Filler> &fillers()
{
    static const QMap<QString, Filler> all{
        {QStringLiteral("row_model"),
            [](const LabFacts &facts, const QLocale &) {
                return facts.current_row ? facts.current_row->model : unknown;
            }},
        {QStringLiteral("row_seq_len"),
            [](const LabFacts &facts, const QLocale &locale) {
                return facts.current_row ? locale.toString(facts.current_row->seq_len) : unknown;
            }},
        {QStringLiteral("row_batch"),
            [](const LabFacts &facts, const QLocale &locale) {
                return facts.current_row ? locale.toString(facts.current_row->batch) : unknown;
            }},
        {QStringLiteral("row_formula"), formula},
        {QStringLiteral("row_bytes"),
            [](const LabFacts &facts, const QLocale &locale) { return number(rowBytes(facts), locale); }},
        {QStringLiteral("row_gib"),
            [](const LabFacts &facts, const QLocale &locale) {
                const auto result = currentEstimate(facts);
                return result ? locale.toString(memory::toGib(result->bytes), 'f', 3) : unknown;
            }},
        {QStringLiteral("server"),
            [](const LabFacts &facts, const QLocale &) {
                return facts.run && !facts.run->server.label.isEmpty() ? facts.run->server.label : unknown;
            }},
    };
    return all;
}

const QStringList &answerNames()
{
    static const QStringList names{QStringLiteral("answer"), QStringLiteral("expected"), QStringLiteral("times")};
    return names;
}

/// A quantity that needs no argument, or an arm only: "ratio", "median_ttft:warm".
std::optional<Quantity> quantityOf(const QString &name)
{
    const QStringList parts = name.split(u':');
    const QuantityKind *kind = quantityKind(parts.first());
    if (!kind)
        return std::nullopt;
    if (kind->arguments.isEmpty() && parts.size() == 1)
        return Quantity{kind->name, {}};
    const bool arm_only = kind->arguments.size() == 1 && kind->arguments.first().kind == ArgumentKind::arm;
    if (!arm_only || parts.size() != 2 || !experiment::armFromName(parts.at(1)))
        return std::nullopt;
    return Quantity{kind->name, {{QStringLiteral("arm"), parts.at(1)}}};
}

QString answerPart(
    const QString &name, const LabFacts &facts, const Question *question, const Answer *answer, const QLocale &locale)
{
    std::optional<double> said;
    if (answer)
        said = answer->value;
    std::optional<double> expected;
    if (question)
        expected = expectedNumber(*question, facts);
    if (name == QLatin1String("answer"))
        return number(said, locale);
    if (name == QLatin1String("expected"))
        return number(expected, locale);
    if (!said || !expected || *said <= 0 || *expected <= 0)
        return unknown;
    return number(std::max(*said / *expected, *expected / *said), locale);
}

} // namespace

QStringList placeholdersIn(const QString &text)
{
    QStringList names;
    for (auto match = placeholder().globalMatch(text); match.hasNext();)
        names << match.next().captured(1);
    return names;
}

QStringList placeholderNames()
{
    QStringList names = fillers().keys() + answerNames();
    for (const QuantityKind &kind : quantityKinds()) {
        if (kind.arguments.isEmpty())
            names << kind.name;
        else if (kind.arguments.size() == 1 && kind.arguments.first().kind == ArgumentKind::arm)
            names << kind.name + QStringLiteral(":cold");
    }
    return names;
}

bool isPlaceholder(const QString &name)
{
    return fillers().contains(name) || answerNames().contains(name) || quantityOf(name);
}

QString fillIn(
    const QString &text, const LabFacts &facts, const Question *question, const Answer *answer, const QLocale &locale)
{
    QString filled;
    qsizetype from = 0;
    for (auto matches = placeholder().globalMatch(text); matches.hasNext();) {
        const auto match = matches.next();
        const QString name = match.captured(1);
        filled += text.mid(from, match.capturedStart() - from);
        if (const auto filler = fillers().constFind(name); filler != fillers().constEnd())
            filled += (*filler)(facts, locale);
        else if (answerNames().contains(name))
            filled += answerPart(name, facts, question, answer, locale);
        else if (const auto quantity = quantityOf(name))
            filled += number(evaluate(*quantity, facts), locale);
        else
            filled += match.captured();
        from = match.capturedEnd();
    }
    return filled + text.mid(from);
}

QString answerText(const Question &question, double value, const QString &language, const QLocale &locale)
{
    const QString figure = formatNumber(value, locale);
    const QString pattern = question.answer.in(language);
    if (pattern.isEmpty())
        return question.unit.isEmpty() ? figure : QStringLiteral("%1 %2").arg(figure, question.unit);
    return QString(pattern).replace(QLatin1String("{value}"), figure);
}

} // namespace kvlab::lab
