// SPDX-License-Identifier: GPL-3.0-or-later
// The subcommands of kvlab, one file each. Results on standard output, progress and messages on standard error.
#pragma once

#include <QStringList>

namespace kvlab::cli {

/// Exit codes, the same for every subcommand.
enum ExitCode : int {
    exitDone = 0,
    exitContradicted = 1, ///< measured, but the verdict is contradicted or samples failed; results are written
    exitUsage = 2,
    exitInputRefused = 3,
    exitServer = 4, ///< could not be reached, or refused
    exitCannotWrite = 5,
    exitStopped = 130, ///< by the user; what was measured is written
};

/// Each gets the arguments after its own name, with the program's name in front, as QCommandLineParser wants them.
int runCalc(const QStringList &arguments);
int runModels(const QStringList &arguments);
int runGpus(const QStringList &arguments);
int runPlan(const QStringList &arguments);
int runCheck(const QStringList &arguments);
int runLab(const QStringList &arguments);
int runServe(const QStringList &arguments);
int runTiers(const QStringList &arguments);
int runTrace(const QStringList &arguments);
int runProbe(const QStringList &arguments);
int runDecode(const QStringList &arguments);
int runSummarize(const QStringList &arguments);
int runVerify(const QStringList &arguments);
int runCalibrate(const QStringList &arguments);

} // namespace kvlab::cli
