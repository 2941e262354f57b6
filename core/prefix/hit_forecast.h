// SPDX-License-Identifier: GPL-3.0-or-later
// "Will it hit?": two prompts side by side, the first token in which they differ, the likely reason, and what each
// design would find of the second one right after the first was served: vLLM's blocks, LMCache's chunks, SGLang's tree,
// llama.cpp's slot. The counts are the rules' own; the reason is a guess from the text around the difference.
#pragma once

#include "prefix/block_hash.h"

#include <optional>

namespace kvlab::prefix {

struct RenderedPrompt
{
    std::vector<Token> tokens;
    std::vector<std::string> pieces; ///< bytes of each token; may be empty, then no reason is found
    ExtraKeys keys;
};

struct ForecastRules
{
    int block_size = 16; ///< vLLM
    int chunk_size = 256; ///< LMCache
    int page_size = 1; ///< SGLang
};

/// none: the second prompt goes on where the first one ends, or is a part of it. order: the same things in another
/// order, such as tools or keys. chat_template: role markers or special tokens differ.
enum class MissReason { none, salt, adapter, whitespace, chat_template, timestamp, identifier, order, text };

struct HitForecast
{
    int common_tokens = 0; ///< equal from the start on, whatever the keys
    std::optional<int> first_difference; ///< token index; none when one prompt is the start of the other
    /// Bytes of text behind the first different token's start that are still equal: above 0 the text is the same for a
    /// while and only its division into tokens differs, as at the seam of a prefix and what is appended to it.
    int equal_bytes_behind = 0;
    MissReason reason = MissReason::none;

    int pool_tokens = 0; ///< vLLM's automatic prefix caching
    int chunk_tokens = 0; ///< LMCache alone; at most n - 1 count
    int radix_tokens = 0; ///< SGLang
    int slot_tokens = 0; ///< llama.cpp; it knows neither salt nor adapter here
};

HitForecast forecastHit(const RenderedPrompt &first, const RenderedPrompt &second, const ForecastRules &rules = {});

} // namespace kvlab::prefix
