// SPDX-License-Identifier: GPL-3.0-or-later
// The engine's names for its tokenizer, which lies with the prefix rules: forecasts count tokens without the engine.
#pragma once

#include "prefix/tokenizer.h"

namespace kvlab::engine {

using prefix::Token;
using prefix::Tokenizer;

} // namespace kvlab::engine
