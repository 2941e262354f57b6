// SPDX-License-Identifier: GPL-3.0-or-later
// The engine's names for its chat template, which lies with the prefix rules.
#pragma once

#include "engine/tokenizer.h"
#include "prefix/chat_template.h"

namespace kvlab::engine {

using prefix::applyChatTemplate;
using prefix::ChatMessage;

} // namespace kvlab::engine
