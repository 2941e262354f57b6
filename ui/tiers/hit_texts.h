// SPDX-License-Identifier: GPL-3.0-or-later
// Where two prompts part, why a hit is missed and what to change, in sentences; and what a replayed chat log showed.
#pragma once

#include "prefix/chat_log.h"

namespace kvlab::ui::hit_texts {

/// "Common prefix: 412 tokens = 25 whole blocks of 16. The first difference is token 413, in message 2 (user)."
QString parting(const prefix::HitForecast &forecast, const prefix::ReadPrompt &first, const prefix::ReadPrompt &second);
/// The likely reason and what to change.
QString reason(const prefix::HitForecast &forecast);
QString replayed(const prefix::ReplayResult &result, const prefix::ReplayOptions &options);

} // namespace kvlab::ui::hit_texts
