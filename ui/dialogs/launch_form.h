// SPDX-License-Identifier: GPL-3.0-or-later
// What somebody wants of a server that is to be started, as a form: only the settings that its kind has are shown.
#pragma once

#include "servers/launch_command.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace kvlab::ui {

class LaunchForm : public QWidget
{
    Q_OBJECT
public:
    explicit LaunchForm(QWidget *parent = nullptr);

    servers::LaunchPlan plan() const;

Q_SIGNALS:
    void changed();

protected:
    void changeEvent(QEvent *event) override;

private:
    void setupServer();
    void setupModel();
    void setupCache();
    void setupMemory();
    void setupLayout();
    void retranslate();
    void retranslateRows();
    void chooseKind();
    void chooseProgram();
    void chooseModel();
    void takeFreePort();
    servers::LaunchKind kind() const;
    QSpinBox *countBox(int highest, const QString &name);
    QDoubleSpinBox *amountBox(double highest, double step, const QString &name);

    QFormLayout *m_form = nullptr;
    QComboBox *m_kind = nullptr;
    QLineEdit *m_program = nullptr;
    QPushButton *m_browseProgram = nullptr;
    QWidget *m_programRow = nullptr;
    QLineEdit *m_version = nullptr;
    QLineEdit *m_model = nullptr;
    QPushButton *m_browseModel = nullptr;
    QWidget *m_modelRow = nullptr;
    QSpinBox *m_port = nullptr;
    QPushButton *m_freePort = nullptr;
    QWidget *m_portRow = nullptr;
    QSpinBox *m_context = nullptr;
    QCheckBox *m_prefixCaching = nullptr;
    QCheckBox *m_report = nullptr;
    QCheckBox *m_reset = nullptr;
    QComboBox *m_dtype = nullptr;
    QDoubleSpinBox *m_gpuShare = nullptr;
    QSpinBox *m_tensorParallel = nullptr;
    QDoubleSpinBox *m_cpuCache = nullptr;
    QDoubleSpinBox *m_offload = nullptr;
    QSpinBox *m_slots = nullptr;
    QLineEdit *m_extra = nullptr;
};

} // namespace kvlab::ui
