// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a lab file (resources/labs/README.md). Every problem is reported at once, each with its place in the JSON.
#pragma once

#include "lab/lab.h"

namespace kvlab::lab {

struct LabProblem
{
    QString path; ///< "parts[1].steps[3].question.expected"; empty = the whole file
    QString message; ///< a translated sentence: what is wrong and what would be right
};

QString problemLine(const LabProblem &problem); ///< "path: message"

/// The lab, or everything that is wrong with it (at least one).
std::variant<Lab, QList<LabProblem>> readLab(const QByteArray &json);

inline constexpr qint64 maxLabBytes = 4 * 1024 * 1024;

/// The lab that comes with the program.
const Lab &builtInLab();

} // namespace kvlab::lab
