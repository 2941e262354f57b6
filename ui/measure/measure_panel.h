// SPDX-License-Identifier: GPL-3.0-or-later
// Right half of the bench: chart of the arms, one-line result, tabs below them. It shows what it is given and measures
// nothing.
#pragma once

#include "session/kept_runs.h"

#include <QWidget>

#include <memory>

namespace kvlab::ui {

class MeasurePanel : public QWidget
{
    Q_OBJECT
public:
    explicit MeasurePanel(QWidget *parent = nullptr);
    ~MeasurePanel() override;

    /// A recorded run, clearly badged: not measured on this computer.
    void showSampleData(const experiment::RunResult &run);
    /// A run begins: empty bars, LIVE badge; the axis only grows until it ends.
    void beginRun(const experiment::ExperimentPlan &plan);
    void setServerFacts(const experiment::ServerFacts &facts);
    void addSample(const experiment::MeasuredSample &sample, const experiment::Summary &summary);
    /// The run ended (finished, stopped, failed): badge, result line, everything kept.
    void endRun(const experiment::RunResult &run);
    /// A run read from a document.
    void showRun(const experiment::RunResult &run);

    /// For the Runs tab: those of a document, in the order measured. endRun() adds to them.
    void setKeptRuns(const QList<session::KeptRun> &runs);
    QList<session::KeptRun> keptRuns() const;

    /// For the Server tab; one without an address is not running. While `measuring` it is asked nothing.
    void watchServer(const experiment::ServerTarget &server, bool measuring);
    /// What the chosen row of the memory table takes for each token; none when it has no figure.
    void setExpectedBytesPerToken(const QString &model, const std::optional<double> &bytes);

    const experiment::RunResult &run() const; ///< what is shown now
    bool showsSampleData() const;

    /// Opens the tab with a prompt as blocks and the pool as a grid, enlarged to the whole page.
    void showBlocks();

    /// Chart, result and badge alone, text at least 24 pt; for F11.
    QWidget *createPresentation(QWidget *parent);

    /// The chart with its caption as a picture, always light, at a fixed size. A sentence when it cannot be written.
    std::optional<QString> exportChart(const QString &path) const;

Q_SIGNALS:
    void keptRunsChanged(); ///< named, removed or brought back by the user
    void exportRequested();
    /// The tabs want the whole page, or give it back.
    void tabsEnlarged(bool enlarged);

protected:
    void changeEvent(QEvent *event) override;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace kvlab::ui
