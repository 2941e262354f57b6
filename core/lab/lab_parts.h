// SPDX-License-Identifier: GPL-3.0-or-later
// Readers of a step's question and of its condition, and the checks that need the whole lab.
#pragma once

#include "lab/lab_fields.h"

namespace kvlab::lab {

Question readQuestion(const QJsonValue &value, const QString &path, bool prediction, const QStringList &languages,
    QList<LabProblem> &problems);
Condition readCondition(const QJsonValue &value, const QString &path, QList<LabProblem> &problems);

/// Ids twice, steps that are named but not there, steps that wait for each other.
void checkReferences(const Lab &lab, QList<LabProblem> &problems);

} // namespace kvlab::lab
