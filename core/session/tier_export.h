// SPDX-License-Identifier: GPL-3.0-or-later
// A run over the tiers as CSV (one row per sample) and as JSON (plan, rules, samples, summaries): see `kvlab tiers
// --help`. Times are milliseconds, bytes and tokens whole numbers; unknown is an empty cell or null, never 0.
#pragma once

#include "servers/tier_run.h"

#include <QJsonObject>

namespace kvlab::session {

QByteArray tiersToCsv(const servers::TierResult &result);
QJsonObject tiersToJson(const servers::TierResult &result);

} // namespace kvlab::session
