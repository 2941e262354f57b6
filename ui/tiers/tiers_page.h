// SPDX-License-Identifier: GPL-3.0-or-later
// Where a prefix is found again: the arms over the tiers as live bars, with a table of what was predicted and counted.
#pragma once

#include "servers/tier_runner.h"

#include <QMap>
#include <QPointer>
#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QSpinBox;
class QTableView;

namespace kvlab::ui {

class BarRows;
class ElidingLabel;
class MeasureController;
class MessageBar;
class TierModel;

class TiersPage : public QWidget
{
    Q_OBJECT
public:
    /// Only one measurement at a time: the controller is asked before a run and told after it.
    explicit TiersPage(MeasureController *controller, QWidget *parent = nullptr);
    ~TiersPage() override;

    /// Chooses these arms and lengths and starts, unless something else is being measured.
    void startWith(const QList<servers::TierArm> &arms, const QList<int> &lengths);
    void start();
    void stop();
    const servers::TierResult &result() const { return m_result; }
    /// Shows a result that was measured elsewhere.
    void showResult(const servers::TierResult &result);
    void exportTo(const QString &path); ///< .csv, .json or .png

Q_SIGNALS:
    void ended();

protected:
    void changeEvent(QEvent *event) override;

private:
    void setupQuestion();
    void setupAnswer();
    void setupLayout();
    void connectRun();
    void retranslate();
    void updateState();
    void draw();
    void showProgress();
    void showVerdict();
    void finish(const servers::TierResult &result);
    void chooseExport();
    std::optional<servers::TierPlan> plan();
    bool mine() const { return m_runner.isRunning(); }

    QPointer<MeasureController> m_controller; ///< may go first
    servers::TierRunner m_runner;
    servers::TierResult m_result;
    servers::TierProgress m_progress;
    QMap<servers::TierArm, QCheckBox *> m_arms;
    QLabel *m_roundsLabel = nullptr;
    QSpinBox *m_rounds = nullptr;
    QLabel *m_lengthsLabel = nullptr;
    QLineEdit *m_lengths = nullptr;
    QLabel *m_sizeLabel = nullptr;
    QComboBox *m_size = nullptr;
    QPushButton *m_start = nullptr;
    QPushButton *m_export = nullptr;
    QProgressBar *m_bar = nullptr;
    ElidingLabel *m_status = nullptr;
    MessageBar *m_message = nullptr;
    QLabel *m_shownLabel = nullptr;
    QComboBox *m_shown = nullptr; ///< length that the chart shows, in a sweep
    BarRows *m_chart = nullptr;
    TierModel *m_model = nullptr;
    QTableView *m_table = nullptr;
    QLabel *m_verdict = nullptr;
    bool m_finished = false; ///< m_result is a whole run
};

} // namespace kvlab::ui
