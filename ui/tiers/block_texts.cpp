// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tiers/block_texts.h"

#include "ui/tiers/block_look.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>

namespace kvlab::ui::block_texts {

namespace {

/// Context of this file's texts.
struct BlockTexts
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::ui::BlockTexts)
};

using prefix::BlockOrigin;

QString number(int value)
{
    return QLocale().toString(value);
}

QString titleOf(const prefix::TracePlayer &player, int step)
{
    return player.steps()[std::size_t(step)].title;
}

QString holds(const prefix::TracePlayer &player, const prefix::QueueSegment &segment)
{
    if (!segment.filled_in)
        return BlockTexts::tr("%1 empty", "blocks").arg(number(segment.count));
    //: blocks of a step's prompt
    return BlockTexts::tr("%1 of “%2”").arg(number(segment.count), titleOf(player, *segment.filled_in));
}

QString listed(QStringList parts)
{
    return parts.join(BlockTexts::tr(", ", "between the parts of a short list"));
}

} // namespace

QString textOf(const std::vector<prefix::Token> &tokens, const prefix::Tokenizer &tokenizer, int mostCharacters)
{
    QString text = QString::fromUtf8(QByteArray::fromStdString(tokenizer.decode(tokens)));
    while (text.startsWith(QChar::ReplacementCharacter))
        text.remove(0, 1);
    while (text.endsWith(QChar::ReplacementCharacter))
        text.chop(1);
    text = text.simplified();
    return text.size() > mostCharacters ? text.left(mostCharacters) + QStringLiteral("…") : text;
}

QString shortHash(const std::optional<prefix::BlockHash> &hash)
{
    return hash ? QString::fromStdString(hash->hex().substr(0, 8)) + QStringLiteral("…")
                : BlockTexts::tr("none", "no hash");
}

QString stepSummary(const prefix::StepOutcome &outcome)
{
    if (outcome.restarted)
        return BlockTexts::tr("pool and RAM are empty");
    if (outcome.reset)
        return *outcome.reset ? BlockTexts::tr("every hash is dropped")
                              : BlockTexts::tr("refused: a request is running");
    if (outcome.scheduled == false)
        return BlockTexts::tr("waits: the pool has no room");
    QStringList parts;
    if (outcome.scheduled) {
        parts << BlockTexts::tr("%1 found", "blocks").arg(number(outcome.count(BlockOrigin::pool)));
        if (const int ram = outcome.count(BlockOrigin::ram))
            parts << BlockTexts::tr("%1 from RAM", "blocks").arg(number(ram));
        if (const int disk = outcome.count(BlockOrigin::disk))
            parts << BlockTexts::tr("%1 from disk", "blocks").arg(number(disk));
        parts << BlockTexts::tr("%1 computed", "blocks").arg(number(outcome.count(BlockOrigin::computed)));
    } else {
        parts << BlockTexts::tr("%1 set free", "blocks").arg(number(outcome.released_blocks));
    }
    if (!outcome.evicted.empty())
        parts << BlockTexts::tr("%1 lost", "blocks").arg(number(int(outcome.evicted.size())));
    return listed(parts);
}

QString promptTitle(int step, const prefix::StepOutcome &outcome, int blockSize)
{
    const int blocks = (outcome.prompt_tokens + blockSize - 1) / blockSize;
    return BlockTexts::tr("Prompt of step %1: %2 tokens = %3 blocks of %4")
        .arg(number(step + 1), number(outcome.prompt_tokens), number(blocks), number(blockSize));
}

QString promptFigures(const prefix::StepOutcome &outcome)
{
    if (outcome.scheduled == false)
        return BlockTexts::tr("The request waits: the pool has no room for it.");
    QStringList parts{BlockTexts::tr("%1 found", "tokens").arg(number(outcome.pool_tokens))};
    if (outcome.ram_tokens > 0)
        parts << BlockTexts::tr("%1 from RAM", "tokens").arg(number(outcome.ram_tokens));
    if (outcome.disk_tokens > 0)
        parts << BlockTexts::tr("%1 from disk", "tokens").arg(number(outcome.disk_tokens));
    parts << BlockTexts::tr("%1 computed", "tokens").arg(number(outcome.computedTokens()));
    return listed(parts);
}

QString poolFigures(const prefix::PoolState &state)
{
    int inUse = 0;
    int freeCached = 0;
    for (const prefix::BlockState &block : state.blocks) {
        inUse += block.references > 0 ? 1 : 0;
        freeCached += block.queue_place && block.hash ? 1 : 0;
    }
    return BlockTexts::tr("in use %1 · free %2, of them %3 still cached · usage %4 %")
        .arg(number(inUse), number(int(state.queue.size())), number(freeCached),
            QLocale().toString(state.usage * 100, 'f', 1));
}

QString poolBlock(
    const prefix::TracePlayer &player, const prefix::PoolState &state, int number_, const prefix::Tokenizer &tokenizer)
{
    if (number_ == 0)
        return BlockTexts::tr("Block 0 is the null block: a placeholder that never holds data.");
    const prefix::BlockState &block = state.blocks[std::size_t(number_)];
    QStringList parts{BlockTexts::tr("Block %1: %2").arg(number(number_), blockWord(lookOf(block, number_)))};
    if (block.filled_in) {
        parts << BlockTexts::tr("block %1 of “%2”").arg(number(block.position + 1), titleOf(player, *block.filled_in));
        parts << BlockTexts::tr("“%1”").arg(textOf(block.tokens, tokenizer));
        parts << BlockTexts::tr("hash %1").arg(shortHash(block.hash));
        parts << BlockTexts::tr("parent %1").arg(shortHash(block.parent));
    }
    parts << BlockTexts::tr("%n request(s)", nullptr, block.references);
    if (block.queue_place)
        parts << BlockTexts::tr("place %1 in the free queue").arg(number(*block.queue_place));
    return parts.join(QStringLiteral(" · "));
}

QString promptBlock(const prefix::TracePlayer &player, const prefix::PoolState &state, int step, int place,
    const prefix::Tokenizer &tokenizer)
{
    const prefix::StripBlock &block = player.outcomes()[std::size_t(step)].strip[std::size_t(place)];
    QStringList parts{
        BlockTexts::tr("Block %1 of the prompt: %2, %3 tokens, in block %4 of the pool")
            .arg(number(place + 1), blockWord(lookOf(block.origin)), number(block.tokens), number(block.block))};
    const prefix::BlockState &now = state.blocks[std::size_t(block.block)];
    if (now.filled_in && now.position == place) {
        parts << BlockTexts::tr("“%1”").arg(textOf(now.tokens, tokenizer));
        parts << BlockTexts::tr("hash %1").arg(shortHash(now.hash));
        parts << BlockTexts::tr("parent %1").arg(shortHash(now.parent));
    }
    if (block.evicted_in)
        parts << BlockTexts::tr("lost in step %1").arg(number(*block.evicted_in + 1));
    return parts.join(QStringLiteral(" · "));
}

QList<QueueBox> queueBoxes(const prefix::TracePlayer &player, const prefix::PoolState &state)
{
    const auto segments = prefix::queueSegments(state);
    const auto isCached = [](const auto &segment) { return segment.cached > 0; };
    const auto first = std::find_if(segments.begin(), segments.end(), isCached);
    const auto last = std::find_if(segments.rbegin(), segments.rend(), isCached);
    QList<QueueBox> boxes;
    for (auto segment = segments.begin(); segment != segments.end(); ++segment) {
        QString numbers = number(segment->first);
        if (segment->count == 2)
            numbers = BlockTexts::tr("%1, %2", "two block numbers").arg(number(segment->first), number(segment->last));
        else if (segment->count > 2)
            numbers = BlockTexts::tr("%1 … %2", "from one block number to another")
                          .arg(number(segment->first), number(segment->last));
        QString words = holds(player, *segment);
        if (segment == first && segment->cached > 0)
            words = BlockTexts::tr("%1: lost first").arg(words);
        else if (last != segments.rend() && &*segment == &*last)
            words = BlockTexts::tr("%1: lost last").arg(words);
        boxes.append({numbers, words, segment == segments.begin(), segment->cached > 0});
    }
    return boxes;
}

QString queueSentence(const prefix::TracePlayer &player, const prefix::PoolState &state)
{
    const auto segments = prefix::queueSegments(state);
    if (segments.empty())
        return BlockTexts::tr("No block is free.");
    QStringList parts;
    for (const prefix::QueueSegment &segment : segments)
        parts << holds(player, segment);
    const auto cached
        = std::find_if(segments.begin(), segments.end(), [](const auto &segment) { return segment.cached > 0; });
    const QString queue = BlockTexts::tr("The free queue from head to tail: %1.").arg(listed(parts));
    if (cached == segments.end())
        return BlockTexts::tr("%1 Nothing cached would be lost.").arg(queue);
    return BlockTexts::tr("%1 Lost first: %2.").arg(queue, holds(player, *cached));
}

QString orderSentence(prefix::FreeOrder order)
{
    return order == prefix::FreeOrder::tail
        ? BlockTexts::tr("order of 2025: every freed block goes to the tail, last block first")
        : BlockTexts::tr("order of 2026: freed blocks without a hash go to the head, the others to the tail");
}

} // namespace kvlab::ui::block_texts
