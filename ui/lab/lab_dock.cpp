// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/lab_dock.h"

#include "i18n/language.h"
#include "ui/lab/class_timer.h"
#include "ui/lab/lab_texts.h"
#include "ui/lab/step_card.h"
#include "ui/lab/step_row.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/eliding_label.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/message_bar.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QScrollArea>
#include <QTimer>
#include <QToolButton>

namespace kvlab::ui {

LabDock::LabDock(QWidget *parent)
    : QDockWidget(parent)
{
    setObjectName(QStringLiteral("labDock"));
    setAllowedAreas(Qt::LeftDockWidgetArea | Qt::RightDockWidgetArea);
    setupTitle();
    setupContent();
    connectCard();
    setLab(lab::builtInLab());
    retranslate();
}

void LabDock::setupTitle()
{
    m_titleBar = new QWidget(this);
    m_title = new ElidingLabel({}, m_titleBar);
    m_float = new QToolButton(m_titleBar);
    m_float->setIcon(icon(QStringLiteral("float")));
    m_close = new QToolButton(m_titleBar);
    m_close->setIcon(icon(QStringLiteral("close")));
    auto *row = new QHBoxLayout(m_titleBar);
    row->setContentsMargins(12, 4, 8, 4);
    row->setSpacing(4);
    row->addWidget(m_title, 1);
    for (QToolButton *button : {m_float, m_close}) {
        button->setAutoRaise(true);
        row->addWidget(button);
    }
    setTitleBarWidget(m_titleBar);
    connect(m_float, &QToolButton::clicked, this, [this] { setFloating(!isFloating()); });
    connect(m_close, &QToolButton::clicked, this, &QDockWidget::close);
}

void LabDock::setupContent()
{
    auto *content = new QWidget(this);
    m_parts = new QComboBox(content);
    m_parts->setObjectName(QStringLiteral("labParts"));
    m_parts->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_parts->setMinimumContentsLength(10);
    m_progress = new QLabel(content);
    m_progress->setObjectName(QStringLiteral("labProgress"));
    setKind(m_progress, "secondary");
    m_note = new MessageBar(content);
    auto *steps = new QWidget;
    m_column = new QVBoxLayout(steps);
    m_column->setContentsMargins(8, 0, 8, 8);
    m_column->setSpacing(2);
    m_card = new StepCard(steps);
    m_column->addWidget(m_card);
    m_column->addStretch();
    m_area = new QScrollArea(content);
    m_area->setWidget(steps);
    m_area->setWidgetResizable(true);
    m_area->setFrameShape(QFrame::NoFrame);
    m_area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_area->setFocusPolicy(Qt::NoFocus);
    auto *head = new QVBoxLayout;
    head->setContentsMargins(12, 0, 12, 8);
    head->setSpacing(4);
    head->addWidget(m_parts);
    head->addWidget(m_progress);
    head->addWidget(m_note);
    auto *column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(head);
    column->addWidget(m_area, 1);
    column->addWidget(createFooter());
    setWidget(content);
}

QWidget *LabDock::createFooter()
{
    auto *footer = new QWidget(this);
    m_show = new QPushButton(footer);
    m_show->setObjectName(QStringLiteral("labShowMe"));
    m_show->setIcon(icon(QStringLiteral("target")));
    m_show->setAutoDefault(true);
    m_timer = new ClassTimer(footer);
    auto *row = new QHBoxLayout(footer);
    row->setContentsMargins(12, 6, 12, 8);
    row->addWidget(m_show);
    row->addStretch();
    row->addWidget(m_timer);
    connect(m_show, &QPushButton::clicked, this, [this] {
        if (const lab::Step *step = m_lab.step(m_state.current))
            Q_EMIT showRequested(step->show);
    });
    return footer;
}

void LabDock::connectCard()
{
    connect(m_card, &StepCard::answered, this, &LabDock::answer);
    connect(m_card, &StepCard::continued, this, [this] {
        if (lab::stepStatus(m_lab, m_state, m_state.current) == lab::StepStatus::open) {
            m_state.steps[m_state.current].read = true;
            settle(false);
        }
        openNext();
    });
    connect(m_card, &StepCard::hintWanted, this, [this] {
        ++m_state.steps[m_state.current].hints;
        refresh();
        scrollToCard();
        Q_EMIT stateChanged();
    });
    connect(m_card, &StepCard::recordingWanted, this, &LabDock::takeRecording);
    connect(m_parts, &QComboBox::activated, this, [this](int index) {
        const lab::Part &part = m_lab.parts.at(index);
        QString id = part.steps.first().id;
        for (const lab::Step &step : part.steps) {
            if (lab::stepStatus(m_lab, m_state, step.id) == lab::StepStatus::open) {
                id = step.id;
                break;
            }
        }
        openStep(id);
        m_card->focusInput();
    });
}

void LabDock::setLab(const lab::Lab &lab)
{
    m_lab = lab;
    m_state = {};
    m_shownPart.clear();
    refreshParts();
    if (isVisible())
        begin();
    refresh();
}

void LabDock::setState(const lab::LabState &state)
{
    const bool ours = state.isEmpty() || state.lab_id == m_lab.id;
    m_state = ours ? state : lab::LabState();
    m_foreign = ours ? lab::LabState() : state;
    if (isVisible())
        begin();
    refresh();
}

const lab::LabState &LabDock::state() const
{
    const bool begun = lab::progressOf(m_lab, m_state).done > 0;
    return m_foreign.isEmpty() || begun ? m_state : m_foreign;
}

void LabDock::setFacts(const lab::LabFacts &facts)
{
    m_facts = facts;
    // A step must not tick itself off behind a closed dock.
    if (isVisible())
        settle(focusWidget() && isAncestorOf(focusWidget()));
}

void LabDock::noteEvent(const QString &name)
{
    if (!isVisible() || m_state.events.contains(name))
        return;
    m_state.events << name;
    settle(false);
}

QString LabDock::heldBack() const
{
    if (!isVisible())
        return {};
    const lab::Step *step = lab::measureHeldBy(m_lab, m_state);
    return step ? tr("First predict: the guided lab asks in “%1”.").arg(step->title.in(i18n::currentLanguage()))
                : QString();
}

void LabDock::skipStep()
{
    if (!lab::skipCurrent(m_lab, m_state))
        return;
    Q_EMIT stateChanged();
    openNext();
}

void LabDock::resetStep()
{
    lab::resetCurrent(m_state);
    m_card->forget();
    refresh();
    Q_EMIT stateChanged();
}

void LabDock::setTimerShown(bool shown)
{
    if (shown)
        m_timer->start(m_lab.minutes);
    else
        m_timer->stop();
}

void LabDock::focusStep()
{
    scrollToCard();
    m_card->focusInput();
}

/// The first step when nothing is in hand.
void LabDock::begin()
{
    if (!m_lab.step(m_state.current))
        lab::open(m_lab, m_state, lab::nextOpen(m_lab, m_state, {}), QDateTime::currentDateTime());
}

void LabDock::openStep(const QString &id)
{
    lab::open(m_lab, m_state, id, QDateTime::currentDateTime());
    refresh();
    scrollToCard();
    Q_EMIT stateChanged();
}

void LabDock::openNext()
{
    const QString next = lab::nextOpen(m_lab, m_state, m_state.current);
    if (next.isEmpty())
        refresh();
    else
        openStep(next);
    m_card->focusInput();
}

void LabDock::answer(const QString &text)
{
    const lab::Answer given = lab::answerCurrent(m_lab, m_state, text, m_facts);
    const lab::Step *step = m_lab.step(m_state.current);
    settle(given.counts());
    Q_EMIT stateChanged();
    // A prediction has nothing to explain yet: what counts is the next step.
    if (given.counts() && step && step->kind == lab::StepKind::predict)
        openNext();
    else if (!given.counts())
        m_card->focusInput();
    scrollToCard();
}

void LabDock::takeRecording()
{
    const lab::Step *step = m_lab.step(m_state.current);
    if (!step)
        return;
    m_state.steps[step->id].uses_recording = true;
    Q_EMIT recordingRequested(step->recorded);
    settle(true);
}

/// Ticks the step off when its condition holds now.
void LabDock::settle(bool focus)
{
    const bool done = lab::advance(m_lab, m_state, m_facts, QDateTime::currentDateTime());
    refresh();
    if (!done)
        return;
    if (focus)
        m_card->focusInput();
    scrollToCard();
    Q_EMIT stateChanged();
}

void LabDock::refresh()
{
    refreshRows();
    m_card->showStep(m_lab, m_state, m_facts);
    refreshNote();
    const lab::Step *step = m_lab.step(m_state.current);
    m_show->setEnabled(step && !step->show.isEmpty());
    const lab::Count count = lab::progressOf(m_lab, m_state);
    m_progress->setText(tr("%1 of %2 steps done").arg(QLocale().toString(count.done), QLocale().toString(count.all)));
    if (const bool held = !heldBack().isEmpty(); held != m_held) {
        m_held = held;
        Q_EMIT holdChanged();
    }
}

void LabDock::refreshParts()
{
    const QSignalBlocker blocker(m_parts);
    m_parts->clear();
    for (const lab::Part &part : m_lab.parts)
        m_parts->addItem(part.title.in(i18n::currentLanguage()), part.id);
}

/// The rows of the part in hand, and the card below the current one.
void LabDock::refreshRows()
{
    const lab::Part *part = m_lab.partOf(m_state.current);
    if (!part && !m_lab.parts.isEmpty())
        part = &m_lab.parts.first();
    if (!part)
        return;
    if (m_shownPart != part->id) {
        m_shownPart = part->id;
        for (StepRow *row : std::exchange(m_rows, {})) {
            m_column->removeWidget(row);
            row->hide();
            row->deleteLater();
        }
        for (qsizetype i = 0; i < part->steps.size(); ++i) {
            auto *row = new StepRow(m_area->widget());
            row->setObjectName(QStringLiteral("step-") + part->steps.at(i).id);
            connect(row, &StepRow::clicked, this, [this, id = part->steps.at(i).id] {
                openStep(id);
                m_card->focusInput();
            });
            m_column->insertWidget(int(i), row);
            m_rows << row;
        }
    }
    const qsizetype index = part - m_lab.parts.constData();
    m_parts->setCurrentIndex(int(index));
    //: %1 number of the part, %2 how many there are
    m_title->setFullText(
        tr("Lab · Part %1 of %2").arg(QLocale().toString(index + 1), QLocale().toString(m_lab.parts.size())));
    int current = -1;
    for (qsizetype i = 0; i < m_rows.size(); ++i) {
        const lab::Step &step = part->steps.at(i);
        const bool here = step.id == m_state.current;
        current = here ? int(i) : current;
        m_rows.at(i)->setContent({int(i) + 1, step.title.in(i18n::currentLanguage()), LabTexts::kind(step.kind),
            LabTexts::detail(m_lab, m_state, step), lab::stepStatus(m_lab, m_state, step.id), here});
    }
    if (m_column->indexOf(m_card) != current + 1) {
        m_column->removeWidget(m_card);
        m_column->insertWidget(current + 1, m_card);
        // The Tab key follows the order on screen.
        if (current >= 0)
            setTabOrder(m_rows.at(current), m_card);
    }
}

void LabDock::refreshNote()
{
    const bool foreign = !m_foreign.isEmpty();
    const lab::Count count = lab::progressOf(m_lab, m_state);
    const bool finished = count.all > 0 && count.done == count.all;
    if (foreign) {
        const QString text = tr("The answers in this session belong to the lab “%1”. Open its file to see them; once "
                                "you work on this lab, they are replaced when you save.")
                                 .arg(m_foreign.lab_id);
        if (m_note->text() != text || !m_note->isVisibleTo(this))
            m_note->showMessage(MessageKind::warning, text);
    } else if (finished) {
        const QString text = tr("All steps are done. Save the session to keep your answers.");
        if (m_note->text() != text)
            m_note->showMessage(MessageKind::info, text);
    } else {
        m_note->hide();
    }
}

void LabDock::scrollToCard()
{
    // Once the layout has given the card its place.
    QTimer::singleShot(0, m_card, [this] {
        m_area->widget()->layout()->activate();
        m_area->ensureWidgetVisible(m_card, 0, 8);
    });
}

void LabDock::retranslate()
{
    setWindowTitle(tr("Guided lab"));
    if (m_title->font() != titleFont())
        m_title->setFont(titleFont());
    m_float->setToolTip(tr("Take the lab out of the window, or put it back"));
    m_float->setAccessibleName(m_float->toolTip());
    m_close->setToolTip(tr("Close the lab (Ctrl+L opens it again where you left it)"));
    m_close->setAccessibleName(m_close->toolTip());
    m_parts->setAccessibleName(tr("Part of the lab"));
    m_show->setText(tr("Show me"));
    m_show->setToolTip(tr("Frames the control that this step is about and puts the focus there"));
    widget()->setMinimumWidth(
        QFontMetrics(bodyFont()).averageCharWidth() * (i18n::currentLanguage() == QLatin1String("zh") ? 26 : 28));
    refreshParts();
    refresh();
}

void LabDock::changeEvent(QEvent *event)
{
    QDockWidget::changeEvent(event);
    if (m_timer && event->type() == QEvent::LanguageChange)
        retranslate();
    // While the style changes no widget may go: Qt holds a list of all of them.
    if (m_timer && event->type() == QEvent::StyleChange && m_title->font() != titleFont())
        m_title->setFont(titleFont());
}

void LabDock::showEvent(QShowEvent *event)
{
    QDockWidget::showEvent(event);
    begin();
    settle(false);
}

void LabDock::hideEvent(QHideEvent *event)
{
    QDockWidget::hideEvent(event);
    refresh();
}

} // namespace kvlab::ui
