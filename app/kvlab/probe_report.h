// SPDX-License-Identifier: GPL-3.0-or-later
// What `kvlab probe` prints: progress while it runs, the table at the end.
#pragma once

#include "experiment/experiment_result.h"

namespace kvlab::cli {

/// On a terminal one line that is rewritten; else a plain line for each finished sample. Standard error.
class ProgressPrinter
{
public:
    ProgressPrinter();

    void show(const experiment::RunProgress &progress);
    void show(const experiment::MeasuredSample &sample, int total);
    void showRequests(int done); ///< on a terminal only
    /// Leaves the cursor on an empty line.
    void finish();

private:
    bool m_rewrites;
    bool m_line_open = false;
};

/// Arms with medians and intervals, ratio, verdict, what was learned about the server.
QString runAsTable(const experiment::RunResult &run);

} // namespace kvlab::cli
