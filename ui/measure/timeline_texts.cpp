// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/timeline_texts.h"

#include "probe/taint.h"
#include "ui/measure/run_texts.h"
#include "ui/measure/sample_model.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace kvlab::ui {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(Timeline)
};

QString away(qint64 at_ns)
{
    return formatMs(double(std::abs(at_ns)) / 1e6);
}

double middle(QList<double> values)
{
    std::sort(values.begin(), values.end());
    const qsizetype half = values.size() / 2;
    return values.size() % 2 == 1 ? values.at(half) : (values.at(half - 1) + values.at(half)) / 2;
}

QList<probe::EventStamp> tokenEvents(const probe::ProbeSample &probe)
{
    QList<probe::EventStamp> events;
    std::copy_if(probe.events.begin(), probe.events.end(), std::back_inserter(events),
        [](const probe::EventStamp &event) { return event.token; });
    return events;
}

QString tokenSentence(const experiment::MeasuredSample &sample, const TimelineMark &mark)
{
    const QList<probe::EventStamp> events = tokenEvents(sample.probe);
    const QLocale locale;
    // A token in the middle has one before it.
    const qint64 before = mark.token >= 2 ? events.at(mark.token - 2).at_ns : mark.at_ns;
    return Text::tr("Event %1 of %2 with text arrived %3 after t0, %4 after the one before.")
        .arg(locale.toString(mark.token), locale.toString(events.size()), away(mark.at_ns), away(mark.at_ns - before));
}

QString firstTokenSentence(const experiment::MeasuredSample &sample, const QString &time)
{
    if (sample.probe.stamps.first_content_ns == sample.probe.stamps.first_token_ns)
        return Text::tr("The first text arrived %1 after t0: this is the TTFT.").arg(time);
    return Text::tr("The first token arrived %1 after t0, but it is no visible text (reasoning or a tool call).")
        .arg(time);
}

} // namespace

QString markName(MarkKind kind)
{
    switch (kind) {
    case MarkKind::connect:
        //: mark on a timeline: the connection begins to be opened
        return Text::tr("connect");
    case MarkKind::connected:
        return Text::tr("connected");
    case MarkKind::encrypted:
        return Text::tr("TLS");
    case MarkKind::sent:
        //: mark on a timeline: the whole request was handed over
        return Text::tr("sent");
    case MarkKind::headers:
        return Text::tr("headers");
    case MarkKind::first_event:
        return Text::tr("first event");
    case MarkKind::first_token:
        return Text::tr("first token");
    case MarkKind::first_content:
        return Text::tr("first visible text");
    case MarkKind::token:
        break;
    case MarkKind::last_token:
        return Text::tr("last token");
    case MarkKind::end:
        //: mark on a timeline: the answer is complete
        return Text::tr("end");
    }
    return {};
}

QString markSentence(const experiment::MeasuredSample &sample, const TimelineMark &mark)
{
    const QString time = away(mark.at_ns);
    switch (mark.kind) {
    case MarkKind::connect:
        return Text::tr("Connecting began %1 before t0, the first request byte. It is not part of the TTFT.").arg(time);
    case MarkKind::connected:
        return Text::tr("The connection stood %1 before t0.").arg(time);
    case MarkKind::encrypted:
        return Text::tr("TLS was agreed on %1 before t0.").arg(time);
    case MarkKind::sent:
        return Text::tr("The last request byte was handed over %1 after t0.").arg(time);
    case MarkKind::headers:
        return Text::tr("The headers of the answer arrived %1 after t0.").arg(time);
    case MarkKind::first_event:
        return Text::tr("The first event of the stream arrived %1 after t0; it may carry no text yet.").arg(time);
    case MarkKind::first_token:
        return firstTokenSentence(sample, time);
    case MarkKind::first_content:
        return Text::tr("The first visible text arrived %1 after t0: this is the TTFT.").arg(time);
    case MarkKind::token:
        return tokenSentence(sample, mark);
    case MarkKind::last_token:
        return Text::tr(
            "The last of %n event(s) with text arrived %1 after t0.", nullptr, int(tokenEvents(sample.probe).size()))
            .arg(time);
    case MarkKind::end:
        return Text::tr("The answer ended %1 after t0.").arg(time);
    }
    return {};
}

QString gapsSentence(const QList<double> &gaps)
{
    if (gaps.isEmpty())
        return {};
    return Text::tr("Gaps between events with text: median %1, longest %2.")
        .arg(formatMs(middle(gaps)), formatMs(*std::max_element(gaps.begin(), gaps.end())));
}

QString medianSentence(const MedianTrack &median, experiment::Arm arm)
{
    if (!median.first_content_ns || !median.end_ns)
        return Text::tr("No kept sample of %1 yet, so there is no median to compare with.")
            .arg(experiment::armTitle(arm));
    return Text::tr("Thin: median of %1, n %2, TTFT %3, end %4.")
        .arg(experiment::armTitle(arm), QLocale().toString(median.samples), away(*median.first_content_ns),
            away(*median.end_ns));
}

QString timelineSentence(const experiment::MeasuredSample &sample, const MedianTrack &median)
{
    QStringList sentences{reasonSentence(sample)};
    for (const TimelineMark &mark : timelineMarks(sample.probe)) {
        if (mark.kind != MarkKind::token)
            sentences.append(markSentence(sample, mark));
    }
    sentences.append(gapsSentence(tokenGapsMs(sample.probe.events)));
    sentences.append(medianSentence(median, sample.arm));
    sentences.removeAll(QString());
    return sentences.join(QLatin1Char(' '));
}

QString reasonSentence(const experiment::MeasuredSample &sample)
{
    if (sampleState(sample) == SampleState::failed) {
        return sample.probe.message.isEmpty() ? Text::tr("The request failed: %1.").arg(sampleStateText(sample))
                                              : sample.probe.message;
    }
    QStringList sentences;
    if (sampleState(sample) == SampleState::contradicted) {
        sentences.append(
            Text::tr("What the server found in its cache contradicts what %1 should find, so the sample is left out.")
                .arg(experiment::armTitle(sample.arm)));
    }
    for (const QString &word : sample.probe.tainted)
        sentences.append(probe::taint::reason(word));
    sentences.removeAll(QString());
    return sentences.join(QLatin1Char(' '));
}

} // namespace kvlab::ui
