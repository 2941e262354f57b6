// SPDX-License-Identifier: GPL-3.0-or-later
// Edits what the next run measures: arms, rounds, prompt, length, route, how cold samples are made cold. Says at once
// what cannot be measured and why.
#pragma once

#include "experiment/experiment_plan.h"

#include <QDialog>
#include <QMap>

class QCheckBox;
class QComboBox;
class QDialogButtonBox;
class QFormLayout;
class QLabel;
class QLineEdit;
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
    void setupArms();
    void setupNumbers();
    void setupPrompt();
    void setupChoices(const QString &engineSize);
    void setupLayout();
    QWidget *armRow();
    void chooseDocument(int index);
    void readDocument(const QString &path);
    void review();
    QString problem() const; ///< why the plan cannot run; empty when it can
    QString countText() const;

    experiment::ExperimentPlan m_plan;
    QMap<experiment::Arm, QCheckBox *> m_arms;
    QSpinBox *m_rounds = nullptr;
    QSpinBox *m_sharedTokens = nullptr;
    QSpinBox *m_maxTokens = nullptr;
    QSpinBox *m_seed = nullptr;
    QComboBox *m_document = nullptr;
    QLineEdit *m_question = nullptr;
    QComboBox *m_endpoint = nullptr;
    QLineEdit *m_extraBody = nullptr;
    QComboBox *m_cold = nullptr;
    QComboBox *m_engineSize = nullptr;
    QLabel *m_count = nullptr;
    QLabel *m_problem = nullptr;
    QString m_documentProblem;
    QDialogButtonBox *m_buttons = nullptr;
};

} // namespace kvlab::ui
