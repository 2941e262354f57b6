// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tiers/blocks_view.h"

#include "i18n/language.h"
#include "ui/tiers/block_cells.h"
#include "ui/tiers/block_model.h"
#include "ui/tiers/block_texts.h"
#include "ui/tiers/queue_bar.h"
#include "ui/tiers/step_list.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/eliding_label.h"
#include "ui/widgets/text_color.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLocale>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace kvlab::ui {

BlocksView::BlocksView(QWidget *parent)
    : QWidget(parent)
{
    setupWidgets();
    setupLayout();
    loadScripts();
    restyle();
    retranslate();
    showScenario(0);
}

BlocksView::~BlocksView() = default;

void BlocksView::setupWidgets()
{
    m_panel = new TracePanel(this);
    m_promptTitle = new ElidingLabel({}, this);
    m_promptTitle->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    m_promptFigures = new QLabel(this);
    setFocusProxy(m_panel->list());
    m_strip = new BlockCells(BlockCells::Shape::strip, this);
    m_note = new QLabel(this);
    m_note->setWordWrap(true);
    m_noPool = new QLabel(this);
    m_noPool->setWordWrap(true);
    m_noPool->setAlignment(Qt::AlignTop);
    m_source = new QLabel(this);
    m_readOut = new ElidingLabel({}, this);
    m_readOut->setObjectName(QStringLiteral("blockReadOut"));
    connect(m_panel, &TracePanel::scenarioChosen, this, &BlocksView::showScenario);
    connect(m_panel, &TracePanel::stepChosen, this, &BlocksView::showStep);
    connect(m_panel, &TracePanel::poolChanged, this, &BlocksView::play);
}

QWidget *BlocksView::createPoolPage()
{
    auto *page = new QWidget(this);
    m_poolTitle = new QLabel(page);
    m_poolFigures = new QLabel(page);
    m_tableButton = new QToolButton(page);
    m_tableButton->setObjectName(QStringLiteral("blockTableButton"));
    m_tableButton->setCheckable(true);
    m_grid = new BlockCells(BlockCells::Shape::grid, page);
    m_model = new BlockModel(m_tokenizer, this);
    m_table = new QTableView(page);
    m_table->setModel(m_model);
    m_table->setShowGrid(false);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setTabKeyNavigation(false);
    m_table->setWordWrap(false);
    m_table->verticalHeader()->hide();
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_poolPages = new QStackedWidget(page);
    m_poolPages->addWidget(m_grid);
    m_poolPages->addWidget(m_table);
    m_legend = new BlockLegend(page);
    m_numbers = new QLabel(page);
    m_queueTitle = new QLabel(page);
    m_queueOrder = new ElidingLabel({}, page);
    m_queueNext = new QLabel(page);
    m_queue = new QueueBar(page);

    auto *head = new QHBoxLayout;
    head->addWidget(m_poolTitle);
    head->addStretch();
    head->addWidget(m_poolFigures);
    head->addWidget(m_tableButton);
    auto *legend = new QHBoxLayout;
    legend->addWidget(m_legend, 1);
    legend->addWidget(m_numbers, 0, Qt::AlignTop);
    auto *queueHead = new QHBoxLayout;
    queueHead->addWidget(m_queueTitle);
    queueHead->addWidget(m_queueOrder, 1);
    queueHead->addWidget(m_queueNext);
    auto *column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addLayout(head);
    column->addWidget(m_poolPages, 1);
    column->addLayout(legend);
    column->addLayout(queueHead);
    column->addWidget(m_queue);
    connect(m_tableButton, &QToolButton::toggled, this,
        [this](bool table) { m_poolPages->setCurrentIndex(table ? 1 : 0); });
    const auto read = [this](int, const QString &text) { m_readOut->setFullText(text); };
    connect(m_grid, &BlockCells::pointed, this, read);
    connect(m_strip, &BlockCells::pointed, this, read);
    return page;
}

void BlocksView::setupLayout()
{
    m_pages = new QStackedWidget(this);
    m_pages->addWidget(createPoolPage());
    auto *noPool = new QWidget(this);
    auto *noPoolColumn = new QVBoxLayout(noPool);
    noPoolColumn->setContentsMargins(0, 0, 0, 0);
    noPoolColumn->setSpacing(12);
    m_reportedLegend = new BlockLegend(noPool);
    m_reportedLegend->setLooks({BlockLook::found, BlockLook::computed}, false);
    noPoolColumn->addWidget(m_reportedLegend);
    noPoolColumn->addWidget(m_noPool, 1);
    m_pages->addWidget(noPool);
    auto *promptHead = new QHBoxLayout;
    promptHead->addWidget(m_promptTitle, 1);
    promptHead->addWidget(m_promptFigures);
    auto *right = new QWidget(this);
    right->setBackgroundRole(QPalette::Base);
    right->setAutoFillBackground(true);
    auto *column = new QVBoxLayout(right);
    column->setContentsMargins(16, 10, 16, 8);
    column->setSpacing(6);
    column->addLayout(promptHead);
    column->addWidget(m_strip);
    column->addWidget(m_note);
    column->addWidget(m_pages, 1);
    auto *foot = new QHBoxLayout;
    foot->setContentsMargins(12, 4, 12, 4);
    foot->setSpacing(16);
    foot->addWidget(m_source);
    foot->addWidget(m_readOut, 1);
    m_page = new QWidget(this);
    m_page->installEventFilter(this);
    auto *row = new QHBoxLayout(m_page);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(m_panel);
    row->addWidget(right, 1);
    // A tab must not force the window to be larger; what does not fit is scrolled to.
    auto *scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidgetResizable(true);
    scroll->setWidget(m_page);
    auto *whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->setSpacing(0);
    whole->addWidget(scroll, 1);
    whole->addLayout(foot);
}

void BlocksView::loadScripts()
{
    const bool run = m_shown > 0 && showsRun();
    m_scripts = prefix::builtInTraces(i18n::currentLanguage(), m_tokenizer);
    if (run)
        m_shown = m_scripts.size();
    fillScenarios();
}

void BlocksView::fillScenarios()
{
    QStringList titles;
    for (const prefix::TraceScript &script : m_scripts)
        titles << script.title;
    if (m_reported)
        titles << tr("Run shown: %1", "%1 is a sample's arm").arg(m_reported->title);
    m_panel->setScenarios(titles, int(m_shown));
}

void BlocksView::showScenario(int scenario)
{
    m_shown = std::size_t(scenario);
    if (showsRun())
        return showReported();
    const prefix::BlockPool::Options &pool = m_scripts[m_shown].options.pool;
    m_panel->setPool({pool.blocks, pool.block_size, m_panel->pool().order});
    m_panel->setPoolEnabled(true);
    m_panel->setSteps({}, {}, 0);
    m_pages->setCurrentIndex(0);
    fillScenarios();
    play();
}

void BlocksView::play()
{
    if (showsRun())
        return;
    const prefix::TraceScript &script = m_scripts[m_shown];
    prefix::TraceOptions options = script.options;
    const PoolChoice choice = m_panel->pool();
    options.pool.blocks = choice.blocks;
    options.pool.block_size = choice.block_size;
    options.pool.free_order = choice.order;
    QStringList titles;
    for (const prefix::TraceStep &step : script.steps)
        titles << step.title;
    QStringList summaries;
    try {
        m_player.emplace(options, script.steps);
        for (const prefix::StepOutcome &outcome : m_player->outcomes())
            summaries << block_texts::stepSummary(outcome);
    } catch (const std::invalid_argument &) {
        // A request that this pool cannot hold never runs, so the steps that go on with it cannot either.
        m_player.reset();
        for (qsizetype i = 0; i < titles.size(); ++i)
            summaries << QString();
    }
    m_panel->setSteps(titles, summaries, std::max(0, m_panel->step()));
    showStep();
}

int BlocksView::step() const
{
    return std::max(0, m_panel->step());
}

void BlocksView::showStep()
{
    if (showsRun())
        return;
    if (!m_player) {
        m_pages->setCurrentIndex(1);
        m_promptTitle->setFullText(m_scripts[m_shown].title);
        m_promptFigures->clear();
        m_strip->setCells({}, {});
        m_note->clear();
        m_reportedLegend->hide();
        m_noPool->setText(tr("This pool is too small for the scenario: a request that it cannot hold waits for ever. "
                             "Give the pool more blocks, or each block more tokens."));
        return;
    }
    m_pages->setCurrentIndex(0);
    m_state = m_player->stateAfter(step());
    m_readOut->setFullText({});
    showPrompt(m_state);
    showPool(m_state);
}

void BlocksView::showPrompt(const prefix::PoolState &state)
{
    m_note->setText(m_scripts[m_shown].note);
    const int promptStep = state.strip_step.value_or(0);
    const prefix::StepOutcome &outcome = m_player->outcomes()[std::size_t(promptStep)];
    m_promptTitle->setFullText(block_texts::promptTitle(promptStep, outcome, m_player->options().pool.block_size));
    m_promptFigures->setText(block_texts::promptFigures(outcome));
    QList<BlockCell> cells;
    for (const prefix::StripBlock &block : outcome.strip)
        cells.append({lookOf(block.origin), {}, false, false, block.evicted_in.has_value()});
    m_strip->setCells(cells, [this, promptStep](int place) {
        return block_texts::promptBlock(*m_player, m_state, promptStep, place, m_tokenizer);
    });
    m_strip->setAccessibleName(m_promptTitle->fullText() + QStringLiteral(": ") + m_promptFigures->text());
}

void BlocksView::showPool(const prefix::PoolState &state)
{
    const QLocale locale;
    QList<BlockCell> cells;
    QStringList titles;
    for (const prefix::TraceStep &step : m_player->steps())
        titles << step.title;
    for (std::size_t number = 0; number < state.blocks.size(); ++number) {
        const prefix::BlockState &block = state.blocks[number];
        BlockCell cell{lookOf(block, int(number)), {}, block.references > 0, block.queue_place == 1, false};
        if (number == 0)
            cell.number = tr("null", "on the null block");
        else if (block.references > 0)
            cell.number = QString::number(block.references);
        else if (block.queue_place)
            cell.number = QString::number(*block.queue_place);
        cells.append(cell);
    }
    m_grid->setCells(
        cells, [this](int number) { return block_texts::poolBlock(*m_player, m_state, number, m_tokenizer); });
    m_model->setState(state, titles);
    m_poolTitle->setText(tr("Block pool: %1 blocks").arg(locale.toString(int(state.blocks.size()))));
    m_poolFigures->setText(block_texts::poolFigures(state));
    m_grid->setAccessibleName(m_poolTitle->text() + QStringLiteral(": ") + m_poolFigures->text());
    QList<BlockLook> looks{BlockLook::found};
    if (m_player->options().ram_chunks > 0 || m_player->options().disk_chunks > 0)
        looks << BlockLook::ram << BlockLook::disk;
    looks << BlockLook::computed << BlockLook::cached << BlockLook::empty << BlockLook::null_block;
    m_legend->setLooks(looks, true);
    m_queueOrder->setFullText(block_texts::orderSentence(m_player->options().pool.free_order));
    m_queueNext->setText(state.queue.empty() ? tr("no block is free")
                                             : tr("next block taken: %1").arg(locale.toString(state.queue.front())));
    m_queue->setBoxes(block_texts::queueBoxes(*m_player, state), block_texts::queueSentence(*m_player, state));
    m_source->setText(tr("Predicted by vLLM's rules, not measured."));
}

void BlocksView::setRun(const experiment::RunResult &run)
{
    // vLLM's default where the server does not say, or reuses token by token.
    const int told = int(std::clamp<qint64>(run.server.block_size.value_or(16), 1, 4096));
    const int blockSize = told > 1 ? told : 16;
    m_reported.reset();
    for (const experiment::MeasuredSample &sample : run.samples) {
        const auto &seen = sample.probe.evidence;
        if (!seen.prompt_tokens || !seen.cached_tokens || *seen.prompt_tokens <= 0)
            continue;
        if (m_reported && *seen.cached_tokens == 0 && m_reported->cached_tokens > 0)
            continue;
        m_reported
            = Reported{experiment::armTitle(sample.arm), int(*seen.prompt_tokens), int(*seen.cached_tokens), blockSize};
    }
    if (!m_reported && showsRun())
        return showScenario(0);
    fillScenarios();
    if (showsRun())
        showReported();
}

/// The server tells how many tokens it found, not where they lie: no pool is shown.
void BlocksView::showReported()
{
    const QLocale locale;
    const Reported &told = *m_reported;
    const int size = told.block_size;
    const int blocks = (told.prompt_tokens + size - 1) / size;
    const int found = told.cached_tokens / size;
    m_pages->setCurrentIndex(1);
    m_panel->setPoolEnabled(false);
    m_panel->setSteps({told.title},
        {tr("%1 of %2 tokens found").arg(locale.toString(told.cached_tokens), locale.toString(told.prompt_tokens))}, 0);
    m_promptTitle->setFullText(
        tr("Prompt of the last %1 sample: %2 tokens = %3 blocks of %4")
            .arg(told.title, locale.toString(told.prompt_tokens), locale.toString(blocks), locale.toString(size)));
    m_promptFigures->setText(
        tr("%1 found, %2 computed, reported by the server")
            .arg(locale.toString(told.cached_tokens), locale.toString(told.prompt_tokens - told.cached_tokens)));
    QList<BlockCell> cells;
    for (int i = 0; i < blocks; ++i)
        cells.append({i < found ? BlockLook::found : BlockLook::computed, {}, false, false, false});
    m_strip->setCells(cells, [found](int place) {
        return tr("Block %1 of the prompt: %2")
            .arg(QLocale().toString(place + 1), blockWord(place < found ? BlockLook::found : BlockLook::computed));
    });
    m_strip->setAccessibleName(m_promptTitle->fullText() + QStringLiteral(": ") + m_promptFigures->text());
    m_note->clear();
    m_reportedLegend->show();
    m_noPool->setText(tr("The server says how many tokens it found, not which blocks hold them, so there is no pool to "
                         "show here. The other scenarios show one, by the rules."));
    m_source->setText(tr("Tokens found: reported by the server. Borders of the blocks: predicted."));
    m_readOut->setFullText({});
}

QString BlocksView::readOut() const
{
    return m_readOut->fullText();
}

/// From anywhere on the page that has no use for them itself, before the scroll area takes them; in the cells the
/// arrows move the cursor.
bool BlocksView::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const int all = m_panel->list()->model()->rowCount();
    switch (static_cast<QKeyEvent *>(event)->key()) {
    case Qt::Key_Left:
    case Qt::Key_PageUp:
        m_panel->stepBy(-1);
        return true;
    case Qt::Key_Right:
    case Qt::Key_PageDown:
        m_panel->stepBy(1);
        return true;
    case Qt::Key_Home:
        m_panel->stepBy(-all);
        return true;
    case Qt::Key_End:
        m_panel->stepBy(all);
        return true;
    default:
        return QWidget::eventFilter(watched, event);
    }
}

void BlocksView::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        loadScripts();
        retranslate();
        if (showsRun())
            showReported();
        else
            play();
    }
    if (event->type() == QEvent::StyleChange && m_readOut)
        restyle();
}

void BlocksView::retranslate()
{
    m_panel->retranslate();
    m_model->retranslate();
    m_tableButton->setText(tr("Table"));
    m_tableButton->setToolTip(tr("The blocks as a table instead of a picture"));
    m_table->setAccessibleName(tr("Blocks of the pool"));
    m_numbers->setText(tr("bold: reference count · small: place in the free queue"));
    m_queueTitle->setText(tr("Free queue"));
    m_queue->setAccessibleName(tr("Free queue"));
}

void BlocksView::restyle()
{
    m_panel->restyle();
    const QList<QLabel *> titles{m_promptTitle, m_poolTitle, m_queueTitle};
    for (QLabel *label : titles)
        label->setFont(titleFont());
    const QList<QLabel *> quiet{m_note, m_poolFigures, m_numbers, m_queueOrder, m_queueNext, m_readOut};
    for (QLabel *label : quiet) {
        label->setFont(secondaryFont());
        setTextColor(label, tokens().text2);
    }
    m_source->setFont(secondaryFont());
    m_noPool->setFont(bodyFont());
    m_table->verticalHeader()->setDefaultSectionSize(rowHeight(bodyFont()));
    const QFontMetrics metrics(bodyFont());
    m_page->setMinimumSize(metrics.averageCharWidth() * 100, metrics.height() * 25);
    const int widths[] = {8, 26, 10, 18, 24, 12, 12};
    for (int column = 0; column < BlockModel::TextColumn; ++column)
        m_table->setColumnWidth(column, metrics.averageCharWidth() * widths[column]);
}

} // namespace kvlab::ui
