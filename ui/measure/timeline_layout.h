// SPDX-License-Identifier: GPL-3.0-or-later
// One request as marks in time, and where marks and their labels go. Pure functions: nothing here paints. What was not
// measured has no mark; looking up the host's name is never measured, so it has none.
#pragma once

#include "experiment/experiment_result.h"

namespace kvlab::ui {

/// In the order of a request. `token` is an event with generated text that is neither the first nor the last.
enum class MarkKind {
    connect,
    connected,
    encrypted,
    sent,
    headers,
    first_event,
    first_token,
    first_content,
    token,
    last_token,
    end
};

struct TimelineMark
{
    MarkKind kind = MarkKind::token;
    qint64 at_ns = 0; ///< relative to t0, the first request byte; connecting is negative
    int token = 0; ///< number of the token event, from 1; 0 for a mark that is none
};

/// In the order of time. Stamps of the same instant stay in the order of a request; a first content that is the first
/// token, and a last token that is the first, have no mark of their own.
QList<TimelineMark> timelineMarks(const probe::ProbeSample &sample);

/// Milliseconds between an event with generated text and the one before it.
QList<double> tokenGapsMs(const QList<probe::EventStamp> &events);

/// Stamps after t0, each the median of the arm's kept samples that have it. `samples` counts the kept ones.
struct MedianTrack
{
    int samples = 0;
    std::optional<qint64> headers_ns, first_content_ns, last_token_ns, end_ns;
};
MedianTrack medianTrack(const QList<experiment::MeasuredSample> &samples, experiment::Arm arm);

/// A label stands to the right of its mark's leader line.
struct LabelInput
{
    double at_ms = 0;
    double width = 0; ///< pixels
};

/// Milliseconds to pixels, linear. The time `last_ms` lies at `right`.
struct TimeScale
{
    double left = 0, right = 1;
    double first_ms = 0, last_ms = 1;

    double x(double ms) const { return left + (right - left) * (ms - first_ms) / (last_ms - first_ms); }
};

/// The widest scale between `left` and `limit` on which every label ends before `limit`.
TimeScale fitScale(const QList<LabelInput> &labels, double first_ms, double last_ms, double left, double limit);

/// Rows above the track, 0 nearest to it, such that no label touches another one or another's leader line. The labels
/// are in the order of time.
QList<int> labelRows(const QList<LabelInput> &labels, const TimeScale &scale, double gap);

/// Columns of at least `narrowest` pixels, each the largest of its gaps: long answers have more gaps than pixels.
QList<double> gapColumns(const QList<double> &gaps, double width, double narrowest);

} // namespace kvlab::ui
