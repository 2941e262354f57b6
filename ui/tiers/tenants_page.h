// SPDX-License-Identifier: GPL-3.0-or-later
// Two tenants on one practice engine: the times of the second one's requests without and with salts, side by side.
#pragma once

#include "servers/tenant_run.h"

#include <QPointer>
#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;

namespace kvlab::ui {

class BarRows;
class ElidingLabel;
class MeasureController;
class MessageBar;

class TenantsPage : public QWidget
{
    Q_OBJECT
public:
    explicit TenantsPage(MeasureController *controller, QWidget *parent = nullptr);
    ~TenantsPage() override;

    void setPlan(const servers::TenantPlan &plan) { m_result.plan = plan; }
    void start();
    void stop();
    const servers::TenantResult &result() const { return m_result; }
    void showResult(const servers::TenantResult &result);

Q_SIGNALS:
    void ended();

protected:
    void changeEvent(QEvent *event) override;

private:
    void setupLayout();
    void connectRun();
    void retranslate();
    void updateState();
    void draw();
    QString answerText() const;
    QString trialText(bool salted) const;

    QPointer<MeasureController> m_controller; ///< may go first
    servers::TenantRunner m_runner;
    servers::TenantResult m_result;
    int m_done = 0;
    int m_total = 0;
    QLabel *m_story = nullptr;
    QPushButton *m_start = nullptr;
    QProgressBar *m_bar = nullptr;
    ElidingLabel *m_status = nullptr;
    MessageBar *m_message = nullptr;
    QLabel *m_titles[2] = {}; ///< without and with salts
    BarRows *m_charts[2] = {};
    QLabel *m_trials[2] = {};
    QLabel *m_answer = nullptr;
};

} // namespace kvlab::ui
