// SPDX-License-Identifier: GPL-3.0-or-later
// Measure → Tiers: the arms over the tiers, automatic prefix caching against LMCache, and two tenants.
#pragma once

#include <QDialog>

class QTabWidget;

namespace kvlab::ui {

class DesignsPage;
class MeasureController;
class TenantsPage;
class TiersPage;

class TiersDialog : public QDialog
{
    Q_OBJECT
public:
    explicit TiersDialog(MeasureController *controller, QWidget *parent = nullptr);

    /// Brings the one of this window to the front.
    static TiersDialog *open(MeasureController *controller, QWidget *window);

    QTabWidget *tabs() const { return m_tabs; }
    TiersPage *tiers() const { return m_tiers; }
    DesignsPage *designs() const { return m_designs; }
    TenantsPage *tenants() const { return m_tenants; }

    void done(int result) override; ///< closing it ends a run that it started

protected:
    void changeEvent(QEvent *event) override;

private:
    void retranslate();

    MeasureController *m_controller;
    QTabWidget *m_tabs;
    TiersPage *m_tiers;
    DesignsPage *m_designs;
    TenantsPage *m_tenants;
};

} // namespace kvlab::ui
