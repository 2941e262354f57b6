// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/memory/memory_panel.h"

#include "memory/gpu_list.h"
#include "session/clipboard_table.h"
#include "ui/memory/memory_table_model.h"
#include "ui/memory/memory_table_view.h"
#include "ui/memory/memory_text.h"
#include "ui/memory/row_details.h"
#include "ui/memory/size_chart.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/eliding_label.h"
#include "ui/widgets/icons.h"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPointer>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>
#include <QShortcut>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextFrame>
#include <QTextTable>

#include <algorithm>

namespace kvlab::ui {

namespace {

/// Takes the height that its content wants, as long as the window has it: no fixed height that would keep a window from
/// being made smaller.
class DetailsArea : public QScrollArea
{
public:
    using QScrollArea::QScrollArea;

    void setWanted(int height, int most)
    {
        m_whole = height;
        m_wanted = std::clamp(height, 0, most);
        setMaximumHeight(m_wanted);
        setMinimumHeight(std::min(m_wanted, 3 * rowHeight(font())));
        updateGeometry();
        chooseScrollBar();
    }

    QSize sizeHint() const override { return {QScrollArea::sizeHint().width(), m_wanted}; }

protected:
    void resizeEvent(QResizeEvent *event) override
    {
        chooseScrollBar();
        QScrollArea::resizeEvent(event);
    }

private:
    /// A bar that is not needed would narrow the text, which then needs it.
    void chooseScrollBar()
    {
        setVerticalScrollBarPolicy(height() >= m_whole ? Qt::ScrollBarAlwaysOff : Qt::ScrollBarAsNeeded);
    }

    int m_whole = 0; ///< height of the content
    int m_wanted = 0; ///< the same, as far as it may have it
};

/// Rows of the first table of a page, for programs that put no plain text on the clipboard.
QList<QStringList> cellsOfHtml(const QString &html)
{
    QTextDocument document;
    document.setHtml(html);
    QList<QStringList> rows;
    for (QTextFrame *frame : document.rootFrame()->childFrames()) {
        auto *table = qobject_cast<QTextTable *>(frame);
        if (table == nullptr)
            continue;
        for (int row = 0; row < table->rows(); ++row) {
            QStringList cells;
            for (int column = 0; column < table->columns(); ++column) {
                QTextCursor cursor = table->cellAt(row, column).firstCursorPosition();
                cursor.setPosition(table->cellAt(row, column).lastCursorPosition().position(), QTextCursor::KeepAnchor);
                cells << cursor.selectedText();
            }
            rows << cells;
        }
        return rows;
    }
    return {{document.toPlainText()}};
}

} // namespace

class MemoryPanel::Private
{
public:
    Private(MemoryPanel *owner, QUndoStack *undoStack);

    void setupHeader();
    void setupGpuRow();
    void setupTable();
    void setupDetails();
    void setupActions();
    void addRow();
    void showCurrentRow();
    void showCurves();
    void setupSpreadsheetActions();
    void copyRows() const;
    void pasteCells();
    void chooseGpu();
    void fillGpuBox();
    void updateRoom();
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
    QPushButton *importButton = nullptr;
    QWidget *gpuRow = nullptr;
    QLabel *gpuLabel = nullptr;
    QComboBox *gpuBox = nullptr;
    ElidingLabel *room = nullptr;
    QLineEdit *filter = nullptr;
    QComboBox *unitBox = nullptr;
    MemoryTableView *table = nullptr;
    RowDetails *details = nullptr;
    DetailsArea *detailsArea = nullptr;
    QAction *add = nullptr;
    QAction *duplicate = nullptr;
    QAction *remove = nullptr;
    QAction *copy = nullptr;
    QAction *curves = nullptr;
    QAction *sortColumn = nullptr;
    QAction *paste = nullptr;
    QAction *fill = nullptr;
    QAction *moveUp = nullptr;
    QAction *moveDown = nullptr;
    QPointer<SizeChart> chart;
};

MemoryPanel::Private::Private(MemoryPanel *owner, QUndoStack *undoStack)
    : q(owner)
    , model(new MemoryTableModel(undoStack, owner))
{
    setupHeader();
    setupGpuRow();
    setupTable();
    setupDetails();
    setupActions();
    auto *column = new QVBoxLayout(q);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(header);
    column->addWidget(gpuRow);
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
    filter = new QLineEdit(header);
    filter->setObjectName(QStringLiteral("rowFilter"));
    filter->setClearButtonEnabled(true);
    auto *row = new QHBoxLayout(header);
    row->setContentsMargins(10, 4, 12, 4);
    row->setSpacing(8);
    row->addWidget(title);
    row->addWidget(hint, 1);
    row->addWidget(filter);
    importButton = new QPushButton(header);
    importButton->setIcon(icon(QStringLiteral("import")));
    importButton->setObjectName(QStringLiteral("importModel"));
    row->addWidget(addButton);
    row->addWidget(importButton);
    QObject::connect(addButton, &QPushButton::clicked, q, [this] { addRow(); });
    QObject::connect(importButton, &QPushButton::clicked, q, &MemoryPanel::importRequested);
    QObject::connect(filter, &QLineEdit::textChanged, q, [this](const QString &text) {
        table->setFilter(text);
        updateHint();
    });
}

void MemoryPanel::Private::setupGpuRow()
{
    gpuRow = new QWidget(q);
    gpuLabel = new QLabel(gpuRow);
    gpuBox = new QComboBox(gpuRow);
    gpuBox->setObjectName(QStringLiteral("gpuBox"));
    gpuBox->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    gpuBox->setMinimumContentsLength(16);
    gpuLabel->setBuddy(gpuBox);
    room = new ElidingLabel({}, gpuRow);
    room->setObjectName(QStringLiteral("roomForCache"));
    setKind(room, "secondary");
    unitBox = new QComboBox(gpuRow);
    unitBox->setObjectName(QStringLiteral("unitBox"));
    for (const SizeUnit unit : {SizeUnit::gib, SizeUnit::gb})
        unitBox->addItem(sizeUnitName(unit), int(unit));
    fillGpuBox();
    auto *row = new QHBoxLayout(gpuRow);
    row->setContentsMargins(10, 0, 12, 6);
    row->setSpacing(8);
    row->addWidget(gpuLabel);
    row->addWidget(gpuBox);
    row->addWidget(room, 2);
    row->addWidget(unitBox);
    QObject::connect(gpuBox, &QComboBox::activated, q, [this] { chooseGpu(); });
    QObject::connect(unitBox, &QComboBox::activated, q, [this](int index) {
        model->setUnit(SizeUnit(unitBox->itemData(index).toInt()));
        table->updateMetrics();
    });
}

void MemoryPanel::Private::fillGpuBox()
{
    gpuBox->clear();
    gpuBox->addItem({}, QString()); // its text is set with the language
    for (const memory::GpuSpec &gpu : memory::builtInGpus()) {
        if (gpu.memory_bytes)
            gpuBox->addItem(
                QStringLiteral("%1, %2 GB").arg(gpu.name, QString::number(gpu.memory_gb.value_or(0))), gpu.name);
    }
}

void MemoryPanel::Private::chooseGpu()
{
    const QString name = gpuBox->currentData().toString();
    std::optional<memory::Machine> machine;
    for (const memory::GpuSpec &gpu : memory::builtInGpus()) {
        if (!name.isEmpty() && gpu.name == name) {
            machine.emplace();
            machine->device = gpu.name;
            machine->capacity = *gpu.memory_bytes;
        }
    }
    model->setMachine(machine);
    updateRoom();
}

/// What is left for the cache beside the current row's model, because that depends on the model's weights.
void MemoryPanel::Private::updateRoom()
{
    const QModelIndex current = table->currentIndex();
    const std::optional<RowBudget> budget
        = current.isValid() ? model->budget(current.row()) : std::optional<RowBudget>();
    if (!budget)
        room->setFullText(model->machine() ? tr("choose a row to see the room beside its model") : QString());
    else if (budget->state == RowBudget::State::weights_unknown)
        room->setFullText(tr("room beside %1: unknown").arg(model->modelOf(current.row())->name));
    else if (budget->state == RowBudget::State::weights_too_large)
        room->setFullText(tr("no room beside %1").arg(model->modelOf(current.row())->name));
    else if (budget->isKnown())
        room->setFullText(tr("%1 %2 for KV beside %3", "%1 is a size, %2 its unit, %3 a model")
                              .arg(MemoryText::size(budget->budget, model->unit()), sizeUnitName(model->unit()),
                                  model->modelOf(current.row())->name));
    else
        room->setFullText({});
}

void MemoryPanel::Private::setupTable()
{
    table = new MemoryTableView(model, q);
    table->setContextMenuPolicy(Qt::ActionsContextMenu);
    QObject::connect(table->selectionModel(), &QItemSelectionModel::currentChanged, q, [this] { showCurrentRow(); });
    QObject::connect(table->selectionModel(), &QItemSelectionModel::selectionChanged, q, [this] {
        showCurrentRow(); // two chosen rows are compared
        updateActions();
    });
    const auto changed = [this] {
        showCurrentRow();
        updateHint();
        updateActions();
    };
    QObject::connect(model, &QAbstractItemModel::dataChanged, q, changed);
    QObject::connect(model, &QAbstractItemModel::rowsInserted, q, changed);
    QObject::connect(model, &QAbstractItemModel::rowsRemoved, q, changed);
    QObject::connect(model, &QAbstractItemModel::modelReset, q, changed);
    QObject::connect(model, &QAbstractItemModel::layoutChanged, q, changed);
}

void MemoryPanel::Private::setupDetails()
{
    details = new RowDetails(model);
    detailsArea = new DetailsArea(q);
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
    curves = new QAction(q);
    curves->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_G));
    sortColumn = new QAction(q);
    table->addActions({add, duplicate, remove, copy, curves, sortColumn});
    auto *insert = new QShortcut(QKeySequence(Qt::Key_Insert), table);
    insert->setContext(Qt::WidgetShortcut);
    QObject::connect(insert, &QShortcut::activated, q, [this] { addRow(); });
    QObject::connect(add, &QAction::triggered, q, [this] { addRow(); });
    QObject::connect(duplicate, &QAction::triggered, q, [this] { model->duplicateRows(table->chosenRows()); });
    QObject::connect(remove, &QAction::triggered, q, [this] { model->removeRowsAt(table->chosenRows()); });
    QObject::connect(curves, &QAction::triggered, q, [this] { showCurves(); });
    QObject::connect(sortColumn, &QAction::triggered, q, [this] {
        if (table->currentIndex().isValid())
            model->sort(table->currentIndex().column());
    });
    QObject::connect(copy, &QAction::triggered, q, [this] { copyRows(); });
    setupSpreadsheetActions();
}

void MemoryPanel::Private::setupSpreadsheetActions()
{
    paste = new QAction(q);
    paste->setShortcut(QKeySequence::Paste);
    fill = new QAction(q);
    fill->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_D));
    moveUp = new QAction(q);
    moveUp->setShortcut(QKeySequence(Qt::ALT | Qt::Key_Up));
    moveDown = new QAction(q);
    moveDown->setShortcut(QKeySequence(Qt::ALT | Qt::Key_Down));
    for (QAction *action : {paste, fill, moveUp, moveDown})
        action->setShortcutContext(Qt::WidgetShortcut);
    table->addActions({paste, fill, moveUp, moveDown});
    QObject::connect(paste, &QAction::triggered, q, [this] { pasteCells(); });
    QObject::connect(fill, &QAction::triggered, q, [this] {
        if (table->currentIndex().isValid())
            model->fillDown(table->chosenRows(), MemoryColumn(table->currentIndex().column()));
    });
    QObject::connect(moveUp, &QAction::triggered, q, [this] { model->moveRows(table->chosenRows(), -1); });
    QObject::connect(moveDown, &QAction::triggered, q, [this] { model->moveRows(table->chosenRows(), 1); });
}

void MemoryPanel::Private::copyRows() const
{
    const QList<QStringList> cells = table->chosenCells();
    auto *data = new QMimeData;
    data->setText(session::tableToText(cells));
    QString html = QStringLiteral("<table>");
    for (const QStringList &row : cells) {
        html += QStringLiteral("<tr>");
        for (const QString &cell : row)
            html += QStringLiteral("<td>%1</td>").arg(cell.toHtmlEscaped());
        html += QStringLiteral("</tr>");
    }
    data->setHtml(html + QStringLiteral("</table>"));
    QGuiApplication::clipboard()->setMimeData(data);
}

void MemoryPanel::Private::pasteCells()
{
    constexpr qsizetype most = 4 * 1024 * 1024;
    const QMimeData *data = QGuiApplication::clipboard()->mimeData();
    const QString text = data == nullptr ? QString() : data->text();
    if (text.size() > most || text.contains(QChar(u'\0'))) {
        Q_EMIT q->pasteRefused(text.size() > most
                ? tr("What is on the clipboard is larger than 4 MiB, more than any table. Copy fewer cells.")
                : tr("What is on the clipboard is no text. Copy cells of a spreadsheet."));
        return;
    }
    const QList<QStringList> cells = text.isEmpty() && data != nullptr && data->hasHtml()
        ? cellsOfHtml(data->html())
        : session::tableFromText(text);
    const QModelIndex current = table->currentIndex();
    // A whole row belongs into the first column, wherever the cursor is.
    const bool wholeRow = cells.value(0).size() > MemoryColumns::count - current.column();
    const auto column = !current.isValid() || wholeRow ? MemoryColumn::model : MemoryColumn(current.column());
    const auto refused
        = model->paste(current.isValid() ? current.row() : model->rowCount(), column, cells, table->chosenRows());
    if (refused)
        Q_EMIT q->pasteRefused(*refused);
}

void MemoryPanel::Private::showCurves()
{
    if (!chart) {
        chart = new SizeChart(q);
        chart->setAttribute(Qt::WA_DeleteOnClose);
    }
    QList<SizeChart::Curve> wanted;
    for (const int row : table->chosenRows()) {
        if (model->hasNumber(row))
            wanted << SizeChart::Curve{row, *model->modelOf(row), model->editableRow(row).row};
    }
    chart->setCurves(wanted, model->unit());
    chart->show();
    chart->raise();
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
    details->setRow(current.isValid() ? std::optional(current.row()) : std::nullopt, table->chosenRows());
    updateRoom();
    Q_EMIT q->currentRowChanged();
}

void MemoryPanel::Private::updateHint()
{
    if (!filter->text().trimmed().isEmpty())
        hint->setFullText(tr("%1 of %2 rows", "how many the filter shows")
                              .arg(MemoryText::count(table->shownRows()), MemoryText::count(model->rowCount())));
    else
        hint->setFullText(
            model->isHandoutGrid() ? tr("the handout's grid", "the rows of the course's handout") : QString());
}

void MemoryPanel::Private::updateActions()
{
    const bool any = !table->chosenRows().isEmpty();
    for (QAction *action : {duplicate, remove, copy, curves, sortColumn, moveUp, moveDown})
        action->setEnabled(any);
    fill->setEnabled(table->chosenRows().size() > 1);
}

/// As high as its text, but never more than half of the panel: the table stays in sight at every text size.
void MemoryPanel::Private::fitDetails()
{
    const int width = detailsArea->width();
    const int wanted = details->heightForWidth(width);
    detailsArea->setWanted(wanted, q->height() / 2);
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
    paste->setText(tr("&Paste cells"));
    fill->setText(tr("&Fill down"));
    moveUp->setText(tr("Move rows &up"));
    moveDown->setText(tr("Move rows do&wn"));
    curves->setText(tr("Chart of &bytes over seq_len"));
    sortColumn->setText(tr("&Sort by this column"));
    importButton->setText(tr("Import…"));
    importButton->setToolTip(tr("Read a model from its config.json or GGUF file"));
    gpuLabel->setText(tr("My &GPU"));
    gpuBox->setItemText(0, tr("none chosen", "no GPU is chosen"));
    gpuBox->setToolTip(tr("The share column shows how much of its room a row takes: 90 % of the memory, less 16-bit "
                          "weights and an assumed overhead of 2 GiB. The Planner page has every setting."));
    filter->setFixedWidth(filter->fontMetrics().averageCharWidth() * 17);
    filter->setPlaceholderText(tr("Filter rows"));
    filter->setAccessibleName(tr("Filter rows"));
    filter->setToolTip(tr("Shows the rows that hold every word typed here"));
    unitBox->setAccessibleName(tr("Unit of sizes"));
    unitBox->setToolTip(tr("GiB = 2³⁰ bytes, as engines count; GB = 10⁹ bytes, as on the box"));
    updateHint();
    updateRoom();
}

void MemoryPanel::Private::updateMetrics()
{
    if (title->font() != titleFont())
        title->setFont(titleFont());
    const int iconSide = qRound(16 * currentZoom());
    addButton->setIconSize({iconSide, iconSide});
    importButton->setIconSize({iconSide, iconSide});
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
    return {
        d->add, d->duplicate, d->remove, d->copy, d->curves, d->sortColumn, d->paste, d->fill, d->moveUp, d->moveDown};
}

void MemoryPanel::setLibrary(const memory::ModelLibrary &library)
{
    d->model->setLibrary(library);
}

const memory::ModelLibrary &MemoryPanel::library() const
{
    return d->model->library();
}

void MemoryPanel::addRow(const memory::MemoryRow &row)
{
    const QModelIndex current = d->table->currentIndex();
    d->model->addRow(current.isValid() ? current.row() + 1 : d->model->rowCount(), row);
}

std::optional<memory::MemoryRow> MemoryPanel::currentRow() const
{
    const QModelIndex current = d->table->currentIndex();
    if (!current.isValid())
        return std::nullopt;
    return d->model->editableRow(current.row()).row;
}

void MemoryPanel::saveState(QSettings &settings) const
{
    settings.setValue(QStringLiteral("memory/gpu"), d->gpuBox->currentData());
    settings.setValue(QStringLiteral("memory/unit"), sizeUnitName(d->model->unit()));
}

void MemoryPanel::restoreState(const QSettings &settings)
{
    // An example to begin with, so that the share column says something.
    const QVariant gpu = settings.value(QStringLiteral("memory/gpu"), QStringLiteral("GeForce RTX 4090"));
    d->gpuBox->setCurrentIndex(std::max(0, d->gpuBox->findData(gpu)));
    const bool gb = settings.value(QStringLiteral("memory/unit")).toString() == sizeUnitName(SizeUnit::gb);
    d->unitBox->setCurrentIndex(gb ? 1 : 0);
    d->model->setUnit(gb ? SizeUnit::gb : SizeUnit::gib);
    d->chooseGpu();
    d->updateMetrics();
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
