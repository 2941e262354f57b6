// SPDX-License-Identifier: GPL-3.0-or-later
// The planner's left column: every setting with its field, and a sentence below the field that cannot be used.
#pragma once

#include "ui/planner/planner_answer.h"

#include <QMap>
#include <QWidget>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QGridLayout;
class QLabel;
class QLineEdit;

namespace kvlab::ui {

class CountBox;
class SearchBox;

/// A device of this computer.
struct LocalDevice
{
    QString name; ///< as it names itself
    qint64 bytes = 0;

    friend bool operator==(const LocalDevice &, const LocalDevice &) = default;
};

class PlannerForm : public QWidget
{
    Q_OBJECT
public:
    explicit PlannerForm(QWidget *parent = nullptr);

    void setLibrary(const memory::ModelLibrary &library);
    void setLocalDevices(const QList<LocalDevice> &devices);
    void setSettings(const PlannerSettings &settings);
    /// The last values that could be used.
    const PlannerSettings &settings() const { return m_settings; }
    /// Is there text that cannot be used?
    bool hasUnusableText() const { return !m_unusable.isEmpty(); }
    /// Shows why there is no answer below its field; nullopt clears it.
    void showProblem(const std::optional<PlannerProblem> &problem);

Q_SIGNALS:
    void edited();

protected:
    void changeEvent(QEvent *event) override;

private:
    struct Row
    {
        QLabel *label = nullptr;
        QWidget *editor = nullptr;
    };

    void setupMachine();
    void setupModel();
    void setupEngine();
    void setupPlan();
    void addTitle(const QString &name);
    void addRow(const QString &name, QWidget *editor);
    void addProblemLine(PlannerField field);
    void showRow(const QString &name, bool visible);

    void readDevice();
    void readRanks();
    void readShare();
    void readModel();
    void readWeights();
    void readOwnWeights();
    void readCache();
    void readEngine();
    void readEngineSettings();
    void readPlan();
    void setUnusable(PlannerField field, const QString &sentence);
    void readCounts(PlannerField field, const QList<std::pair<CountBox *, qint64 *>> &boxes);

    void fillAll();
    void fillDevices();
    void fillModels();
    void fillWeights();
    void fillFormats();
    void showSettings();
    void showEngineRows();
    void updateProblems();
    void retranslate();
    void updateFonts();

    memory::ModelLibrary m_library;
    QList<LocalDevice> m_localDevices;
    PlannerSettings m_settings;
    QMap<PlannerField, QString> m_unusable;
    std::optional<PlannerProblem> m_problem;

    QGridLayout *m_grid = nullptr;
    int m_nextRow = 0;
    QMap<QString, Row> m_rows;
    QMap<QString, QLabel *> m_titles;
    QMap<PlannerField, QLabel *> m_problems;
    SearchBox *m_device = nullptr;
    CountBox *m_tp = nullptr;
    CountBox *m_pp = nullptr;
    CountBox *m_dp = nullptr;
    SearchBox *m_share = nullptr;
    QDoubleSpinBox *m_overhead = nullptr;
    SearchBox *m_model = nullptr;
    QComboBox *m_weights = nullptr;
    QLineEdit *m_ownWeights = nullptr;
    QComboBox *m_kFormat = nullptr;
    QComboBox *m_vFormat = nullptr;
    QComboBox *m_engine = nullptr;
    CountBox *m_blockSize = nullptr;
    CountBox *m_batchedTokens = nullptr;
    CountBox *m_ubatch = nullptr;
    QCheckBox *m_unified = nullptr;
    QCheckBox *m_swaFull = nullptr;
    CountBox *m_seqLen = nullptr;
    CountBox *m_batch = nullptr;
};

} // namespace kvlab::ui
