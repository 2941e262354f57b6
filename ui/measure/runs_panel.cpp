// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/runs_panel.h"

#include "session/csv.h"
#include "session/samples_export.h"
#include "ui/measure/compare_chart.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/text_color.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QJsonDocument>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace kvlab::ui {

RunsPanel::RunsPanel(QWidget *parent)
    : QWidget(parent)
    , m_history(new RunHistory(this))
    , m_table(new QTableView(this))
    , m_rename(new QPushButton(this))
    , m_remove(new QPushButton(this))
    , m_bringBack(new QPushButton(this))
    , m_export(new QPushButton(this))
    , m_note(new QLabel(this))
    , m_scroll(new QScrollArea(this))
    , m_titles(new QLabel)
    , m_chart(new CompareChart)
    , m_words(new QLabel)
{
    setupTable();
    setupLayout();
    retranslate();
    restyle();
}

void RunsPanel::setupTable()
{
    m_table->setObjectName(QStringLiteral("runsTable"));
    m_table->setModel(m_history);
    m_table->setShowGrid(false);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    m_table->setTabKeyNavigation(false);
    m_table->setWordWrap(false);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setStretchLastSection(true);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &RunsPanel::updateChoice);
    connect(m_history, &QAbstractItemModel::modelReset, this, [this] {
        fitColumns();
        updateChoice();
    });
    connect(m_history, &QAbstractItemModel::rowsInserted, this, [this] {
        fitColumns();
        updateChoice();
    });
    connect(m_history, &QAbstractItemModel::rowsRemoved, this, &RunsPanel::updateChoice);
    connect(m_history, &QAbstractItemModel::dataChanged, this, &RunsPanel::updateChoice);
}

void RunsPanel::setupLayout()
{
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    auto *buttons = new QHBoxLayout;
    buttons->setContentsMargins(12, 6, 12, 6);
    buttons->setSpacing(8);
    for (QPushButton *button : {m_rename, m_remove, m_bringBack, m_export})
        buttons->addWidget(button);
    buttons->addWidget(m_note, 1);
    m_note->setWordWrap(true);
    auto *page = new QWidget;
    page->setBackgroundRole(QPalette::Base);
    auto *words = new QVBoxLayout(page);
    words->setContentsMargins(12, 6, 12, 6);
    for (QLabel *label : {m_titles, m_words}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    words->addWidget(m_titles);
    words->addWidget(m_chart);
    words->addWidget(m_words);
    words->addStretch();
    m_scroll->setWidget(page);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_table, 2);
    column->addLayout(buttons);
    column->addWidget(m_scroll, 3);
    connect(m_rename, &QPushButton::clicked, this,
        [this] { m_table->edit(m_history->index(chosenRows().first(), RunHistory::NameColumn)); });
    connect(m_remove, &QPushButton::clicked, this, [this] {
        const QList<int> rows = chosenRows();
        for (auto row = rows.crbegin(); row != rows.crend(); ++row)
            m_history->remove(*row);
    });
    connect(m_bringBack, &QPushButton::clicked, this, [this] { m_table->selectRow(m_history->bringBack()); });
    connect(m_export, &QPushButton::clicked, this, &RunsPanel::chooseFileAndExport);
}

QList<int> RunsPanel::chosenRows() const
{
    QList<int> rows;
    for (const QModelIndex &index : m_table->selectionModel()->selectedRows())
        rows.append(index.row());
    std::sort(rows.begin(), rows.end());
    return rows;
}

void RunsPanel::updateChoice()
{
    const QList<int> rows = chosenRows();
    m_rename->setEnabled(rows.size() == 1);
    m_export->setEnabled(rows.size() == 1);
    m_remove->setEnabled(!rows.isEmpty());
    m_bringBack->setEnabled(m_history->canBringBack());
    const bool two = rows.size() == 2;
    if (two) {
        // Newest first in the table: the lower row is the earlier run.
        const session::KeptRun &a = m_history->runAt(rows.last());
        const session::KeptRun &b = m_history->runAt(rows.first());
        m_titles->setText(
            QStringLiteral("%1\n%2").arg(runTitle(QStringLiteral("A"), a), runTitle(QStringLiteral("B"), b)));
        m_chart->show(a.run.summary, b.run.summary);
        m_words->setText(comparisonText(a, b));
        m_chart->setAccessibleDescription(m_words->text());
    } else {
        m_words->clear();
    }
    m_scroll->setVisible(two);
    // Two rows stay in sight above the comparison.
    m_table->setMinimumHeight(
        m_table->horizontalHeader()->sizeHint().height() + 2 * m_table->verticalHeader()->defaultSectionSize() + 2);
    setTextColor(m_note, tokens().text2);
    if (two)
        m_note->clear();
    else if (m_history->rowCount() == 0)
        m_note->setText(tr("No run yet. Every run of this session is kept here and saved with it."));
    else
        m_note->setText(tr("Choose two runs (with Ctrl) to see them on one axis."));
}

QString RunsPanel::comparison() const
{
    return m_scroll->isHidden() ? m_note->text() : m_words->text();
}

std::optional<QString> RunsPanel::exportRun(const QString &path) const
{
    const experiment::RunResult &run = m_history->runAt(chosenRows().first()).run;
    const bool json = QFileInfo(path).suffix().compare(QLatin1String("json"), Qt::CaseInsensitive) == 0;
    return session::writeFileAtomically(
        path, json ? QJsonDocument(session::runToJson(run)).toJson() : session::samplesToCsv(run));
}

void RunsPanel::chooseFileAndExport()
{
    QString path = QFileDialog::getSaveFileName(
        this, tr("Export a run"), QStringLiteral("run.csv"), tr("CSV table (*.csv);;JSON with raw stamps (*.json)"));
    if (path.isEmpty())
        return;
    const std::optional<QString> error = exportRun(path);
    m_note->setText(error.value_or(tr("Written: %1.").arg(QFileInfo(path).fileName())));
    setTextColor(m_note, error ? tokens().bad : tokens().text2);
}

void RunsPanel::fitColumns()
{
    // A hidden column has no width to count with.
    for (const int column : {RunHistory::ServerColumn, RunHistory::PromptColumn})
        m_table->setColumnHidden(column, false);
    m_table->resizeColumnsToContents();
    const int line = QFontMetrics(bodyFont()).height();
    m_table->setColumnWidth(RunHistory::NameColumn, std::max(line * 6, m_table->columnWidth(RunHistory::NameColumn)));
    m_table->setColumnWidth(
        RunHistory::ServerColumn, std::min(line * 12, m_table->columnWidth(RunHistory::ServerColumn)));
    // What is in the comparison too goes away first.
    int room = m_table->viewport()->width();
    for (int column = 0; column < RunHistory::ColumnCount; ++column)
        room -= m_table->columnWidth(column);
    for (const int column : {RunHistory::ServerColumn, RunHistory::PromptColumn}) {
        const int width = m_table->columnWidth(column);
        m_table->setColumnHidden(column, room < 0);
        if (room < 0)
            room += width;
    }
}

void RunsPanel::retranslate()
{
    m_table->setAccessibleName(tr("Runs of this session"));
    m_chart->setAccessibleName(tr("Two runs on one axis"));
    m_rename->setText(tr("Name…"));
    m_rename->setToolTip(tr("Name the chosen run (F2)"));
    m_remove->setText(tr("Remove"));
    m_bringBack->setText(tr("Bring back"));
    m_bringBack->setToolTip(tr("Bring back the run that was removed last"));
    m_export->setText(tr("Export…"));
    m_history->retranslate();
    updateChoice();
}

void RunsPanel::restyle()
{
    const QFont font = bodyFont();
    m_table->setFont(font);
    m_table->verticalHeader()->setDefaultSectionSize(rowHeight(font));
    m_titles->setFont(titleFont());
    m_words->setFont(font);
    m_note->setFont(secondaryFont());
    m_chart->restyle();
    fitColumns();
}

void RunsPanel::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fitColumns();
}

} // namespace kvlab::ui
