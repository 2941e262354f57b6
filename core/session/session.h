// SPDX-License-Identifier: GPL-3.0-or-later
// The document, `.kvlab`: JSON, versioned, written atomically: imported models, rows of the memory table, the last run,
// the answers of a guided lab.
//   {"format": "kvlab", "version": 1, "models": [{…}, …], "rows": [{"model", "seq_len", "batch", "kv_dtype"}, …],
//    "run": {…}, "runs": [{"label", "run": {…}}, …], "lab": {…}, "planner": {…}, "computer": "…"}
// "models", "run", "runs" and "lab" are absent when there are none; they hold what modelToJson(), runToJson(),
// keptRunsToJson() and labStateToJson() wrote. Unknown members are ignored. At most 64 MiB.
#pragma once

#include "experiment/experiment_result.h"
#include "lab/lab_state.h"
#include "memory/model_list.h"
#include "session/kept_runs.h"

#include <QJsonObject>

#include <variant>

namespace kvlab::session {

struct Session
{
    memory::ModelLibrary library;
    /// A row may name a model that the library does not hold (another version's): it is kept, and estimateRow() says
    /// so.
    QList<memory::MemoryRow> rows;
    std::optional<experiment::RunResult> run;
    QList<KeptRun> runs; ///< all that are kept, `run` among them where the user did not remove it
    lab::LabState lab; ///< empty when no lab was begun
    QJsonObject planner; ///< the planner page's settings, as it writes them; empty when it was not used
    QString computer; ///< computerId() of the one that wrote the file; empty = not said

    /// There is a run, and another computer wrote it.
    bool measuredElsewhere() const;
};

/// Tells computers apart without saying which one it is: 12 hexadecimal digits.
QString computerId();

/// A sentence: what happened, why, what to do.
struct SessionError
{
    QString message;
};

std::variant<Session, SessionError> loadSession(const QString &path);
std::variant<Session, SessionError> sessionFromJson(const QByteArray &json);
QByteArray sessionToJson(const Session &session);
std::optional<SessionError> saveSession(const QString &path, const Session &session);

/// CSV of the memory table: model, seq_len, batch, kv_dtype, kv_bytes, kv_gib, bytes_per_token.
/// A row without a figure has the last three cells empty.
QByteArray rowsToCsv(const QList<memory::MemoryRow> &rows, const memory::ModelLibrary &library = {});

} // namespace kvlab::session
