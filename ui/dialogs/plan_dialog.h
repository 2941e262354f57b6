// SPDX-License-Identifier: GPL-3.0-or-later
// Edits what the next run measures: rounds, prompt length, max_tokens, seed, how cold samples are made cold.
#pragma once

#include "experiment/experiment_plan.h"

#include <QDialog>

class QComboBox;
class QLabel;
class QSpinBox;

namespace kvlab::ui {

class PlanDialog : public QDialog
{
    Q_OBJECT
public:
    PlanDialog(const experiment::ExperimentPlan &plan, const QString &engineSize, QWidget *parent = nullptr);
    experiment::ExperimentPlan plan() const;
    QString engineSize() const; ///< auto, small, medium, large

private:
    void setupFields(const QString &engineSize);
    void setupLayout();
    void updateCount();

    experiment::ExperimentPlan m_plan;
    QSpinBox *m_rounds = nullptr;
    QSpinBox *m_sharedTokens = nullptr;
    QSpinBox *m_maxTokens = nullptr;
    QSpinBox *m_seed = nullptr;
    QComboBox *m_cold = nullptr;
    QComboBox *m_engineSize = nullptr;
    QLabel *m_count = nullptr;
};

} // namespace kvlab::ui
