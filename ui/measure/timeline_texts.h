// SPDX-License-Identifier: GPL-3.0-or-later
// The words of one request's timeline: names of the marks, read-outs, and the whole of it in sentences.
#pragma once

#include "ui/measure/timeline_layout.h"

#include <QString>

namespace kvlab::ui {

/// "headers", "first token"; empty for a token event in the middle.
QString markName(MarkKind kind);
/// One whole sentence: what arrived, and how long after the first request byte.
QString markSentence(const experiment::MeasuredSample &sample, const TimelineMark &mark);
/// Median and longest gap; empty below two events with text.
QString gapsSentence(const QList<double> &gaps);
QString medianSentence(const MedianTrack &median, experiment::Arm arm);
/// Every mark but the tokens in the middle, the gaps, the median: for screen readers and as the read-out without
/// cursor.
QString timelineSentence(const experiment::MeasuredSample &sample, const MedianTrack &median);
/// Why the sample failed or is left out, in whole sentences; empty when neither.
QString reasonSentence(const experiment::MeasuredSample &sample);

} // namespace kvlab::ui
