// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tiers/hit_texts.h"

#include <QCoreApplication>
#include <QLocale>

namespace kvlab::ui::hit_texts {

namespace {

/// Context of this file's texts.
struct HitTexts
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::ui::HitTexts)
};

QString number(qint64 value)
{
    return QLocale().toString(value);
}

QString placeOf(const prefix::PromptPart *part)
{
    if (!part || part->kind == prefix::PromptPart::Kind::text)
        return {};
    if (part->kind == prefix::PromptPart::Kind::tools)
        return HitTexts::tr("It lies in the list of tools.");
    if (part->message == 0)
        return HitTexts::tr("It lies in the system message that the template adds.");
    return HitTexts::tr("It lies in message %1 (%2).").arg(number(part->message), part->role);
}

QString saved(qint64 tokens, qint64 of)
{
    const double percent = of == 0 ? 0 : double(tokens) * 100 / double(of);
    return HitTexts::tr("%1 (%2 %)", "tokens and their share").arg(number(tokens), QLocale().toString(percent, 'f', 1));
}

} // namespace

QString parting(const prefix::HitForecast &forecast, const prefix::ReadPrompt &second)
{
    QStringList sentences{HitTexts::tr("Common prefix: %1 tokens; whole blocks of 16 in it: %2.")
                              .arg(number(forecast.common_tokens), number(forecast.common_tokens / 16))};
    if (!forecast.first_difference) {
        sentences << HitTexts::tr("The prompts do not differ up to the end of the shorter one.");
        return sentences.join(u' ');
    }
    sentences << HitTexts::tr("The first difference is token %1.").arg(number(*forecast.first_difference + 1));
    if (const QString place = placeOf(second.partAt(*forecast.first_difference)); !place.isEmpty())
        sentences << place;
    if (forecast.equal_bytes_behind > 0)
        sentences << HitTexts::tr("The text goes on alike for a while; there, only its division into tokens differs.");
    return sentences.join(u' ');
}

QString reason(const prefix::HitForecast &forecast)
{
    using prefix::MissReason;
    switch (forecast.reason) {
    case MissReason::none:
        return HitTexts::tr("Nothing stands in the way of a hit, apart from the last token, which is always computed, "
                            "and blocks that are not full.");
    case MissReason::salt:
        return HitTexts::tr("cache_salt differs: the prompts share nothing on purpose. Use the same salt for requests "
                            "that may share.");
    case MissReason::adapter:
        return HitTexts::tr("The adapter (LoRA) differs: keys and values of another adapter are others. Only requests "
                            "with the same adapter can share.");
    case MissReason::whitespace:
        return HitTexts::tr("Only white space differs, but tokens are compared, not words. Build the prompt the same "
                            "way each time: same line breaks, same indentation, nothing at the ends of lines.");
    case MissReason::chat_template:
        return HitTexts::tr("Role markers of the chat template differ: another template, a system message that is "
                            "there only once, or a message with another role. Send the same messages in the same "
                            "roles, with the same template.");
    case MissReason::timestamp:
        return HitTexts::tr("A date or time differs. Whatever changes with each request belongs behind what stays: "
                            "move it to the end, into the last message.");
    case MissReason::identifier:
        return HitTexts::tr("An identifier or a running number differs. Leave it out, or move it behind what stays the "
                            "same, into the last message.");
    case MissReason::order:
        return HitTexts::tr("The same things come in another order, such as tools or keys. Sort them the same way in "
                            "every request.");
    case MissReason::text:
        return HitTexts::tr("The text itself differs here. Put what the requests have in common first, and what "
                            "differs after it.");
    }
    return {};
}

QString replayed(const prefix::ReplayResult &result, const prefix::ReplayOptions &options)
{
    const qint64 all = result.prompt_tokens;
    QStringList lines;
    if (result.stopped)
        lines << HitTexts::tr("Stopped; what follows is of the requests up to there.");
    lines << HitTexts::tr("%n request(s) replayed.", nullptr, result.requests);
    lines << HitTexts::tr("%1 prompt tokens in all.").arg(number(all));
    const auto row = [&](const QString &design, qint64 logged, qint64 stable) {
        //: a design; tokens saved as logged; tokens saved in another order
        lines << HitTexts::tr("%1: %2 saved as logged, %3 with the stable part first.")
                     .arg(design, saved(logged, all), saved(stable, all));
    };
    row(HitTexts::tr("vLLM, blocks of %1").arg(number(options.block_size)), result.as_logged.pool,
        result.stable_first.pool);
    row(QStringLiteral("SGLang"), result.as_logged.radix, result.stable_first.radix);
    row(HitTexts::tr("llama.cpp, %1 slots").arg(number(options.slots)), result.as_logged.slots,
        result.stable_first.slots);
    row(HitTexts::tr("LMCache, chunks of %1").arg(number(options.chunk_size)), result.as_logged.chunks,
        result.stable_first.chunks);
    lines << HitTexts::tr(
        "Stable part first: tools sorted, lines of the system message by how many requests have them, and "
        "those that no other request has moved into the last message. Pool: %1 tokens.")
                 .arg(number(options.pool_tokens));
    if (result.too_long > 0)
        lines << HitTexts::tr("%n request(s) did not fit the pool.", nullptr, result.too_long);
    if (result.cut)
        lines << HitTexts::tr("The file is larger than 64 MiB; the rest was not read.");
    if (result.broken > 0)
        lines << HitTexts::tr("%n line(s) could not be used:", nullptr, result.broken);
    for (const prefix::BrokenLine &line : result.first_broken)
        lines << HitTexts::tr("Line %1: %2").arg(number(line.line), line.why);
    return lines.join(u'\n');
}

} // namespace kvlab::ui::hit_texts
