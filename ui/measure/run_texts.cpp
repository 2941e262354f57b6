// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/run_texts.h"

#include "ui/measure/chart_data.h"
#include "ui/widgets/appearance.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace kvlab::ui {

using experiment::Arm;
using experiment::ArmSummary;
using experiment::RunEnd;
using experiment::Summary;
using experiment::Verdict;

namespace {

constexpr int fewestForRatio = 3;

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(RunTexts)
};

QString serverName(const experiment::ServerFacts &server)
{
    if (server.label.isEmpty() && server.practice_engine)
        return Text::tr("practice engine");
    return server.label;
}

/// Short, so that no line of origin is too narrow for it; the tool bar has the whole sentence.
QString gibberishNote(const experiment::ServerFacts &server)
{
    //: short form of "its text is gibberish, its times and hits are real", for a projector
    return server.practice_engine ? Text::tr("text is gibberish") : QString();
}

QString whenText(const QDateTime &time)
{
    if (!time.isValid())
        return {};
    const QDateTime local = time.toLocalTime();
    if (local.date() == QDate::currentDate())
        return Text::tr("today %1").arg(local.toString(u"HH:mm"));
    return local.toString(u"yyyy-MM-dd HH:mm");
}

QString joined(QStringList parts)
{
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" · "));
}

/// The prompt's length, when the server counted the same in every sample.
std::optional<qint64> promptTokens(const experiment::RunResult &run)
{
    std::optional<qint64> tokens;
    for (const experiment::MeasuredSample &sample : run.samples) {
        const std::optional<qint64> own = sample.probe.evidence.prompt_tokens;
        if (!own)
            continue;
        if (tokens && *tokens != *own)
            return std::nullopt;
        tokens = own;
    }
    return tokens;
}

/// Samples that came to an end; a failed request is counted apart.
qsizetype finishedSamples(const experiment::RunResult &run)
{
    return std::count_if(run.samples.begin(), run.samples.end(),
        [](const experiment::MeasuredSample &sample) { return sample.verdict.has_value(); });
}

bool hasRatio(const Summary &summary)
{
    return summary.ratio_median && summary.verdict != Verdict::contradicted
        && summary.arms.value(Arm::cold).kept >= fewestForRatio && summary.arms.value(Arm::warm).kept >= fewestForRatio;
}

/// "97": how much lower the median time is, in whole per cent; negative = higher.
double percentLower(double ratio)
{
    return 100 * (1 - 1 / ratio);
}

QString plainClaim(double ratio)
{
    const double lower = percentLower(ratio);
    const QString percent = QLocale().toString(std::round(std::abs(lower)), 'f', 0);
    if (std::abs(lower) < 0.5)
        return Text::tr("CACHED takes as long as NO CACHE");
    return lower > 0 ? Text::tr("CACHED is %1 % lower").arg(percent) : Text::tr("CACHED is %1 % higher").arg(percent);
}

QString richClaim(double ratio, RunOrigin origin)
{
    const double lower = percentLower(ratio);
    const QString percent = QLocale().toString(std::round(std::abs(lower)), 'f', 0);
    QString claim;
    if (std::abs(lower) < 0.5)
        claim = Text::tr("<b>CACHED takes as long</b> as NO CACHE");
    else if (lower > 0)
        claim = Text::tr("<b>CACHED is %1 % lower</b> than NO CACHE").arg(percent);
    else
        claim = Text::tr("<b>CACHED is %1 % higher</b> than NO CACHE").arg(percent);
    //: %1 = the claim "CACHED is 97 % lower than NO CACHE"
    if (origin == RunOrigin::live)
        return Text::tr("So far, %1").arg(claim);
    //: %1 = the claim "CACHED is 97 % lower than NO CACHE"
    return origin == RunOrigin::sample_data ? Text::tr("%1 in this recording").arg(claim) : claim;
}

QString spreadText(const Summary &summary)
{
    if (!summary.ratio_interval)
        //: n = number of pairs; too few for an interval
        return Text::tr("paired, n %1").arg(QLocale().toString(summary.pairs));
    return Text::tr("95 %: %1–%2 ×, paired, n %3")
        .arg(formatRatio(summary.ratio_interval->low), formatRatio(summary.ratio_interval->high),
            QLocale().toString(summary.pairs));
}

/// What the control arm says: as slow as NO CACHE, or its own time.
QString controlText(const Summary &summary)
{
    const std::optional<double> cold = summary.arms.value(Arm::cold).median_ms;
    const std::optional<double> control = summary.arms.value(Arm::different).median_ms;
    if (!cold || !control || *cold <= 0)
        return {};
    constexpr double asSlow = 0.15;
    if (std::abs(*control / *cold - 1) <= asSlow)
        //: the control = the arm DIFFERENT PREFIX
        return Text::tr("control as slow as NO CACHE");
    //: the control = the arm DIFFERENT PREFIX
    return Text::tr("control took %1").arg(formatMs(*control));
}

void setEvidence(ResultText &text, const Summary &summary)
{
    const ArmSummary warm = summary.arms.value(Arm::warm);
    const QString confirmed = QLocale().toString(warm.confirmed);
    const QString sent = QLocale().toString(warm.samples);
    switch (summary.verdict.value_or(Verdict::unconfirmed)) {
    case Verdict::confirmed:
        text.evidence
            = joined({Text::tr("%1 of %2 hits confirmed by the server").arg(confirmed, sent), controlText(summary)});
        text.short_evidence = Text::tr("%1 of %2 hits confirmed").arg(confirmed, sent);
        return;
    case Verdict::likely:
        text.short_evidence = Text::tr("hits likely, not confirmed");
        break;
    case Verdict::unconfirmed:
    case Verdict::contradicted:
        text.short_evidence = Text::tr("hits not confirmed");
        break;
    }
    text.evidence
        = summary.explanation.isEmpty() ? joined({text.short_evidence, controlText(summary)}) : summary.explanation;
}

QString waitingText(const ShownRun &shown)
{
    if (shown.isLive())
        return Text::tr("The ratio appears after three samples of NO CACHE and of CACHED.");
    return Text::tr("No ratio: it takes three samples of NO CACHE and of CACHED.");
}

} // namespace

BadgeText badgeText(const ShownRun &shown)
{
    switch (shown.origin) {
    case RunOrigin::none:
        return {};
    case RunOrigin::live:
        return {BadgeState::live, Text::tr("LIVE")};
    case RunOrigin::sample_data:
        return {BadgeState::sample_data, Text::tr("SAMPLE DATA")};
    case RunOrigin::document:
        //: badge: a run read from a file, not measured here and now
        return {BadgeState::sample_data, Text::tr("RECORDED")};
    case RunOrigin::measured:
        break;
    }
    if (shown.run.end == RunEnd::finished)
        return {BadgeState::measured, Text::tr("MEASURED")};
    return {BadgeState::stopped,
        Text::tr("STOPPED AFTER %1 OF %2")
            .arg(QLocale().toString(finishedSamples(shown.run)), QLocale().toString(shown.plannedSamples()))};
}

QString originText(const ShownRun &shown)
{
    const experiment::RunResult &run = shown.run;
    const QString note = gibberishNote(run.server);
    switch (shown.origin) {
    case RunOrigin::none:
        return {};
    case RunOrigin::live:
        return joined({serverName(run.server), note});
    case RunOrigin::sample_data:
        return joined({Text::tr("recorded with %1, not on this computer").arg(serverName(run.server)), note});
    case RunOrigin::document:
    case RunOrigin::measured:
        break;
    }
    QString state;
    if (shown.origin == RunOrigin::document && run.end != RunEnd::finished)
        state = Text::tr("stopped after %1 of %2")
                    .arg(QLocale().toString(finishedSamples(run)), QLocale().toString(shown.plannedSamples()));
    return joined({serverName(run.server), note, whenText(run.started_at), state});
}

QString presentationOrigin(const ShownRun &shown)
{
    const experiment::RunResult &run = shown.run;
    const std::optional<qint64> tokens = promptTokens(run);
    return joined({serverName(run.server), gibberishNote(run.server),
        tokens ? Text::tr("%1 prompt tokens").arg(QLocale().toString(*tokens)) : QString()});
}

ResultText resultText(const ShownRun &shown)
{
    const Summary &summary = shown.run.summary;
    ResultText text;
    text.verdict = summary.verdict;
    text.explanation = summary.explanation;
    if (summary.verdict == Verdict::contradicted) {
        text.state = ResultText::State::problem;
        if (text.explanation.isEmpty())
            text.explanation = Text::tr("The samples contradict what their arms should be, so no ratio is shown.");
        return text;
    }
    if (!hasRatio(summary)) {
        text.evidence = waitingText(shown);
        text.short_evidence = text.evidence;
        return text;
    }
    text.state = ResultText::State::result;
    //: a factor, as in "36 ×": NO CACHE takes 36 times as long
    text.ratio = Text::tr("%1 ×").arg(formatRatio(*summary.ratio_median));
    text.claim = richClaim(*summary.ratio_median, shown.origin);
    text.short_claim = plainClaim(*summary.ratio_median);
    text.spread = spreadText(summary);
    setEvidence(text, summary);
    return text;
}

QString chartSentence(const ChartData &data, const Summary &summary)
{
    QStringList sentences;
    for (const ChartArm &arm : data.arms) {
        const QString n = QLocale().toString(arm.kept);
        QString sentence = arm.median_ms
            ? Text::tr("%1: median %2, n %3.").arg(experiment::armTitle(arm.arm), formatMs(*arm.median_ms), n)
            : Text::tr("%1: no time yet.").arg(experiment::armTitle(arm.arm));
        const int leftOut = int(arm.marks.size()) - arm.kept;
        if (leftOut > 0)
            sentence += QLatin1Char(' ') + Text::tr("%n sample(s) left out.", nullptr, leftOut);
        if (arm.failed > 0)
            sentence += QLatin1Char(' ') + Text::tr("%n sample(s) failed.", nullptr, arm.failed);
        sentences.append(sentence);
    }
    if (summary.verdict == Verdict::contradicted)
        sentences.append(summary.explanation);
    else if (hasRatio(summary))
        sentences.append(
            Text::tr("%1, %2 times.").arg(plainClaim(*summary.ratio_median), formatRatio(*summary.ratio_median)));
    return sentences.join(QLatin1Char(' '));
}

QString formatMs(double ms)
{
    const int digits = ms >= 99.95 ? 0 : ms >= 1 ? 1 : 2;
    //: milliseconds
    return Text::tr("%1 ms").arg(QLocale().toString(ms, 'f', digits));
}

QString formatRatio(double ratio)
{
    return QLocale().toString(ratio, 'f', ratio >= 9.95 ? 0 : 1);
}

QString verdictIcon(std::optional<Verdict> verdict)
{
    if (!verdict)
        return QStringLiteral("clock");
    switch (*verdict) {
    case Verdict::confirmed:
        return QStringLiteral("tick-circle");
    case Verdict::likely:
        return QStringLiteral("tick");
    case Verdict::unconfirmed:
        return QStringLiteral("ring");
    case Verdict::contradicted:
        return QStringLiteral("cross-circle");
    }
    return {};
}

QColor verdictColor(std::optional<Verdict> verdict)
{
    if (verdict == Verdict::confirmed)
        return tokens().ok;
    return verdict == Verdict::contradicted ? tokens().bad : tokens().text2;
}

} // namespace kvlab::ui
