// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tiers/trace_panel.h"

#include "ui/tiers/step_list.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/text_color.h"

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

namespace kvlab::ui {

namespace {

constexpr int mostPoolBlocks = 4096; ///< more are no longer seen one by one
constexpr int mostBlockSize = 512;

} // namespace

TracePanel::TracePanel(QWidget *parent)
    : QWidget(parent)
    , m_title(new QLabel(this))
    , m_progress(new QLabel(this))
    , m_scenarios(new QComboBox(this))
    , m_steps(new StepList(this))
    , m_blocks(new QSpinBox(this))
    , m_blockSize(new QSpinBox(this))
    , m_order(new QComboBox(this))
    , m_form(new QFormLayout)
    , m_first(new QPushButton(this))
    , m_back(new QPushButton(this))
    , m_next(new QPushButton(this))
    , m_last(new QPushButton(this))
    , m_keys(new QLabel(this))
{
    setupFields();
    setupButtons();
    setupLayout();
    retranslate();
    restyle();
}

void TracePanel::setupFields()
{
    m_scenarios->setObjectName(QStringLiteral("scenarioBox"));
    m_scenarios->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_scenarios->setMinimumContentsLength(12);
    m_blocks->setObjectName(QStringLiteral("poolBlocksBox"));
    m_blocks->setRange(2, mostPoolBlocks);
    m_blocks->setGroupSeparatorShown(true);
    // A pool is built anew for every number on the way otherwise.
    m_blocks->setKeyboardTracking(false);
    m_blockSize->setObjectName(QStringLiteral("blockSizeBox"));
    m_blockSize->setRange(1, mostBlockSize);
    m_blockSize->setKeyboardTracking(false);
    m_order->setObjectName(QStringLiteral("freeOrderBox"));
    m_order->addItem({}, int(prefix::FreeOrder::tail));
    m_order->addItem({}, int(prefix::FreeOrder::unhashed_to_head));
    connect(m_scenarios, &QComboBox::activated, this, &TracePanel::scenarioChosen);
    connect(m_blocks, &QSpinBox::valueChanged, this, &TracePanel::poolChanged);
    connect(m_blockSize, &QSpinBox::valueChanged, this, &TracePanel::poolChanged);
    connect(m_order, &QComboBox::activated, this, &TracePanel::poolChanged);
    connect(m_steps, &StepList::stepChosen, this, [this](int step) {
        updateButtons();
        Q_EMIT stepChosen(step);
    });
}

void TracePanel::setupButtons()
{
    m_first->setObjectName(QStringLiteral("firstStep"));
    m_back->setObjectName(QStringLiteral("previousStep"));
    m_next->setObjectName(QStringLiteral("nextStep"));
    m_last->setObjectName(QStringLiteral("lastStep"));
    connect(m_first, &QPushButton::clicked, this, [this] { stepBy(-int(m_steps->model()->rowCount())); });
    connect(m_back, &QPushButton::clicked, this, [this] { stepBy(-1); });
    connect(m_next, &QPushButton::clicked, this, [this] { stepBy(1); });
    connect(m_last, &QPushButton::clicked, this, [this] { stepBy(int(m_steps->model()->rowCount())); });
}

void TracePanel::setupLayout()
{
    auto *head = new QHBoxLayout;
    head->setContentsMargins(10, 8, 10, 4);
    head->addWidget(m_title);
    head->addStretch();
    head->addWidget(m_progress);
    auto *scenario = new QHBoxLayout;
    scenario->setContentsMargins(10, 0, 10, 8);
    scenario->addWidget(m_scenarios);
    m_form->setContentsMargins(10, 8, 10, 8);
    m_form->setVerticalSpacing(4);
    m_form->addRow(new QLabel(this), m_blocks);
    m_form->addRow(new QLabel(this), m_blockSize);
    m_form->addRow(new QLabel(this), m_order);
    auto *buttons = new QHBoxLayout;
    buttons->setContentsMargins(10, 4, 10, 0);
    buttons->setSpacing(6);
    for (QPushButton *button : {m_first, m_back, m_next, m_last})
        buttons->addWidget(button, button == m_back || button == m_next ? 1 : 0);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 8);
    column->setSpacing(0);
    column->addLayout(head);
    column->addLayout(scenario);
    column->addWidget(m_steps, 1);
    column->addLayout(m_form);
    column->addLayout(buttons);
    column->addWidget(m_keys);
    m_keys->setAlignment(Qt::AlignCenter);
}

void TracePanel::setScenarios(const QStringList &titles, int current)
{
    m_scenarios->clear();
    m_scenarios->addItems(titles);
    m_scenarios->setCurrentIndex(current);
}

void TracePanel::setSteps(const QStringList &titles, const QStringList &summaries, int current)
{
    const QSignalBlocker blocker(m_steps);
    m_steps->setSteps(titles, summaries);
    m_steps->setStep(std::min(current, int(titles.size()) - 1));
    updateButtons();
}

void TracePanel::setPool(const PoolChoice &pool)
{
    const QSignalBlocker blocks(m_blocks);
    const QSignalBlocker size(m_blockSize);
    m_blocks->setValue(pool.blocks);
    m_blockSize->setValue(pool.block_size);
    m_order->setCurrentIndex(m_order->findData(int(pool.order)));
}

void TracePanel::setPoolEnabled(bool enabled)
{
    for (QWidget *widget :
        {static_cast<QWidget *>(m_blocks), static_cast<QWidget *>(m_blockSize), static_cast<QWidget *>(m_order)})
        widget->setEnabled(enabled);
}

PoolChoice TracePanel::pool() const
{
    return {m_blocks->value(), m_blockSize->value(), prefix::FreeOrder(m_order->currentData().toInt())};
}

int TracePanel::step() const
{
    return m_steps->step();
}

void TracePanel::stepBy(int steps)
{
    m_steps->setStep(std::clamp(m_steps->step() + steps, 0, int(m_steps->model()->rowCount()) - 1));
}

void TracePanel::updateButtons()
{
    const int count = m_steps->model()->rowCount();
    const int current = m_steps->step();
    m_first->setEnabled(current > 0);
    m_back->setEnabled(current > 0);
    m_next->setEnabled(current + 1 < count);
    m_last->setEnabled(current + 1 < count);
    m_progress->setText(tr("step %1 of %2").arg(QLocale().toString(current + 1), QLocale().toString(count)));
}

void TracePanel::retranslate()
{
    m_title->setText(tr("Trace"));
    m_scenarios->setAccessibleName(tr("Scenario"));
    m_steps->setAccessibleName(tr("Steps of the scenario"));
    const QStringList labels{tr("Pool"), tr("Block size"), tr("Free order")};
    for (int row = 0; row < labels.size(); ++row) {
        auto *label = qobject_cast<QLabel *>(m_form->itemAt(row, QFormLayout::LabelRole)->widget());
        label->setText(labels.at(row));
        m_form->itemAt(row, QFormLayout::FieldRole)->widget()->setAccessibleName(labels.at(row));
    }
    m_blocks->setSuffix(tr(" blocks", "after a number, with its space"));
    m_blockSize->setSuffix(tr(" tokens", "after a number, with its space"));
    m_order->setItemText(0, tr("2025 (A)"));
    m_order->setItemText(1, tr("2026 (B)"));
    m_order->setToolTip(tr("A: every freed block goes to the tail of the queue, last block first. "
                           "B: freed blocks without a hash go to the head, for nothing is lost with them."));
    m_first->setAccessibleName(tr("First step"));
    m_first->setToolTip(tr("First step (Home)"));
    m_last->setAccessibleName(tr("Last step"));
    m_last->setToolTip(tr("Last step (End)"));
    m_back->setText(tr("Back"));
    m_back->setToolTip(tr("One step back (Left)"));
    m_next->setText(tr("Next"));
    m_next->setToolTip(tr("One step on (Right)"));
    m_keys->setText(tr("Left, Right, Home, End"));
    updateButtons();
}

void TracePanel::restyle()
{
    m_title->setFont(titleFont());
    m_progress->setFont(secondaryFont());
    m_keys->setFont(secondaryFont());
    setTextColor(m_progress, tokens().text2);
    setTextColor(m_keys, tokens().text2);
    setKind(m_next, "primary");
    m_first->setIcon(icon(QStringLiteral("first")));
    m_back->setIcon(icon(QStringLiteral("left")));
    m_next->setIcon(icon(QStringLiteral("right"), tokens().on_accent));
    m_next->setLayoutDirection(Qt::RightToLeft);
    m_last->setIcon(icon(QStringLiteral("last")));
    for (QPushButton *button : {m_first, m_last})
        button->setFixedWidth(QFontMetrics(bodyFont()).height() + 22);
    setFixedWidth(QFontMetrics(bodyFont()).averageCharWidth() * 34 + 20);
}

} // namespace kvlab::ui
