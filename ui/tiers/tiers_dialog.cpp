// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tiers/tiers_dialog.h"

#include "ui/measure_controller.h"
#include "ui/tiers/designs_page.h"
#include "ui/tiers/tenants_page.h"
#include "ui/tiers/tiers_page.h"

#include <QEvent>
#include <QTabWidget>
#include <QVBoxLayout>

namespace kvlab::ui {

TiersDialog::TiersDialog(MeasureController *controller, QWidget *parent)
    : QDialog(parent, Qt::Window)
    , m_controller(controller)
    , m_tabs(new QTabWidget(this))
    , m_tiers(new TiersPage(controller, this))
    , m_designs(new DesignsPage(this))
    , m_tenants(new TenantsPage(controller, this))
{
    m_tabs->setDocumentMode(true);
    for (QWidget *page :
        {static_cast<QWidget *>(m_tiers), static_cast<QWidget *>(m_designs), static_cast<QWidget *>(m_tenants)})
        m_tabs->addTab(page, QString());
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(m_tabs);
    connect(m_designs, &DesignsPage::startRequested, this,
        [this](const QList<servers::TierArm> &arms, const QList<int> &lengths) {
            m_tabs->setCurrentWidget(m_tiers);
            m_tiers->startWith(arms, lengths);
        });
    connect(m_controller, &MeasureController::stateChanged, m_designs,
        [this] { m_designs->setStartEnabled(m_controller->state() == MeasureController::State::idle); });
    m_designs->setStartEnabled(m_controller->state() == MeasureController::State::idle);
    retranslate();
    resize(980, 660);
}

TiersDialog *TiersDialog::open(MeasureController *controller, QWidget *window)
{
    auto *dialog = window->findChild<TiersDialog *>(QString(), Qt::FindDirectChildrenOnly);
    if (dialog == nullptr)
        dialog = new TiersDialog(controller, window);
    dialog->show();
    dialog->raise();
    dialog->activateWindow();
    return dialog;
}

void TiersDialog::done(int result)
{
    m_tiers->stop();
    m_tenants->stop();
    QDialog::done(result);
}

void TiersDialog::retranslate()
{
    setWindowTitle(tr("Tiers: where a prefix is found again"));
    m_tabs->setTabText(0, tr("Arms"));
    m_tabs->setTabText(1, tr("APC against LMCache"));
    m_tabs->setTabText(2, tr("Two tenants"));
}

void TiersDialog::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QDialog::changeEvent(event);
}

} // namespace kvlab::ui
