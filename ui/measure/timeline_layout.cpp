// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/timeline_layout.h"

#include <algorithm>
#include <cmath>

namespace kvlab::ui {

namespace {

std::optional<qint64> median(QList<qint64> values)
{
    if (values.isEmpty())
        return std::nullopt;
    std::sort(values.begin(), values.end());
    const qsizetype middle = values.size() / 2;
    return values.size() % 2 == 1 ? values.at(middle) : values.at(middle - 1) / 2 + values.at(middle) / 2;
}

/// The scale gives way to labels, but never to less than a third of the room.
constexpr double leastShare = 1.0 / 3;

} // namespace

QList<TimelineMark> timelineMarks(const probe::ProbeSample &sample)
{
    const probe::ProbeStamps &stamps = sample.stamps;
    QList<TimelineMark> marks;
    const auto add = [&marks](MarkKind kind, const std::optional<qint64> &at_ns) {
        if (at_ns)
            marks.append({kind, *at_ns});
    };
    add(MarkKind::connect, stamps.connect_start_ns);
    add(MarkKind::connected, stamps.connected_ns);
    add(MarkKind::encrypted, stamps.encrypted_ns);
    add(MarkKind::sent, stamps.sent_ns);
    add(MarkKind::headers, stamps.headers_ns);
    add(MarkKind::first_event, stamps.first_event_ns);
    add(MarkKind::first_token, stamps.first_token_ns);
    if (stamps.first_content_ns != stamps.first_token_ns)
        add(MarkKind::first_content, stamps.first_content_ns);
    int number = 0;
    for (const probe::EventStamp &event : sample.events) {
        if (!event.token)
            continue;
        ++number;
        if (event.at_ns != stamps.first_token_ns && event.at_ns != stamps.last_token_ns)
            marks.append({MarkKind::token, event.at_ns, number});
    }
    if (stamps.last_token_ns != stamps.first_token_ns)
        add(MarkKind::last_token, stamps.last_token_ns);
    add(MarkKind::end, stamps.end_ns);
    std::stable_sort(marks.begin(), marks.end(),
        [](const TimelineMark &one, const TimelineMark &other) { return one.at_ns < other.at_ns; });
    return marks;
}

QList<double> tokenGapsMs(const QList<probe::EventStamp> &events)
{
    QList<double> gaps;
    std::optional<qint64> before;
    for (const probe::EventStamp &event : events) {
        if (!event.token)
            continue;
        if (before)
            gaps.append(double(event.at_ns - *before) / 1e6);
        before = event.at_ns;
    }
    return gaps;
}

MedianTrack medianTrack(const QList<experiment::MeasuredSample> &samples, experiment::Arm arm)
{
    MedianTrack track;
    const auto of = [&](std::optional<qint64> probe::ProbeStamps::*stamp) {
        QList<qint64> values;
        for (const experiment::MeasuredSample &sample : samples) {
            if (sample.arm == arm && sample.kept && sample.probe.stamps.*stamp)
                values.append(*(sample.probe.stamps.*stamp));
        }
        return median(values);
    };
    track.samples = int(std::count_if(samples.begin(), samples.end(),
        [arm](const experiment::MeasuredSample &sample) { return sample.arm == arm && sample.kept; }));
    track.headers_ns = of(&probe::ProbeStamps::headers_ns);
    track.first_content_ns = of(&probe::ProbeStamps::first_content_ns);
    track.last_token_ns = of(&probe::ProbeStamps::last_token_ns);
    track.end_ns = of(&probe::ProbeStamps::end_ns);
    return track;
}

TimeScale fitScale(const QList<LabelInput> &labels, double first_ms, double last_ms, double left, double limit)
{
    TimeScale scale{left, limit, first_ms, last_ms > first_ms ? last_ms : first_ms + 1};
    const double span = scale.last_ms - scale.first_ms;
    for (const LabelInput &label : labels) {
        const double share = (label.at_ms - scale.first_ms) / span;
        if (share > 0)
            scale.right = std::min(scale.right, left + (limit - label.width - left) / share);
    }
    scale.right = std::max(scale.right, left + (limit - left) * leastShare);
    return scale;
}

QList<int> labelRows(const QList<LabelInput> &labels, const TimeScale &scale, double gap)
{
    QList<int> rows(labels.size(), 0);
    for (qsizetype i = labels.size() - 1; i >= 0; --i) {
        const double end = scale.x(labels.at(i).at_ms) + labels.at(i).width + gap;
        // Later leader lines pass below this label, so their labels must lie lower.
        for (qsizetype j = i + 1; j < labels.size(); ++j) {
            if (scale.x(labels.at(j).at_ms) < end)
                rows[i] = std::max(rows.at(i), rows.at(j) + 1);
        }
    }
    return rows;
}

QList<double> gapColumns(const QList<double> &gaps, double width, double narrowest)
{
    const auto most = std::max<qsizetype>(1, qsizetype(width / narrowest));
    const qsizetype each = (gaps.size() + most - 1) / most;
    if (each <= 1)
        return gaps;
    QList<double> columns;
    for (qsizetype i = 0; i < gaps.size(); i += each) {
        const auto from = gaps.begin() + i;
        columns.append(*std::max_element(from, from + std::min(each, gaps.size() - i)));
    }
    return columns;
}

} // namespace kvlab::ui
