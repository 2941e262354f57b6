// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/timeline_view.h"

#include "ui/measure/timeline_texts.h"
#include "ui/measure/timeline_track.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/eliding_label.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/text_color.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace kvlab::ui {

TimelineView::TimelineView(const SampleModel *model, QWidget *parent)
    : QWidget(parent)
    , m_model(model)
    , m_title(new ElidingLabel({}, this))
    , m_median(new ElidingLabel({}, this))
    , m_earlier(new QToolButton(this))
    , m_later(new QToolButton(this))
    , m_reasonRow(new QWidget(this))
    , m_reasonIcon(new QLabel(m_reasonRow))
    , m_reason(new QLabel(m_reasonRow))
    , m_scroll(new QScrollArea(this))
    , m_track(new TimelineTrack)
    , m_readOut(new QLabel(this))
{
    setupLayout();
    connectModel();
    retranslate();
    restyle();
}

void TimelineView::setupLayout()
{
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setWidget(m_track);
    m_readOut->setWordWrap(true);
    m_readOut->setTextFormat(Qt::PlainText);
    m_reason->setWordWrap(true);
    m_reason->setTextFormat(Qt::PlainText);
    m_title->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    m_median->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    for (QToolButton *button : {m_earlier, m_later})
        button->setAutoRaise(true);

    auto *head = new QHBoxLayout;
    head->setContentsMargins(12, 4, 12, 0);
    head->setSpacing(12);
    head->addWidget(m_title);
    head->addWidget(m_median, 1);
    head->addWidget(m_earlier);
    head->addWidget(m_later);
    auto *reason = new QHBoxLayout(m_reasonRow);
    reason->setContentsMargins(12, 0, 12, 0);
    reason->setSpacing(6);
    reason->addWidget(m_reasonIcon, 0, Qt::AlignTop);
    reason->addWidget(m_reason, 1);
    auto *readOut = new QHBoxLayout;
    readOut->setContentsMargins(12, 2, 12, 6);
    readOut->addWidget(m_readOut);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(head);
    column->addWidget(m_reasonRow);
    column->addWidget(m_scroll, 1);
    column->addLayout(readOut);
    connect(m_earlier, &QToolButton::clicked, this, [this] { step(-1); });
    connect(m_later, &QToolButton::clicked, this, [this] { step(+1); });
    connect(m_track, &TimelineTrack::otherSampleAsked, this, &TimelineView::step);
    connect(m_track, &TimelineTrack::cursorMoved, this, &TimelineView::updateReadOut);
}

void TimelineView::connectModel()
{
    connect(m_model, &QAbstractItemModel::modelReset, this, [this] {
        m_number = 0;
        update();
    });
    connect(m_model, &QAbstractItemModel::rowsInserted, this, &TimelineView::update);
}

void TimelineView::showSample(int number)
{
    m_number = number;
    update();
}

const experiment::MeasuredSample *TimelineView::sample() const
{
    const QList<experiment::MeasuredSample> &samples = m_model->samples();
    if (samples.isEmpty())
        return nullptr;
    const auto found = std::find_if(samples.begin(), samples.end(),
        [this](const experiment::MeasuredSample &one) { return one.number == m_number; });
    return found == samples.end() ? &samples.last() : &*found;
}

int TimelineView::shownNumber() const
{
    const experiment::MeasuredSample *shown = sample();
    return shown == nullptr ? 0 : shown->number;
}

QString TimelineView::readOut() const
{
    return m_readOut->text();
}

QString TimelineView::reason() const
{
    return m_reasonRow->isHidden() ? QString() : m_reason->text();
}

void TimelineView::step(int direction)
{
    const QList<experiment::MeasuredSample> &samples = m_model->samples();
    const experiment::MeasuredSample *shown = sample();
    if (shown == nullptr)
        return;
    const qsizetype place = (shown - samples.constData()) + direction;
    if (place < 0 || place >= samples.size())
        return;
    showSample(samples.at(place).number);
    Q_EMIT sampleChosen(m_number);
}

void TimelineView::update()
{
    // While a run is going on, a tab that nobody sees costs nothing.
    if (!isVisible())
        return;
    const experiment::MeasuredSample *shown = sample();
    m_earlier->setEnabled(shown != nullptr && shown != &m_model->samples().first());
    m_later->setEnabled(shown != nullptr && shown != &m_model->samples().last());
    if (shown == nullptr) {
        m_title->setFullText(tr("No request yet."));
        m_median->setFullText({});
        m_reasonRow->hide();
        m_track->clear();
        updateReadOut();
        return;
    }
    m_title->setFullText(
        tr("Sample %1 · %2 · %3", "number, arm, verdict")
            .arg(QLocale().toString(shown->number),
                QStringLiteral("%1 %2").arg(experiment::armTitle(shown->arm), armGloss(shown->arm)).trimmed(),
                sampleStateText(*shown)));
    const QString reason = reasonSentence(*shown);
    const bool failed = sampleState(*shown) == SampleState::failed;
    const QColor colour = failed || sampleState(*shown) == SampleState::contradicted ? tokens().bad : tokens().warn;
    m_reason->setText(reason);
    setTextColor(m_reason, colour);
    m_reasonIcon->setPixmap(icon(failed ? QStringLiteral("cross-circle") : QStringLiteral("warning"), colour)
                                .pixmap(QSize(16, 16), devicePixelRatioF()));
    m_reasonRow->setVisible(!reason.isEmpty());
    const MedianTrack median = medianTrack(m_model->samples(), shown->arm);
    m_median->setFullText(medianSentence(median, shown->arm));
    m_track->show(*shown, median);
    updateReadOut();
}

void TimelineView::updateReadOut()
{
    const experiment::MeasuredSample *shown = sample();
    QString text;
    if (shown != nullptr && m_track->cursor() >= 0)
        text = markSentence(*shown, m_track->marks().at(m_track->cursor()));
    else if (shown != nullptr && m_track->marks().isEmpty())
        text = tr("Nothing of this request could be timed.");
    else if (shown != nullptr)
        text = tr("Left and Right go over the marks, Up and Down to other samples. t0 is the first request byte.");
    m_readOut->setText(text);
}

void TimelineView::retranslate()
{
    m_track->setAccessibleName(tr("Timeline of one request"));
    m_earlier->setToolTip(tr("The sample before (Down)"));
    m_earlier->setAccessibleName(tr("Sample before"));
    m_later->setToolTip(tr("The next sample (Up)"));
    m_later->setAccessibleName(tr("Next sample"));
    update();
}

void TimelineView::restyle()
{
    m_title->setFont(titleFont());
    m_median->setFont(secondaryFont());
    setTextColor(m_median, tokens().text2);
    m_reason->setFont(secondaryFont());
    m_readOut->setFont(secondaryFont());
    m_earlier->setIcon(icon(QStringLiteral("left")));
    m_later->setIcon(icon(QStringLiteral("right")));
    m_track->refresh();
    update();
}

void TimelineView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    update();
}

} // namespace kvlab::ui
