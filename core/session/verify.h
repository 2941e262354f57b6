// SPDX-License-Identifier: GPL-3.0-or-later
// Recomputes a saved run from its raw events: stamps, differences of stamps, verdicts, what is kept, statistics, run
// verdict. Nothing computed is believed; what cannot be computed (counts that the server reported, the plan) is held by
// checksums that were written with it. This finds mistakes and edits, not forgery: who edits can compute a checksum.
#pragma once

#include <QJsonObject>
#include <QStringList>

#include <variant>

namespace kvlab::session {

struct Disagreement
{
    QString where; ///< path in the file: samples[3].ttft_ms
    QString stored;
    QString computed;
};

struct Verification
{
    int samples = 0;
    int figures = 0; ///< values compared
    bool had_checksums = true; ///< files of the first version have none: then only what is computed was checked
    QList<Disagreement> disagreements;
};

/// SHA-256 of each part of a run as runToJson() wrote it, for its member "checksums".
QJsonObject checksumsOf(const QJsonObject &run);

/// A sentence when the object is no saved run.
std::variant<Verification, QString> verifyRun(const QJsonObject &run);

} // namespace kvlab::session
