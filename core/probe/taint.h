// SPDX-License-Identifier: GPL-3.0-or-later
// Why the time of a sample cannot be trusted although the request went well. A tainted sample is shown and left out of
// the summary by these rules alone. Pure functions; the words stand in ProbeSample::tainted and in files.
#pragma once

#include "probe/probe_sample.h"

namespace kvlab::probe::taint {

inline const QString busy_thread = QStringLiteral("busy_thread"); ///< the measuring thread did not get to run
inline const QString buffered_stream = QStringLiteral("buffered_stream"); ///< something held tokens back
inline const QString clock_gap = QStringLiteral("clock_gap"); ///< the computer slept, or its clock was set
inline const QString drift = QStringLiteral("drift"); ///< the run got slower or faster on the way

/// Tokens that arrive in one burst after a long silence: at least 8 of them, at least 80 % of the gaps between them
/// below 1 ms, and more than 200 ms from t0 to the end. Then the first token came when the burst did, not when the
/// server produced it.
bool isBufferedStream(const QList<EventStamp> &events, std::optional<qint64> end_ns);

/// Wall clock and monotonic clock disagree by more than a second over one request.
bool isClockGap(double wall_ms, double monotonic_ms);

/// Those that one sample shows by itself: buffered_stream and clock_gap.
QStringList ofSample(const ProbeSample &sample);

/// A translated sentence; empty for a word that nobody knows.
QString reason(const QString &word);

} // namespace kvlab::probe::taint
