// SPDX-License-Identifier: GPL-3.0-or-later
// The window's pages: bench and planner, one at a time, and how one is chosen.
#include "ui/main_window.h"

#include "servers/this_machine.h"
#include "ui/memory/memory_panel.h"
#include "ui/memory/memory_text.h"
#include "ui/planner/planner_page.h"
#include "ui/widgets/appearance.h"

#include <QAction>
#include <QButtonGroup>
#include <QHBoxLayout>
#include <QJsonDocument>
#include <QMenu>
#include <QSettings>
#include <QStackedWidget>
#include <QToolButton>

namespace kvlab::ui {

namespace {

enum Page { bench_page, planner_page };

} // namespace

PlannerPage *MainWindow::plannerPage()
{
    return m_planner;
}

QWidget *MainWindow::setupPages(QWidget *bench)
{
    m_planner = new PlannerPage(this);
    m_pages = new QStackedWidget(this);
    m_pages->setObjectName(QStringLiteral("pages"));
    m_pages->addWidget(bench);
    m_pages->addWidget(m_planner);
    connect(m_planner, &PlannerPage::addRowRequested, this, [this](const memory::MemoryRow &row) {
        m_memory->addRow(row);
        setStatus([row] {
            return tr("Added to the memory table: %1, seq_len %2, batch %3.")
                .arg(row.model, MemoryText::count(row.seq_len), MemoryText::count(row.batch));
        });
    });
    return m_pages;
}

void MainWindow::setupPageActions(QMenu *view)
{
    addAction(view, "pageBench", QKeySequence(Qt::CTRL | Qt::Key_1), [this] { showPage(bench_page); });
    addAction(view, "pagePlanner", QKeySequence(Qt::CTRL | Qt::Key_2), [this] { showPage(planner_page); });
    view->addSeparator();
}

QWidget *MainWindow::createPageSwitch()
{
    auto *pageSwitch = new QWidget(this);
    auto *row = new QHBoxLayout(pageSwitch);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    m_pageGroup = new QButtonGroup(this);
    for (const auto &[name, page] : {std::pair{"benchButton", bench_page}, std::pair{"plannerButton", planner_page}}) {
        auto *button = new QToolButton(pageSwitch);
        button->setObjectName(QString::fromLatin1(name));
        button->setCheckable(true);
        setKind(button, "segment");
        button->setFocusPolicy(Qt::StrongFocus);
        m_pageGroup->addButton(button, page);
        row->addWidget(button);
    }
    m_pageGroup->button(bench_page)->setChecked(true);
    connect(m_pageGroup, &QButtonGroup::idClicked, this, &MainWindow::showPage);
    return pageSwitch;
}

void MainWindow::showPage(int page)
{
    if (m_pages->currentIndex() != page && page == planner_page)
        openPlanner();
    m_pages->setCurrentIndex(page);
    m_pageGroup->button(page)->setChecked(true);
}

/// With the models of the document, and with the model of the current row when that is another than last time.
void MainWindow::openPlanner()
{
    m_planner->setLibrary(m_memory->library());
    const auto row = m_memory->currentRow();
    if (row && row->model != m_plannedModel) {
        m_plannedModel = row->model;
        m_planner->setModel(row->model);
    }
    if (m_machine)
        return;
    m_machine = new servers::ThisMachine(this);
    connect(m_machine, &servers::ThisMachine::found, this, [this](const QList<servers::MachineDevice> &devices) {
        QList<LocalDevice> local;
        for (const servers::MachineDevice &device : devices) {
            const LocalDevice entry{device.name.isEmpty() ? tr("main memory") : device.name, *device.bytes};
            if (!local.contains(entry)) // several of a kind are one entry
                local << entry;
        }
        m_planner->setLocalDevices(local);
    });
    m_machine->look();
}

void MainWindow::savePages(QSettings &settings) const
{
    settings.setValue(QStringLiteral("window/page"), m_pages->currentIndex());
    settings.setValue(QStringLiteral("planner/settings"),
        QJsonDocument(plannerSettingsToJson(m_planner->plannerSettings())).toJson(QJsonDocument::Compact));
}

void MainWindow::restorePages(const QSettings &settings)
{
    const QByteArray kept = settings.value(QStringLiteral("planner/settings")).toByteArray();
    if (!kept.isEmpty())
        m_planner->setPlannerSettings(plannerSettingsFromJson(QJsonDocument::fromJson(kept).object()));
    showPage(qBound(0, settings.value(QStringLiteral("window/page")).toInt(), m_pages->count() - 1));
}

void MainWindow::retranslatePages()
{
    m_pageGroup->button(bench_page)->setText(tr("Bench", "the page with table and charts"));
    m_pageGroup->button(bench_page)->setToolTip(tr("Memory table beside measurements (Ctrl+1)"));
    m_pageGroup->button(planner_page)->setText(tr("Planner"));
    m_pageGroup->button(planner_page)->setToolTip(tr("What fits a GPU (Ctrl+2)"));
    m_actions.value(QStringLiteral("pageBench"))->setText(tr("&Bench", "the page with table and charts"));
    m_actions.value(QStringLiteral("pagePlanner"))->setText(tr("&Planner page"));
}

} // namespace kvlab::ui
