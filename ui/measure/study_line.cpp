// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/study_line.h"

#include "ui/measure_controller.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/eliding_label.h"
#include "ui/widgets/icons.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

namespace kvlab::ui {

using State = MeasureController::State;

StudyLine::StudyLine(MeasureController *controller, QWidget *parent)
    : QWidget(parent)
    , m_controller(controller)
{
    setupLayout();
    connect(m_button, &QPushButton::clicked, this, [this] {
        if (m_ours)
            stop();
        else
            Q_EMIT startRequested();
    });
    connect(m_controller, &MeasureController::engineFailed, this, [this](const QString &text, const QString &details) {
        if (isVisible())
            showMessage(MessageKind::error, text, details);
    });
    connect(m_controller, &MeasureController::stateChanged, this, &StudyLine::update);
    update();
}

StudyLine::~StudyLine()
{
    if (m_ours && m_controller && m_controller->state() == State::running)
        m_controller->release();
}

void StudyLine::setupLayout()
{
    m_button = new QPushButton(this);
    m_button->setObjectName(QStringLiteral("studyButton"));
    m_button->setDefault(true);
    m_bar = new QProgressBar(this);
    m_bar->setTextVisible(false);
    m_bar->setMaximumWidth(200);
    QSizePolicy kept = m_bar->sizePolicy();
    kept.setRetainSizeWhenHidden(true);
    m_bar->setSizePolicy(kept);
    m_status = new ElidingLabel({}, this);
    m_status->setObjectName(QStringLiteral("studyStatus"));
    m_message = new MessageBar(this);
    m_message->hide();
    auto *line = new QHBoxLayout;
    line->addWidget(m_button);
    line->addWidget(m_status, 1);
    line->addWidget(m_bar);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(line);
    column->addWidget(m_message);
}

void StudyLine::setStartText(const QString &text)
{
    m_startText = text;
    update();
}

bool StudyLine::begin(
    const std::function<void(const experiment::ServerTarget &)> &run, const std::function<void()> &stop)
{
    m_message->hide();
    setProgress(0, 0);
    m_ours = m_controller->state() == State::idle;
    return m_ours && m_controller->occupyServer(run, stop);
}

void StudyLine::end()
{
    m_ours = false;
    m_controller->release();
    update();
}

void StudyLine::stop()
{
    if (m_ours)
        m_controller->stop();
}

void StudyLine::setProgress(int done, int total)
{
    m_bar->setRange(0, total);
    m_bar->setValue(done);
}

void StudyLine::setStatus(const QString &text)
{
    m_status->setFullText(text);
}

void StudyLine::showMessage(MessageKind kind, const QString &text, const QString &details)
{
    m_message->showMessage(kind, text, details);
}

void StudyLine::update()
{
    const State state = m_controller->state();
    if (m_ours && state == State::idle) {
        m_ours = false; // the practice engine was stopped, or failed, before it was ready
        setStatus({});
    }
    if (m_ours && state == State::starting_engine)
        setStatus(tr("The practice engine is starting."));
    m_button->setText(m_ours ? tr("Stop") : m_startText);
    m_button->setIcon(m_ours ? icon(QStringLiteral("stop")) : icon(QStringLiteral("play"), tokens().on_accent));
    setKind(m_button, m_ours ? "stop" : "primary");
    m_button->setEnabled(m_ours || state == State::idle);
    m_button->setToolTip(m_button->isEnabled() ? QString() : tr("Another measurement is running; one at a time."));
    m_bar->setVisible(m_ours);
}

void StudyLine::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange)
        update();
    QWidget::changeEvent(event);
}

} // namespace kvlab::ui
