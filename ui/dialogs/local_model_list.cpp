// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/local_model_list.h"

#include "ui/widgets/appearance.h"

#include <QDir>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QThread>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace kvlab::ui {

namespace {

constexpr int pathRole = Qt::UserRole;

} // namespace

LocalModelList::LocalModelList(QWidget *parent)
    : QWidget(parent)
{
    setupLayout();
    retranslate();
}

LocalModelList::~LocalModelList()
{
    stop();
    for (QThread *thread : std::as_const(m_threads)) {
        thread->disconnect(this);
        thread->wait();
        delete thread;
    }
}

void LocalModelList::setupLayout()
{
    auto *layout = new QVBoxLayout(this);
    m_list = new QTreeWidget(this);
    m_list->setObjectName(QStringLiteral("localModels"));
    m_list->setColumnCount(2);
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setAlternatingRowColors(true);
    connect(m_list, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem *item) {
        if (item != nullptr)
            Q_EMIT chosen(item->data(0, pathRole).toString());
    });
    layout->addWidget(m_list);
    auto *row = new QHBoxLayout;
    m_state = new QLabel(this);
    m_state->setWordWrap(true);
    setKind(m_state, "secondary");
    row->addWidget(m_state, 1);
    m_button = new QPushButton(this);
    m_button->setObjectName(QStringLiteral("searchButton"));
    m_button->setAutoDefault(false);
    connect(m_button, &QPushButton::clicked, this, [this] {
        if (isSearching())
            stop();
        else
            search(m_places);
    });
    row->addWidget(m_button);
    layout->addLayout(row);
}

void LocalModelList::search(const memory::LocalModelPlaces &places)
{
    stop();
    m_places = places;
    m_has_searched = true;
    m_was_stopped = false;
    m_list->clear();
    m_search = std::make_shared<Search>();
    QThread *const thread = QThread::create([search = m_search, places] {
        search->found = memory::findLocalModels(places, [&search] { return search->is_stopped.load(); });
    });
    m_threads << thread;
    connect(thread, &QThread::finished, this, [this, thread, search = m_search] {
        m_threads.removeOne(thread);
        thread->deleteLater();
        if (search == m_search)
            showFound(*search);
    });
    thread->start(QThread::LowPriority);
    retranslate();
}

void LocalModelList::stop()
{
    if (isSearching())
        m_search->is_stopped = true;
}

void LocalModelList::showFound(const Search &search)
{
    m_was_stopped = search.is_stopped;
    for (const memory::LocalModel &model : search.found) {
        auto *item = new QTreeWidgetItem(m_list, {model.name, model.source});
        item->setData(0, pathRole, model.path);
        item->setToolTip(0, QDir::toNativeSeparators(model.path));
    }
    m_search.reset();
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_list->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    retranslate();
    Q_EMIT searched();
}

void LocalModelList::retranslate()
{
    m_list->setHeaderLabels({tr("Model"), tr("Found in")});
    m_list->setAccessibleName(tr("Models on this computer"));
    m_button->setText(isSearching() ? tr("Stop") : tr("Look again"));
    const int count = m_list->topLevelItemCount();
    if (isSearching())
        m_state->setText(tr("Looking in the stores of Hugging Face, LM Studio and Ollama…"));
    else if (m_was_stopped)
        m_state->setText(tr("Stopped; %n model(s) found so far.", nullptr, count));
    else if (count == 0)
        m_state->setText(tr("No models were found in the stores of Hugging Face, LM Studio and Ollama."));
    else
        m_state->setText(tr("%n model(s) found.", nullptr, count));
}

void LocalModelList::showEvent(QShowEvent *event)
{
    if (!m_has_searched)
        search(memory::localModelPlaces(QProcessEnvironment::systemEnvironment(), QDir::homePath()));
    QWidget::showEvent(event);
}

void LocalModelList::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

} // namespace kvlab::ui
