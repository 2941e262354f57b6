// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/kept_runs.h"

#include "session/samples_export.h"

#include <QJsonDocument>
#include <QJsonObject>

namespace kvlab::session {

namespace {

constexpr qsizetype mostBytes = 32 * 1024 * 1024;

} // namespace

bool isSameRun(const experiment::RunResult &one, const experiment::RunResult &other)
{
    return one.started_at == other.started_at && one.samples.size() == other.samples.size();
}

QJsonArray keptRunsToJson(const QList<KeptRun> &runs, const std::optional<experiment::RunResult> &current)
{
    QJsonArray array;
    qsizetype bytes = 0;
    // From the newest on: when there is no room for all, the oldest stay behind.
    for (auto kept = runs.crbegin(); kept != runs.crend() && array.size() < maxKeptRuns; ++kept) {
        QJsonObject entry{{QStringLiteral("label"), kept->label}};
        if (!current || !isSameRun(*current, kept->run)) {
            const QJsonObject run = runToJson(kept->run);
            bytes += QJsonDocument(run).toJson(QJsonDocument::Indented).size();
            if (bytes > mostBytes)
                break;
            entry.insert(QStringLiteral("run"), run);
        }
        array.prepend(entry);
    }
    return array;
}

std::variant<QList<KeptRun>, QString> keptRunsFromJson(
    const QJsonArray &array, const std::optional<experiment::RunResult> &current)
{
    QList<KeptRun> runs;
    for (const QJsonValue &value : array) {
        const QJsonObject entry = value.toObject();
        KeptRun kept{entry.value(QLatin1String("label")).toString(), {}};
        const QJsonValue run = entry.value(QLatin1String("run"));
        if (run.isUndefined()) {
            if (!current)
                continue;
            kept.run = *current;
        } else {
            const auto read = runFromJson(run.toObject());
            if (const auto *error = std::get_if<QString>(&read))
                return *error;
            kept.run = std::get<experiment::RunResult>(read);
        }
        runs.append(kept);
    }
    return runs.mid(std::max<qsizetype>(0, runs.size() - maxKeptRuns));
}

} // namespace kvlab::session
