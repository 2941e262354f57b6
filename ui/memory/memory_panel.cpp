// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/memory/memory_panel.h"

#include "ui/memory/memory_table_model.h"
#include "ui/memory/memory_table_view.h"
#include "ui/memory/row_details.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/eliding_label.h"
#include "ui/widgets/icons.h"

#include <QAction>
#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QShortcut>

#include <algorithm>

namespace kvlab::ui {

class MemoryPanel::Private
{
public:
    Private(MemoryPanel *owner, QUndoStack *undoStack);

    void setupHeader();
    void setupTable();
    void setupDetails();
    void setupActions();
    void addRow();
    void showCurrentRow();
    void updateHint();
    void updateActions();
    void fitDetails();
    void retranslate();
    void updateMetrics();

    MemoryPanel *q;
    MemoryTableModel *model;
    QWidget *header = nullptr;
    QLabel *title = nullptr;
    ElidingLabel *hint = nullptr;
    QPushButton *addButton = nullptr;
    MemoryTableView *table = nullptr;
    RowDetails *details = nullptr;
    QScrollArea *detailsArea = nullptr;
    QAction *add = nullptr;
    QAction *duplicate = nullptr;
    QAction *remove = nullptr;
    QAction *copy = nullptr;
};

MemoryPanel::Private::Private(MemoryPanel *owner, QUndoStack *undoStack)
    : q(owner)
    , model(new MemoryTableModel(undoStack, owner))
{
    setupHeader();
    setupTable();
    setupDetails();
    setupActions();
    auto *column = new QVBoxLayout(q);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(header);
    column->addWidget(table, 1);
    column->addWidget(detailsArea);
    retranslate();
    updateMetrics();
    updateActions();
}

void MemoryPanel::Private::setupHeader()
{
    header = new QWidget(q);
    title = new QLabel(header);
    hint = new ElidingLabel({}, header);
    setKind(hint, "secondary");
    addButton = new QPushButton(header);
    addButton->setIcon(icon(QStringLiteral("plus")));
    addButton->setObjectName(QStringLiteral("addRow"));
    auto *row = new QHBoxLayout(header);
    row->setContentsMargins(10, 4, 12, 4);
    row->setSpacing(8);
    row->addWidget(title);
    row->addWidget(hint, 1);
    row->addWidget(addButton);
    QObject::connect(addButton, &QPushButton::clicked, q, [this] { addRow(); });
}

void MemoryPanel::Private::setupTable()
{
    table = new MemoryTableView(model, q);
    table->setContextMenuPolicy(Qt::ActionsContextMenu);
    QObject::connect(table->selectionModel(), &QItemSelectionModel::currentChanged, q, [this] { showCurrentRow(); });
    QObject::connect(table->selectionModel(), &QItemSelectionModel::selectionChanged, q, [this] { updateActions(); });
    const auto changed = [this] {
        showCurrentRow();
        updateHint();
        updateActions();
    };
    QObject::connect(model, &QAbstractItemModel::dataChanged, q, changed);
    QObject::connect(model, &QAbstractItemModel::rowsInserted, q, changed);
    QObject::connect(model, &QAbstractItemModel::rowsRemoved, q, changed);
    QObject::connect(model, &QAbstractItemModel::modelReset, q, changed);
}

void MemoryPanel::Private::setupDetails()
{
    details = new RowDetails(model);
    detailsArea = new QScrollArea(q);
    detailsArea->setWidgetResizable(true);
    detailsArea->setFrameShape(QFrame::NoFrame);
    detailsArea->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    detailsArea->setWidget(details);
    details->installEventFilter(q);
    // A stop for the Tab key only where there is something to scroll.
    detailsArea->setFocusPolicy(Qt::NoFocus);
    QObject::connect(detailsArea->verticalScrollBar(), &QScrollBar::rangeChanged, q,
        [this](int, int maximum) { detailsArea->setFocusPolicy(maximum > 0 ? Qt::StrongFocus : Qt::NoFocus); });
    QObject::connect(details, &RowDetails::editRequested, q, [this](const QModelIndex &cell) {
        table->setFocus();
        table->setCurrentIndex(cell);
        table->edit(cell);
    });
    QObject::connect(details, &RowDetails::rowsRequested, q, [this](const QList<int> &rows) {
        table->setFocus();
        table->chooseRows(rows);
    });
}

void MemoryPanel::Private::setupActions()
{
    add = new QAction(icon(QStringLiteral("plus")), {}, q);
    add->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_N));
    duplicate = new QAction(q);
    duplicate->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_D));
    remove = new QAction(q);
    remove->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_Delete));
    copy = new QAction(icon(QStringLiteral("copy")), {}, q);
    copy->setShortcut(QKeySequence::Copy);
    // Other parts of the window, and a cell being edited, have their own use for these keys.
    for (QAction *action : {duplicate, remove, copy})
        action->setShortcutContext(Qt::WidgetShortcut);
    table->addActions({add, duplicate, remove, copy});
    auto *insert = new QShortcut(QKeySequence(Qt::Key_Insert), table);
    insert->setContext(Qt::WidgetShortcut);
    QObject::connect(insert, &QShortcut::activated, q, [this] { addRow(); });
    QObject::connect(add, &QAction::triggered, q, [this] { addRow(); });
    QObject::connect(duplicate, &QAction::triggered, q, [this] { model->duplicateRows(table->chosenRows()); });
    QObject::connect(remove, &QAction::triggered, q, [this] { model->removeRowsAt(table->chosenRows()); });
    QObject::connect(
        copy, &QAction::triggered, q, [this] { QGuiApplication::clipboard()->setText(table->chosenRowsAsText()); });
}

void MemoryPanel::Private::addRow()
{
    table->setFocus(); // an open editor commits first
    const QModelIndex current = table->currentIndex();
    memory::MemoryRow row;
    // The same model as the row above it, for the usual "and now with …".
    row.model = current.isValid() ? model->editableRow(current.row()).row.model : memory::builtInModels().first().name;
    model->addRow(current.isValid() ? current.row() + 1 : model->rowCount(), row);
}

void MemoryPanel::Private::showCurrentRow()
{
    const QModelIndex current = table->currentIndex();
    details->setRow(current.isValid() ? std::optional(current.row()) : std::nullopt);
}

void MemoryPanel::Private::updateHint()
{
    hint->setFullText(
        model->isHandoutGrid() ? tr("the handout's grid", "the rows of the course's handout") : QString());
}

void MemoryPanel::Private::updateActions()
{
    const bool any = !table->chosenRows().isEmpty();
    for (QAction *action : {duplicate, remove, copy})
        action->setEnabled(any);
}

/// As high as its text, but never more than half of the panel: the table stays in sight at every text size.
void MemoryPanel::Private::fitDetails()
{
    const int width = detailsArea->width();
    const int wanted = details->heightForWidth(width);
    detailsArea->setFixedHeight(std::clamp(wanted, 0, q->height() / 2));
}

void MemoryPanel::Private::retranslate()
{
    title->setText(tr("KV-cache memory"));
    addButton->setText(tr("Row", "button with a plus sign: add a row"));
    addButton->setAccessibleName(tr("Add row"));
    addButton->setToolTip(tr("Add a row below the current one (Ctrl+Shift+N)"));
    table->setAccessibleName(tr("KV-cache memory table"));
    table->setAccessibleDescription(tr("Type or press F2 to change a cell. Ctrl+Shift+N adds a row."));
    add->setText(tr("Add &row"));
    duplicate->setText(tr("&Duplicate rows"));
    remove->setText(tr("Re&move rows"));
    copy->setText(tr("&Copy rows"));
    updateHint();
}

void MemoryPanel::Private::updateMetrics()
{
    if (title->font() != titleFont())
        title->setFont(titleFont());
    const int iconSide = qRound(16 * currentZoom());
    addButton->setIconSize({iconSide, iconSide});
    table->updateMetrics();
    fitDetails();
}

MemoryPanel::MemoryPanel(QUndoStack *undoStack, QWidget *parent)
    : QWidget(parent)
    , d(std::make_unique<Private>(this, undoStack))
{
}

MemoryPanel::~MemoryPanel() = default;

void MemoryPanel::setRows(const QList<memory::MemoryRow> &rows)
{
    d->model->setRows(rows);
}

QList<memory::MemoryRow> MemoryPanel::rows() const
{
    return d->model->rows();
}

QList<QAction *> MemoryPanel::editActions() const
{
    return {d->add, d->duplicate, d->remove, d->copy};
}

void MemoryPanel::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (!d)
        return;
    if (event->type() == QEvent::LanguageChange) {
        d->model->retranslate();
        d->retranslate();
        d->updateMetrics();
    } else if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
        d->updateMetrics();
    }
}

bool MemoryPanel::eventFilter(QObject *object, QEvent *event)
{
    // The details ask for another height when their content changes.
    if (d && object == d->details && event->type() == QEvent::LayoutRequest)
        d->fitDetails();
    return QWidget::eventFilter(object, event);
}

void MemoryPanel::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    d->fitDetails();
}

} // namespace kvlab::ui
