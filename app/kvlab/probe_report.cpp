// SPDX-License-Identifier: GPL-3.0-or-later
#include "probe_report.h"

#include "listing.h"

#include "options.h"
#include "terminal.h"

#include <QCoreApplication>

#include <cmath>

namespace kvlab::cli {

namespace {

using namespace experiment;

QString milliseconds(std::optional<double> value)
{
    return value ? QString::number(*value, 'f', 1) : QStringLiteral("-");
}

QString tokens(std::optional<qint64> value)
{
    return value ? QString::number(*value) : QStringLiteral("?");
}

/// As the answer reports it, else as the counters of an idle server say (the verdict then is "likely" at best).
std::optional<qint64> hitOf(const MeasuredSample &sample)
{
    if (!sample.probe.evidence.cached_tokens && sample.counters && sample.counters->idle)
        return sample.counters->hits;
    return sample.probe.evidence.cached_tokens;
}

QString interval(const std::optional<Interval> &value, int decimals)
{
    if (!value)
        return QStringLiteral("-");
    return QStringLiteral("%1 - %2").arg(
        QString::number(value->low, 'f', decimals), QString::number(value->high, 'f', decimals));
}

QString phaseText(const RunProgress &progress)
{
    switch (progress.phase) {
    case RunProgress::Phase::connecting:
        return QCoreApplication::translate("kvlab probe", "Getting to know the server");
    case RunProgress::Phase::warming_up:
        return QCoreApplication::translate("kvlab probe", "Warming up");
    case RunProgress::Phase::priming:
    case RunProgress::Phase::measuring:
        break;
    }
    //: progress on a terminal; %3 an arm such as NO CACHE
    return QCoreApplication::translate("kvlab probe", "Sample %1 of %2 - %3")
        .arg(QString::number(progress.done + 1), QString::number(progress.total),
            progress.arm ? armTitle(*progress.arm) : QString());
}

QString remainingText(std::optional<qint64> ms)
{
    if (!ms)
        return {};
    const auto seconds = static_cast<int>(std::ceil(static_cast<double>(*ms) / 1000));
    return QStringLiteral(" - ")
        + QCoreApplication::translate("kvlab probe", "about %1 s left").arg(QString::number(seconds));
}

/// Cells of one row of the table; columns are padded to their widest cell.
using Row = QStringList;

Row armRow(Arm arm, const ArmSummary &summary)
{
    return {QStringLiteral("%1 (%2)").arg(armTitle(arm), armName(arm)), milliseconds(summary.median_ms),
        interval(summary.median_interval_ms, 1), milliseconds(summary.min_ms), milliseconds(summary.max_ms),
        QString::number(summary.samples), QString::number(summary.kept), QString::number(summary.confirmed),
        QString::number(summary.excluded), QString::number(summary.failed),
        summary.cached_tokens_median ? QString::number(*summary.cached_tokens_median) : QStringLiteral("?")};
}

QString aligned(const QList<Row> &rows)
{
    QList<qsizetype> widths;
    for (const Row &row : rows) {
        widths.resize(row.size());
        for (qsizetype i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths.at(i), displayWidth(row.at(i)));
    }
    QString text;
    for (const Row &row : rows) {
        for (qsizetype i = 0; i < row.size(); ++i)
            text += i == 0 ? padded(row.at(i), widths.at(i), Side::left)
                           : QStringLiteral("  ") + padded(row.at(i), widths.at(i), Side::right);
        text += QLatin1Char('\n');
    }
    return text;
}

QString armsTable(const Summary &summary)
{
    QList<Row> rows{{QCoreApplication::translate("kvlab probe", "TTFT in ms"),
        QCoreApplication::translate("kvlab probe", "median"), QStringLiteral("95 %"),
        QCoreApplication::translate("kvlab probe", "min"), QCoreApplication::translate("kvlab probe", "max"),
        QCoreApplication::translate("kvlab probe", "samples"), QCoreApplication::translate("kvlab probe", "kept"),
        QCoreApplication::translate("kvlab probe", "confirmed"), QCoreApplication::translate("kvlab probe", "excluded"),
        QCoreApplication::translate("kvlab probe", "failed"),
        QCoreApplication::translate("kvlab probe", "cached tokens")}};
    for (auto it = summary.arms.cbegin(); it != summary.arms.cend(); ++it)
        rows.append(armRow(it.key(), it.value()));
    return aligned(rows);
}

QString ratioLine(const Summary &summary)
{
    if (!summary.ratio_median)
        return {};
    QString line = QCoreApplication::translate("kvlab probe", "NO CACHE / CACHED, median of %1 pairs: %2 x")
                       .arg(QString::number(summary.pairs), QString::number(*summary.ratio_median, 'f', 2));
    if (summary.ratio_interval)
        line += QStringLiteral(" (95 %: %1)").arg(interval(summary.ratio_interval, 2));
    if (summary.sign_flip_p)
        line += QStringLiteral(", p = %1").arg(QString::number(*summary.sign_flip_p, 'g', 3));
    if (summary.saved_ms_per_cached_token)
        line += QLatin1Char('\n')
            + QCoreApplication::translate("kvlab probe", "saved per cached token: %1 ms")
                  .arg(QString::number(*summary.saved_ms_per_cached_token, 'f', 4));
    return line + QLatin1Char('\n');
}

QString serverLines(const ServerFacts &facts)
{
    QString text = QCoreApplication::translate(
                       "kvlab probe", "Server: %1, model %2, blocks of %3 tokens, shared prefix %4 tokens, cold by %5")
                       .arg(facts.label, facts.model, tokens(facts.block_size), tokens(facts.shared_prefix),
                           coldMethodName(facts.cold))
        + QLatin1Char('\n');
    if (facts.practice_engine)
        text += QCoreApplication::translate("kvlab probe",
                    "The practice engine's text is gibberish (untrained weights); its times and hits are real.")
            + QLatin1Char('\n');
    if (!facts.cold_note.isEmpty())
        text += facts.cold_note + QLatin1Char('\n');
    for (const QString &note : facts.notes)
        text += note + QLatin1Char('\n');
    return text;
}

} // namespace

ProgressPrinter::ProgressPrinter()
    : m_rewrites(isErrorTerminal())
{
}

void ProgressPrinter::show(const RunProgress &progress)
{
    const bool longPhase
        = progress.phase == RunProgress::Phase::connecting || progress.phase == RunProgress::Phase::warming_up;
    if (m_rewrites) {
        // Carriage return and "erase to the end of the line".
        standardError() << "\r\033[K" << phaseText(progress) << remainingText(progress.remaining_ms) << Qt::flush;
        m_line_open = true;
    } else if (longPhase) {
        standardError() << phaseText(progress) << Qt::endl;
    }
}

void ProgressPrinter::show(const MeasuredSample &sample, int total)
{
    const bool failed = !sample.verdict;
    if (m_rewrites && !failed)
        return;
    finish();
    standardError() << sample.number << '/' << total << ' ' << armTitle(sample.arm) << ' ';
    if (failed) {
        //: %1 how a request ended, %2 a sentence about it
        standardError() << QCoreApplication::translate("kvlab probe", "%1: %2")
                               .arg(probe::outcomeTitle(sample.probe.outcome), sample.probe.message)
                        << Qt::endl;
        return;
    }
    standardError() << milliseconds(sample.probe.ttftMs()) << " ms, "
                    << QCoreApplication::translate("kvlab probe", "cached %1 of %2 (expected %3)")
                           .arg(tokens(hitOf(sample)), tokens(sample.probe.evidence.prompt_tokens),
                               tokens(sample.expected_hit))
                    << ", " << verdictTitle(*sample.verdict) << Qt::endl;
}

void ProgressPrinter::showRequests(int done)
{
    if (!m_rewrites)
        return;
    standardError() << "\r\033[K" << QCoreApplication::translate("kvlab probe", "Request %1").arg(QString::number(done))
                    << Qt::flush;
    m_line_open = true;
}

void ProgressPrinter::finish()
{
    if (m_line_open)
        standardError() << "\r\033[K" << Qt::flush;
    m_line_open = false;
}

QString runAsTable(const RunResult &run)
{
    QString text = armsTable(run.summary) + ratioLine(run.summary);
    if (run.summary.verdict)
        text += run.summary.explanation + QLatin1Char('\n');
    return text + serverLines(run.server);
}

} // namespace kvlab::cli
