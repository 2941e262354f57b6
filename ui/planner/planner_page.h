// SPDX-License-Identifier: GPL-3.0-or-later
// "What fits my GPU?": settings left, the answer as a bar, four figures and a map right. Everything is computed anew on
// each change; where the settings have no answer the last one stays, greyed.
#pragma once

#include "ui/planner/planner_form.h"

class QLabel;
class QPushButton;
class QScrollArea;

namespace kvlab::ui {

class AnswerCards;
class BudgetBar;
class HeatMap;

class PlannerPage : public QWidget
{
    Q_OBJECT
public:
    explicit PlannerPage(QWidget *parent = nullptr);

    void setModel(const QString &name);
    void setLibrary(const memory::ModelLibrary &library);
    void setLocalDevices(const QList<LocalDevice> &devices);
    void setPlannerSettings(const PlannerSettings &settings);
    const PlannerSettings &plannerSettings() const;
    /// The last answer; nullopt when there has been none.
    const std::optional<PlannerAnswer> &answer() const { return m_answer; }
    bool isStale() const { return m_stale; } ///< the settings in hand have no answer
    QString resultText() const; ///< as "Copy result" copies it

Q_SIGNALS:
    void settingsChanged();
    void addRowRequested(const kvlab::memory::MemoryRow &row);

protected:
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void setupLeft();
    void setupRight();
    void compute();
    void showAnswer();
    void retranslate();
    void updateColors();
    void updateMetrics();

    memory::ModelLibrary m_library;
    PlannerForm *m_form = nullptr;
    QScrollArea *m_leftArea = nullptr;
    QScrollArea *m_rightArea = nullptr;
    QPushButton *m_addButton = nullptr;
    QPushButton *m_copyButton = nullptr;
    QLabel *m_note = nullptr;
    QLabel *m_title = nullptr;
    QLabel *m_engineLine = nullptr;
    BudgetBar *m_bar = nullptr;
    AnswerCards *m_cards = nullptr;
    HeatMap *m_map = nullptr;
    std::optional<PlannerAnswer> m_answer;
    PlannerSettings m_answered; ///< the settings that m_answer is about
    bool m_stale = false;
};

} // namespace kvlab::ui
