// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tiers/designs_page.h"

#include "ui/widgets/appearance.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/text_color.h"

#include <QEvent>
#include <QFrame>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <array>

namespace kvlab::ui {

namespace {

using servers::TierArm;

constexpr int columns = 3;

/// What a row's button starts; none where no arm of this program shows the row.
struct Start
{
    QList<TierArm> arms;
    QList<int> lengths;
};

const QList<Start> &starts()
{
    static const QList<Start> list{
        {{TierArm::pool, TierArm::other}, {3000}}, // scope
        {{TierArm::pool, TierArm::ram}, {250, 300, 600}}, // unit
        {{TierArm::pool, TierArm::ram, TierArm::disk}, {3000}}, // tiers
        {{TierArm::recompute, TierArm::restart}, {3000}},
        {{TierArm::recompute, TierArm::other}, {3000}}, // other instances
        {}, // generated tokens
        {}, // exactness
        {{TierArm::pool, TierArm::ram, TierArm::disk}, {1000, 3000}}, // cost of a hit
        {}, // cost of a miss
        {{TierArm::recompute, TierArm::pool, TierArm::disk}, {250, 500, 1000}}, // when it loses
    };
    return list;
}

} // namespace

DesignsPage::DesignsPage(QWidget *parent)
    : QWidget(parent)
{
    auto *content = new QWidget(this);
    content->setObjectName(QStringLiteral("designs"));
    m_grid = new QGridLayout(content);
    m_grid->setHorizontalSpacing(16);
    m_grid->setVerticalSpacing(6);
    for (int row = 0; row <= int(starts().size()); ++row) {
        QList<QLabel *> cells;
        for (int column = 0; column < columns; ++column)
            cells.append(addCell(2 * row, column, row == 0 || column == 0));
        m_cells.append(cells);
        addLine(2 * row + 1);
        if (row == 0 || starts().at(row - 1).arms.isEmpty())
            continue;
        auto *button = new QPushButton(content);
        button->setObjectName(QStringLiteral("show%1").arg(row));
        button->setIcon(icon(QStringLiteral("play")));
        m_grid->addWidget(button, 2 * row, columns, Qt::AlignVCenter);
        m_buttons.insert(row, button);
        connect(button, &QPushButton::clicked, this,
            [this, row] { Q_EMIT startRequested(starts().at(row - 1).arms, starts().at(row - 1).lengths); });
    }
    m_grid->setColumnStretch(1, 4);
    m_grid->setColumnStretch(2, 5);
    m_note = addCell(2 * int(starts().size()) + 2, 0, false);
    m_grid->addWidget(m_note, 2 * int(starts().size()) + 2, 0, 1, columns + 1);
    setKind(m_note, "secondary");
    m_grid->setRowStretch(2 * int(starts().size()) + 3, 1);
    auto *scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setWidget(content);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(scroll);
    retranslate();
}

QLabel *DesignsPage::addCell(int row, int column, bool strong)
{
    auto *label = new QLabel(m_grid->parentWidget());
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(column > 0 || !strong);
    label->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    if (strong)
        label->setFont(titleFont());
    m_grid->addWidget(label, row, column);
    return label;
}

void DesignsPage::addLine(int row)
{
    auto *line = new QFrame(m_grid->parentWidget());
    line->setFrameShape(QFrame::HLine);
    line->setFrameShadow(QFrame::Plain);
    setTextColor(line, tokens().line);
    m_lines.append(line);
    m_grid->addWidget(line, row, 0, 1, columns + 1);
}

void DesignsPage::setStartEnabled(bool enabled)
{
    for (QPushButton *button : std::as_const(m_buttons))
        button->setEnabled(enabled);
}

void DesignsPage::retranslate()
{
    const std::array<QStringList, 11> texts{
        QStringList{QString(), tr("Automatic prefix caching (vLLM)"), tr("LMCache, with its defaults")},
        {tr("Scope"), tr("One engine: the KV blocks that it has anyway."),
            tr("One engine, all engines of a computer, or a cluster: as far as the store reaches. vLLM asks it only "
               "for what its own blocks lack.")},
        {tr("Unit"), tr("Blocks of 16 tokens. Only whole blocks are found, and at least the last token is computed."),
            tr("Chunks of 256 tokens. An unfull chunk is not stored, so nothing is kept of prompts below 256 tokens.")},
        {tr("Tiers"), tr("The GPU's memory only."),
            tr("RAM, disk, Redis, Mooncake, S3 and more, but not the GPU: its blocks belong to vLLM.")},
        {tr("After a restart"), tr("Everything is lost."),
            tr("Inside vLLM: RAM is lost; on disk the files stay, but their index is lost, so there are no hits. A "
               "separate LMCache server, Redis or S3 still has everything. Here the files are the index.")},
        {tr("Other instances"), tr("No."),
            tr("Through a server, a remote store or from peer to peer. Inside vLLM all processes need the same "
               "PYTHONHASHSEED, or they find nothing of each other.")},
        {tr("Generated tokens"), tr("Kept: the next turn of a chat finds the answer too."),
            tr("Not stored (save_decode_cache is off).")},
        {tr("Exactness"), tr("Exact: the same K and V."),
            tr("Exact. Not so with CacheGen, which compresses with loss, and CacheBlend, which reuses text that is no "
               "prefix.")},
        {tr("Cost of a hit"), tr("Next to nothing: the blocks are where they are needed."),
            tr("A copy: bytes divided by the bandwidth of the tier, and the lookup before it.")},
        {tr("Cost of a miss"), tr("Hashing, below 1 % of the throughput."),
            tr("A lookup, and the copies that store what was computed; inside vLLM they can hold up a step.")},
        {tr("It loses"),
            tr("When K and V outgrow the GPU's memory, after a restart, and when a load balancer sends "
               "the next request elsewhere."),
            tr("When prompts are below 256 tokens or the blocks already hold the prefix, with a small model on a fast "
               "GPU, on a slow tier, and when the bus is busy.")},
    };
    for (std::size_t row = 0; row < texts.size(); ++row) {
        for (int column = 0; column < columns; ++column)
            m_cells.at(int(row)).at(column)->setText(texts.at(row).at(column));
    }
    for (auto it = m_buttons.cbegin(); it != m_buttons.cend(); ++it) {
        it.value()->setText(tr("Show it"));
        it.value()->setAccessibleName(tr("Show it: %1", "%1 is the title of a row").arg(texts.at(it.key()).first()));
        it.value()->setToolTip(tr("Starts the arms that show this row."));
    }
    m_note->setText(tr("After the documentation of vLLM and LMCache, 2026. The practice engine follows the same rules "
                       "for blocks and chunks."));
}

void DesignsPage::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    if (event->type() == QEvent::StyleChange || event->type() == QEvent::FontChange) {
        for (QFrame *line : std::as_const(m_lines))
            setTextColor(line, tokens().line);
        for (const QList<QLabel *> &row : std::as_const(m_cells)) {
            for (QLabel *cell : row) {
                if (row == m_cells.constFirst() || cell == row.constFirst())
                    cell->setFont(titleFont());
            }
        }
    }
    QWidget::changeEvent(event);
}

} // namespace kvlab::ui
