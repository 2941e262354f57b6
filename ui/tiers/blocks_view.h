// SPDX-License-Identifier: GPL-3.0-or-later
// The Blocks page: a prompt as a strip of blocks, the pool as a grid, the free queue in words; a scenario is stepped
// through forwards and backwards. What is shown follows from vLLM's published rules and says so; for a prompt of a run
// the number of tokens found is the server's own report, and only the borders between blocks are assumed.
#pragma once

#include "experiment/experiment_result.h"
#include "prefix/trace_book.h"
#include "ui/tiers/trace_panel.h"

#include <QWidget>

#include <optional>

class QLabel;
class QStackedWidget;
class QTableView;
class QToolButton;

namespace kvlab::ui {

class BlockCells;
class BlockLegend;
class BlockModel;
class ElidingLabel;
class QueueBar;

class BlocksView : public QWidget
{
    Q_OBJECT
public:
    explicit BlocksView(QWidget *parent = nullptr);
    ~BlocksView() override;

    void showScenario(int scenario);
    /// Offers the run's last sample that found something (else its last sample) as one more scenario; without samples
    /// that tell what was found, none.
    void setRun(const experiment::RunResult &run);
    bool showsRun() const { return m_shown == m_scripts.size(); }
    int step() const;

    BlockCells *strip() const { return m_strip; }
    BlockCells *grid() const { return m_grid; }
    TracePanel *panel() const { return m_panel; }
    BlockModel *model() const { return m_model; }
    QString readOut() const; ///< about the block under pointer or cursor

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    /// What one sample told.
    struct Reported
    {
        QString title;
        int prompt_tokens = 0;
        int cached_tokens = 0;
        int block_size = 16;
    };

    void setupWidgets();
    void setupLayout();
    QWidget *createPoolPage();
    void loadScripts();
    void play(); ///< the chosen scenario with the chosen pool
    void showStep();
    void showPool(const prefix::PoolState &state);
    void showPrompt(const prefix::PoolState &state);
    void showReported();
    void fillScenarios();
    void retranslate();
    void restyle();

    prefix::Tokenizer m_tokenizer;
    std::vector<prefix::TraceScript> m_scripts;
    std::size_t m_shown = 0; ///< m_scripts.size() = the run's prompt
    std::optional<prefix::TracePlayer> m_player;
    prefix::PoolState m_state;
    std::optional<Reported> m_reported;

    TracePanel *m_panel;
    QWidget *m_page; ///< everything, in a scroll area
    ElidingLabel *m_promptTitle;
    QLabel *m_promptFigures;
    BlockCells *m_strip;
    QLabel *m_note;
    QStackedWidget *m_pages;
    QLabel *m_poolTitle;
    QLabel *m_poolFigures;
    QToolButton *m_tableButton;
    QStackedWidget *m_poolPages;
    BlockCells *m_grid;
    QTableView *m_table;
    BlockModel *m_model;
    BlockLegend *m_legend;
    QLabel *m_numbers;
    QLabel *m_queueTitle;
    ElidingLabel *m_queueOrder;
    QLabel *m_queueNext;
    QueueBar *m_queue;
    QLabel *m_noPool;
    BlockLegend *m_reportedLegend;
    QLabel *m_source;
    ElidingLabel *m_readOut;
};

} // namespace kvlab::ui
