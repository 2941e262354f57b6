// SPDX-License-Identifier: GPL-3.0-or-later
// Where two prompts part, why a hit is missed and what to change, in sentences; and what a replayed chat log showed.
#pragma once

#include "prefix/chat_log.h"

namespace kvlab::ui::hit_texts {

/// "Common prefix: 412 tokens; whole blocks of 16 in it: 25. The first difference is token 413. It lies in message 2
/// (user)."
QString parting(const prefix::HitForecast &forecast, const prefix::ReadPrompt &second);
/// The likely reason and what to change.
QString reason(const prefix::HitForecast &forecast);
QString replayed(const prefix::ReplayResult &result, const prefix::ReplayOptions &options);

} // namespace kvlab::ui::hit_texts
