// SPDX-License-Identifier: GPL-3.0-or-later
// The left column of the Blocks page: which scenario, its steps, the pool's settings, the buttons to step.
#pragma once

#include "prefix/block_pool.h"

#include <QWidget>

class QComboBox;
class QFormLayout;
class QLabel;
class QPushButton;
class QSpinBox;

namespace kvlab::ui {

class StepList;

struct PoolChoice
{
    int blocks = 256;
    int block_size = 16;
    prefix::FreeOrder order = prefix::FreeOrder::tail;
};

class TracePanel : public QWidget
{
    Q_OBJECT
public:
    explicit TracePanel(QWidget *parent = nullptr);

    void setScenarios(const QStringList &titles, int current);
    void setSteps(const QStringList &titles, const QStringList &summaries, int current);
    void setPool(const PoolChoice &pool);
    void setPoolEnabled(bool enabled); ///< false for a prompt of a run: its pool is the server's
    PoolChoice pool() const;
    int step() const;
    void stepBy(int steps);
    StepList *list() const { return m_steps; }
    void retranslate();
    void restyle();

Q_SIGNALS:
    void scenarioChosen(int scenario);
    void stepChosen(int step);
    void poolChanged();

private:
    void setupFields();
    void setupButtons();
    void setupLayout();
    void updateButtons();

    QLabel *m_title;
    QLabel *m_progress;
    QComboBox *m_scenarios;
    StepList *m_steps;
    QSpinBox *m_blocks;
    QSpinBox *m_blockSize;
    QComboBox *m_order;
    QFormLayout *m_form;
    QPushButton *m_first;
    QPushButton *m_back;
    QPushButton *m_next;
    QPushButton *m_last;
    QLabel *m_keys;
};

} // namespace kvlab::ui
