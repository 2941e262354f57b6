// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/plan_dialog.h"

#include "ui/widgets/appearance.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>

namespace kvlab::ui {

using experiment::ColdMethod;

namespace {

QSpinBox *spinBox(int low, int high, int value, const QString &name, QWidget *parent)
{
    auto *box = new QSpinBox(parent);
    box->setRange(low, high);
    box->setValue(value);
    box->setGroupSeparatorShown(true);
    box->setObjectName(name);
    return box;
}

} // namespace

PlanDialog::PlanDialog(const experiment::ExperimentPlan &plan, const QString &engineSize, QWidget *parent)
    : QDialog(parent)
    , m_plan(plan)
{
    setWindowTitle(tr("Plan of the next run"));
    setupFields(engineSize);
    setupLayout();
    updateCount();
}

void PlanDialog::setupFields(const QString &engineSize)
{
    m_rounds = spinBox(1, 1000, m_plan.rounds, QStringLiteral("rounds"), this);
    m_sharedTokens = spinBox(32, 100'000, m_plan.shared_tokens, QStringLiteral("shared_tokens"), this);
    m_maxTokens = spinBox(1, 4096, m_plan.max_tokens, QStringLiteral("max_tokens"), this);
    m_seed = spinBox(0, 2'147'483'647, int(qMin<quint32>(m_plan.seed, 2'147'483'647U)), QStringLiteral("seed"), this);
    m_seed->setGroupSeparatorShown(false);
    m_cold = new QComboBox(this);
    m_cold->addItem(tr("cache_salt where the server honours it, else a nonce"), int(ColdMethod::automatic));
    m_cold->addItem(tr("a fresh cache_salt"), int(ColdMethod::salt));
    m_cold->addItem(tr("a fresh nonce at the very start of the prompt"), int(ColdMethod::nonce));
    m_cold->setCurrentIndex(m_cold->findData(int(m_plan.cold)));
    m_engineSize = new QComboBox(this);
    m_engineSize->addItem(tr("as this computer allows"), QStringLiteral("auto"));
    m_engineSize->addItem(tr("small"), QStringLiteral("small"));
    m_engineSize->addItem(tr("medium"), QStringLiteral("medium"));
    m_engineSize->addItem(tr("large"), QStringLiteral("large"));
    m_engineSize->setCurrentIndex(qMax(0, m_engineSize->findData(engineSize)));
    m_count = new QLabel(this);
    setKind(m_count, "secondary");
    connect(m_rounds, &QSpinBox::valueChanged, this, &PlanDialog::updateCount);
}

void PlanDialog::setupLayout()
{
    auto *form = new QFormLayout(this);
    form->addRow(tr("&Rounds"), m_rounds);
    form->addRow(QString(), m_count);
    form->addRow(tr("&Shared prefix (tokens)"), m_sharedTokens);
    form->addRow(tr("&max_tokens"), m_maxTokens);
    form->addRow(tr("Se&ed of the order"), m_seed);
    form->addRow(tr("NO CACHE is made &cold by"), m_cold);
    form->addRow(tr("&Practice engine"), m_engineSize);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    buttons->button(QDialogButtonBox::Ok)->setText(tr("Use this plan"));
    buttons->button(QDialogButtonBox::Cancel)->setText(tr("Cancel"));
    form->addRow(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

void PlanDialog::updateCount()
{
    m_count->setText(tr("%n sample(s) in all", nullptr, m_rounds->value() * int(m_plan.arms.size())));
}

QString PlanDialog::engineSize() const
{
    return m_engineSize->currentData().toString();
}

experiment::ExperimentPlan PlanDialog::plan() const
{
    experiment::ExperimentPlan plan = m_plan;
    plan.rounds = m_rounds->value();
    plan.shared_tokens = m_sharedTokens->value();
    plan.max_tokens = m_maxTokens->value();
    plan.seed = quint32(m_seed->value());
    plan.cold = ColdMethod(m_cold->currentData().toInt());
    return plan;
}

} // namespace kvlab::ui
