// SPDX-License-Identifier: GPL-3.0-or-later
// Sentences about blocks, prompts and the queue, in the interface language.
#pragma once

#include "prefix/tokenizer.h"
#include "prefix/trace_player.h"
#include "ui/tiers/queue_bar.h"

namespace kvlab::ui::block_texts {

/// What tokens say, on one line; pieces of characters at the ends are left out.
QString textOf(const std::vector<prefix::Token> &tokens, const prefix::Tokenizer &tokenizer, int mostCharacters = 60);
QString shortHash(const std::optional<prefix::BlockHash> &hash); ///< "9f3c21aa…", or "none"

/// The line below a step's title: "93 found, 1 computed".
QString stepSummary(const prefix::StepOutcome &outcome);
/// "Prompt of step 5: 1,504 tokens = 94 blocks of 16"
QString promptTitle(int step, const prefix::StepOutcome &outcome, int blockSize);
/// "1,488 found, 16 computed", in tokens.
QString promptFigures(const prefix::StepOutcome &outcome);
/// "in use 95 · free 160, of them 135 still cached · usage 37.3 %"
QString poolFigures(const prefix::PoolState &state);

/// All about one block of the pool.
QString poolBlock(
    const prefix::TracePlayer &player, const prefix::PoolState &state, int number, const prefix::Tokenizer &tokenizer);
/// All about one block of the prompt.
QString promptBlock(const prefix::TracePlayer &player, const prefix::PoolState &state, int step, int place,
    const prefix::Tokenizer &tokenizer);

QList<QueueBox> queueBoxes(const prefix::TracePlayer &player, const prefix::PoolState &state);
/// The queue summed up: what is lost first, what last.
QString queueSentence(const prefix::TracePlayer &player, const prefix::PoolState &state);
QString orderSentence(prefix::FreeOrder order);

} // namespace kvlab::ui::block_texts
