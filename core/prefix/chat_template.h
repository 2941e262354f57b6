// SPDX-License-Identifier: GPL-3.0-or-later
// Chat messages → prompt tokens in the ChatML shape that Qwen2.5 uses:
// <|im_start|>role\ncontent<|im_end|>\n … <|im_start|>assistant\n. A chat without a system message gets
// "You are a helpful assistant." as Qwen2.5's template does.
#pragma once

#include "prefix/tokenizer.h"

namespace kvlab::prefix {

struct ChatMessage
{
    std::string role;
    std::string content;
};

std::vector<Token> applyChatTemplate(
    const Tokenizer &tokenizer, const std::vector<ChatMessage> &messages, bool addGenerationPrompt = true);

} // namespace kvlab::prefix
