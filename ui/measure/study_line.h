// SPDX-License-Identifier: GPL-3.0-or-later
// Start and Stop, progress and messages of a measurement that is not the experiment (handout, sweep, what a server
// keeps). Takes the one place for measuring from MeasureController and gives it back.
#pragma once

#include "ui/widgets/message_bar.h"

#include "experiment/experiment_plan.h"

#include <QPointer>

#include <functional>

class QProgressBar;
class QPushButton;

namespace kvlab::ui {

class ElidingLabel;
class MeasureController;

class StudyLine : public QWidget
{
    Q_OBJECT
public:
    explicit StudyLine(MeasureController *controller, QWidget *parent = nullptr);
    ~StudyLine() override;

    void setStartText(const QString &text);
    /// `run` is called once the server's address is known, `stop` when the user has had enough. False while something
    /// else is measured.
    bool begin(const std::function<void(const experiment::ServerTarget &)> &run, const std::function<void()> &stop);
    void end(); ///< after `run` has come to its end
    bool isRunning() const { return m_ours; }
    void stop();

    void setProgress(int done, int total); ///< total 0 = not known
    void setStatus(const QString &text);
    void showMessage(MessageKind kind, const QString &text, const QString &details = {});

Q_SIGNALS:
    void startRequested();

protected:
    void changeEvent(QEvent *event) override;

private:
    void setupLayout();
    void update();

    QPointer<MeasureController> m_controller; ///< may go first when the window goes
    bool m_ours = false;
    QString m_startText;
    QPushButton *m_button = nullptr;
    QProgressBar *m_bar = nullptr;
    ElidingLabel *m_status = nullptr;
    MessageBar *m_message = nullptr;
};

} // namespace kvlab::ui
