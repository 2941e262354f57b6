// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/memory/memory_text.h"

#include <QHash>
#include <QLocale>
#include <QRegularExpression>

namespace kvlab::ui {

namespace {

/// Groups a run of plain digits as the locale does; QLocale itself ends at 64 bits.
QString groupedDigits(const QString &digits)
{
    bool fits = false;
    const qulonglong value = digits.toULongLong(&fits);
    const QLocale locale;
    if (fits)
        return locale.toString(value);
    QString grouped = digits;
    for (qsizetype at = grouped.size() - 3; at > 0; at -= 3)
        grouped.insert(at, locale.groupSeparator());
    return grouped;
}

/// "4096" → "4,096", "34/32 B" stays; decimals keep their point in the locale's form.
QString localisedNumber(const QString &plain)
{
    // The usual case in a table: one number of few digits.
    const qsizetype point = plain.indexOf(u'.');
    bool digits_only = point > 0 && point <= 3;
    for (qsizetype i = 0; i < plain.size() && digits_only; ++i)
        digits_only = i == point || plain.at(i).isDigit();
    if (digits_only)
        return QString(plain).replace(point, 1, QLocale().decimalPoint());
    static const QRegularExpression number(QStringLiteral("(\\d+)(?:\\.(\\d+))?"));
    QString text;
    qsizetype end = 0;
    for (auto it = number.globalMatch(plain); it.hasNext();) {
        const QRegularExpressionMatch match = it.next();
        text += plain.mid(end, match.capturedStart() - end) + groupedDigits(match.captured(1));
        if (match.capturedLength(2) > 0)
            text += QLocale().decimalPoint() + match.captured(2);
        end = match.capturedEnd();
    }
    return text + plain.mid(end);
}

int significantDigits(const QString &decimal)
{
    int digits = 0;
    for (const QChar c : decimal) {
        if (c.isDigit() && (digits > 0 || c != u'0'))
            ++digits;
    }
    return digits;
}

} // namespace

QString MemoryText::count(qint64 value)
{
    return QLocale().toString(value);
}

QString MemoryText::bytes(const memory::Bytes &bytes)
{
    return QStringLiteral("%1 B").arg(groupedDigits(memory::toDecimalString(bytes)));
}

QString MemoryText::kib(const memory::Bytes &bytes)
{
    static const QRegularExpression trailingZeros(QStringLiteral("\\.?0+$"));
    constexpr unsigned kibBits = 10;
    return QStringLiteral("%1 KiB").arg(localisedNumber(memory::toUnitString(bytes, kibBits, 3).remove(trailingZeros)));
}

QString MemoryText::gib(const memory::Bytes &bytes)
{
    return size(bytes, SizeUnit::gib);
}

QString MemoryText::size(const memory::Bytes &bytes, SizeUnit unit)
{
    const auto text_with = [&](int decimals) {
        return unit == SizeUnit::gib ? memory::toGibString(bytes, decimals) : memory::toGbString(bytes, decimals);
    };
    constexpr int mostDecimals = 12; // one byte is 9.3e-10 GiB
    int decimals = 3;
    QString text = text_with(decimals);
    while (significantDigits(text) < 2 && decimals < mostDecimals)
        text = text_with(++decimals);
    return localisedNumber(text);
}

QString MemoryText::bytesAndSize(const memory::Bytes &value, SizeUnit unit)
{
    return QStringLiteral("%1 = %2 %3").arg(bytes(value), size(value, unit), sizeUnitName(unit));
}

Formula MemoryText::formula(
    const memory::MemoryResult &result, SizeUnit unit, const QMap<QString, QString> &field_sources)
{
    Formula formula;
    for (const memory::MemoryTerm &term : result.terms) {
        FormulaLine line;
        for (const memory::Factor &factor : term.factors)
            line.factors.append({localisedNumber(factor.value), factorName(factor.name),
                memory::fieldSource(field_sources, term.kind, factor.name)});
        if (result.terms.size() > 1)
            line.product = QStringLiteral("= %1").arg(bytes(term.bytes));
        formula.lines.append(line);
    }
    formula.total = result.terms.size() > 1
        ? tr("Sum = %1", "of the lines above; %1 is bytes and GiB or GB").arg(bytesAndSize(result.bytes, unit))
        : QStringLiteral("= %1").arg(bytesAndSize(result.bytes, unit));
    formula.per_token
        = tr("%1 = %2 per token", "%1 bytes, %2 KiB").arg(bytes(result.bytes_per_token), kib(result.bytes_per_token));
    return formula;
}

QString MemoryText::plainText(const Formula &formula)
{
    QStringList lines;
    for (const FormulaLine &line : formula.lines) {
        QStringList factors;
        for (const FormulaFactor &factor : line.factors)
            factors.append(QStringLiteral("%1 (%2)").arg(factor.value, factor.name));
        QString text = factors.join(QStringLiteral(" × "));
        if (!line.product.isEmpty())
            text += QLatin1Char(' ') + line.product;
        lines.append(text);
    }
    // One product reads as one equation; several stand on lines of their own, the sum last.
    const QString separator = formula.lines.size() > 1 ? QStringLiteral("\n") : QStringLiteral(" ");
    return lines.join(QLatin1Char('\n')) + separator + formula.total + QLatin1Char('\n') + formula.per_token;
}

QString MemoryText::rowRange(const QList<int> &rows)
{
    QStringList ranges;
    for (qsizetype i = 0; i < rows.size();) {
        qsizetype last = i;
        while (last + 1 < rows.size() && rows[last + 1] == rows[last] + 1)
            ++last;
        ranges.append(
            last == i ? count(rows[i] + 1) : QStringLiteral("%1–%2").arg(count(rows[i] + 1), count(rows[last] + 1)));
        i = last + 1;
    }
    return ranges.join(QStringLiteral(", "));
}

QString MemoryText::factorName(const QString &term)
{
    const QHash<QString, QString> names{
        {QStringLiteral("K, V"), tr("K, V", "the two things that attention keeps: keys and values")},
        {QStringLiteral("layers"), tr("layers", "of the model; below a number of the formula")},
        {QStringLiteral("kv_heads"), tr("KV heads", "below a number of the formula")},
        {QStringLiteral("head_dim"), tr("head_dim", "below a number of the formula")},
        {QStringLiteral("seq_len"), tr("seq_len", "below a number of the formula")},
        {QStringLiteral("batch"), tr("batch", "below a number of the formula")},
        {QStringLiteral("layers of the stage"), tr("layers of the stage", "below a number of the formula")},
        {QStringLiteral("kv_heads over all layers"), tr("KV heads over all layers", "below a number of the formula")},
        {QStringLiteral("kv_heads per rank"), tr("KV heads per rank", "below a number of the formula")},
        {QStringLiteral("sequences per rank"), tr("sequences per rank", "below a number of the formula")},
        {QStringLiteral("packed entry"), tr("packed entry", "below a number of the formula: bytes of one MLA entry")},
        {QStringLiteral("indexer entry"), tr("indexer entry", "below a number of the formula: bytes")},
        {QStringLiteral("conv_elements"), tr("convolution elements", "below a number of the formula")},
        {QStringLiteral("recurrent_elements"), tr("recurrent elements", "below a number of the formula")},
        {QStringLiteral("encoder_tokens"), tr("encoder tokens", "below a number of the formula")},
        {QStringLiteral("head_dim of K"), tr("head_dim of K", "below a number of the formula")},
        {QStringLiteral("head_dim of V"), tr("head_dim of V", "below a number of the formula")},
    };
    return names.value(term, term);
}

} // namespace kvlab::ui
