// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/weights.h"

#include <QRegularExpression>

namespace kvlab::memory {

const QList<WeightFormat> &weightFormats()
{
    // GPTQ and AWQ: a 16-bit scale and a 4-bit zero per 128; mxfp4: 17 B per 32; the ggml types by their block sizes.
    static const QList<WeightFormat> formats{
        {QStringLiteral("fp32"), 320'000},
        {QStringLiteral("bf16"), 160'000},
        {QStringLiteral("fp16"), 160'000},
        {QStringLiteral("fp8"), 80'000},
        {QStringLiteral("int4_g128"), 41'500},
        {QStringLiteral("mxfp4"), 42'500},
        {QStringLiteral("nvfp4"), 45'000},
        {QStringLiteral("q8_0"), 85'000},
        {QStringLiteral("q6_K"), 65'625},
        {QStringLiteral("q5_K"), 55'000},
        {QStringLiteral("q4_K"), 45'000},
        {QStringLiteral("q4_0"), 45'000},
        {QStringLiteral("iq4_xs"), 42'500},
        {QStringLiteral("q3_K"), 34'375},
        {QStringLiteral("q2_K"), 26'250},
    };
    return formats;
}

std::optional<WeightFormat> weightFormatFromName(const QString &name)
{
    for (const WeightFormat &format : weightFormats()) {
        if (name.trimmed().compare(format.name, Qt::CaseInsensitive) == 0)
            return format;
    }
    return std::nullopt;
}

Bytes weightBytes(qint64 parameters, const WeightFormat &format)
{
    return Bytes((Bytes(parameters) * format.bits_e4 + 79'999) / 80'000);
}

std::optional<qint64> parseSize(const QString &text)
{
    static const QRegularExpression size(QStringLiteral("^([0-9]{1,15})(?:\\.([0-9]{1,9}))? ?([kmgt]?)(i?)b$"),
        QRegularExpression::CaseInsensitiveOption);
    const auto match = size.match(text.trimmed());
    const qsizetype prefix = QStringLiteral("kmgt").indexOf(match.captured(3), 0, Qt::CaseInsensitive);
    const bool binary = match.capturedLength(4) > 0;
    if (!match.hasMatch() || (binary && match.capturedLength(3) == 0))
        return std::nullopt;
    const QString digits = match.captured(1) + match.captured(2);
    if (digits.size() > 18) // beyond these a 64-bit number may not hold them
        return std::nullopt;
    Bytes bytes(digits.toLongLong());
    for (qsizetype i = 0; match.capturedLength(3) > 0 && i <= prefix; ++i)
        bytes *= binary ? 1024 : 1000;
    for (qsizetype i = 0; i < match.captured(2).size(); ++i)
        bytes /= 10;
    if (bytes < 1 || bytes > (Bytes(1) << 60))
        return std::nullopt;
    return bytes.convert_to<qint64>();
}

} // namespace kvlab::memory
