// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/memory/memory_table_view.h"

#include "ui/memory/memory_delegate.h"
#include "ui/memory/memory_table_model.h"
#include "ui/widgets/appearance.h"

#include <QComboBox>
#include <QHeaderView>
#include <QKeyEvent>

#include <algorithm>
#include <numeric>

namespace kvlab::ui {

namespace {

/// What a bold caption needs beside its text: 8 left, 8 right, 1 for the line.
constexpr int headerPadding = 17;

} // namespace

MemoryTableView::MemoryTableView(MemoryTableModel *model, QWidget *parent)
    : QTableView(parent)
    , m_model(model)
    , m_delegate(new MemoryDelegate(this))
{
    setModel(model);
    setItemDelegate(m_delegate);
    setupLook();
    followModel();
    updateMetrics();
}

void MemoryTableView::setupLook()
{
    setShowGrid(false);
    setFrameShape(QFrame::NoFrame);
    setWordWrap(false);
    setCornerButtonEnabled(false);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setEditTriggers(
        QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed | QAbstractItemView::AnyKeyPressed);
    // No order until a header is clicked; sorting is the model's, as an undo step.
    horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    setSortingEnabled(true);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setMinimumSectionSize(1); // the widths are counted here, and a floor would break the sum
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setHighlightSections(false);
    // Row numbers are no captions.
    verticalHeader()->setStyleSheet(
        QStringLiteral("QHeaderView::section { font-weight: normal; color: palette(placeholder-text); }"));
}

void MemoryTableView::followModel()
{
    connect(m_model, &QAbstractItemModel::modelReset, this, &MemoryTableView::updateMetrics);
    connect(m_model, &QAbstractItemModel::modelReset, this, &MemoryTableView::applyFilter);
    connect(m_model, &QAbstractItemModel::layoutChanged, this, &MemoryTableView::applyFilter);
    connect(m_model, &QAbstractItemModel::dataChanged, this, [this](const QModelIndex &first, const QModelIndex &last) {
        // A changed row may need more room; anything wider is measured anew.
        if (first.row() == last.row() || first.column() > int(MemoryColumn::kv_cache))
            widen(first.row(), first.row());
        else
            updateMetrics();
    });
    connect(m_model, &QAbstractItemModel::rowsInserted, this,
        [this](const QModelIndex &, int first, int last) { widen(first, last); });
    connect(m_model, &MemoryTableModel::touched, this,
        [this](int row, MemoryColumn column) { setCurrentIndex(m_model->cell(row, column)); });
}

QList<int> MemoryTableView::chosenRows() const
{
    QList<int> rows;
    for (const QModelIndex &index : selectionModel()->selectedRows()) {
        if (!isRowHidden(index.row()))
            rows.append(index.row());
    }
    if (rows.isEmpty() && currentIndex().isValid())
        rows.append(currentIndex().row());
    std::sort(rows.begin(), rows.end());
    return rows;
}

void MemoryTableView::chooseRows(const QList<int> &rows)
{
    if (rows.isEmpty())
        return;
    QItemSelection selection;
    for (const int row : rows)
        selection.select(m_model->cell(row, MemoryColumn::model), m_model->index(row, m_model->columnCount() - 1));
    // The last one first: then as many as possible are in sight together with the first.
    scrollTo(m_model->cell(rows.last(), MemoryColumn::model));
    selectionModel()->setCurrentIndex(m_model->cell(rows.first(), MemoryColumn::model), QItemSelectionModel::NoUpdate);
    selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
    scrollTo(m_model->cell(rows.first(), MemoryColumn::model));
}

void MemoryTableView::setFilter(const QString &text)
{
    m_filter = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    applyFilter();
}

int MemoryTableView::shownRows() const
{
    int shown = 0;
    for (int row = 0; row < m_model->rowCount(); ++row)
        shown += isRowHidden(row) ? 0 : 1;
    return shown;
}

void MemoryTableView::applyFilter()
{
    for (int row = 0; row < m_model->rowCount(); ++row) {
        QString cells;
        for (int column = 0; !m_filter.isEmpty() && column < m_model->columnCount(); ++column)
            cells += m_model->index(row, column).data().toString() + QLatin1Char('\t');
        const bool found = std::all_of(m_filter.cbegin(), m_filter.cend(),
            [&](const QString &word) { return cells.contains(word, Qt::CaseInsensitive); });
        setRowHidden(row, !found);
    }
}

QList<QStringList> MemoryTableView::chosenCells() const
{
    QList<QStringList> rows;
    for (const int row : chosenRows()) {
        QStringList cells;
        for (int column = 0; column < m_model->columnCount(); ++column) {
            if (!isColumnHidden(column))
                cells.append(m_model->index(row, column).data().toString());
        }
        rows.append(cells);
    }
    return rows;
}

void MemoryTableView::updateMetrics()
{
    ensurePolished();
    verticalHeader()->setDefaultSectionSize(ui::rowHeight(font()));
    QFont captionFont = font();
    captionFont.setBold(true); // by the style sheet
    const QFontMetrics caption(captionFont);
    m_widths.clear();
    m_longest.fill(0, m_model->columnCount());
    for (int column = 0; column < m_model->columnCount(); ++column)
        m_widths.append(
            caption.horizontalAdvance(m_model->headerData(column, Qt::Horizontal).toString()) + headerPadding);
    // Their widest text is known, and asking every row would compute what nobody looks at.
    int &share = m_widths[int(MemoryColumn::share)];
    share = std::max(share, MemoryDelegate::shareWidth(fontMetrics()));
    setMinimumHeight(horizontalHeader()->sizeHint().height() + 4 * ui::rowHeight(font()));
    widen(0, m_model->rowCount() - 1);
}

void MemoryTableView::widen(int firstRow, int lastRow)
{
    QStyleOptionViewItem option;
    initViewItemOption(&option);
    for (int row = firstRow; row <= lastRow; ++row) {
        for (int column = 1; column <= int(MemoryColumn::kv_cache); ++column) {
            const QModelIndex index = m_model->index(row, column);
            // Digits are equally wide, so among numbers only a longer one needs more; measuring is what takes time.
            const qsizetype length = index.data().toString().size();
            if (length <= m_longest[column] && index.data(MemoryTableModel::problem_role).toString().isEmpty())
                continue;
            m_longest[column] = std::max(m_longest[column], length);
            m_widths[column] = std::max(m_widths[column], m_delegate->sizeHint(option, index).width());
        }
    }
    layOutColumns();
}

/// The columns about the GPU give way where there is no GPU or no room: the line below the table says the same.
void MemoryTableView::hideColumns(int leastModelWidth)
{
    int wanted = leastModelWidth + std::accumulate(m_widths.cbegin() + 1, m_widths.cend(), 0);
    for (const MemoryColumn column : {MemoryColumn::fits, MemoryColumn::share}) {
        const bool hidden = !m_model->machine() || wanted > viewport()->width();
        setColumnHidden(int(column), hidden);
        if (hidden)
            wanted -= m_widths[int(column)];
    }
}

void MemoryTableView::layOutColumns()
{
    const int least = fontMetrics().averageCharWidth() * 10 + 2 * MemoryDelegate::padding;
    hideColumns(least);
    int others = 0;
    for (int column = 1; column < m_widths.size(); ++column) {
        if (isColumnHidden(column))
            continue;
        setColumnWidth(column, m_widths[column]);
        others += m_widths[column];
    }
    setColumnWidth(0, std::max(least, viewport()->width() - others));
}

void MemoryTableView::resizeEvent(QResizeEvent *event)
{
    const bool wasInSight = event->oldSize().height() > visualRect(currentIndex()).bottom();
    QTableView::resizeEvent(event);
    layOutColumns();
    // The text below the table may have grown: the row that it explains stays in sight.
    if (wasInSight && currentIndex().isValid())
        scrollTo(currentIndex());
}

bool MemoryTableView::edit(const QModelIndex &index, EditTrigger trigger, QEvent *event)
{
    const bool opened = QTableView::edit(index, trigger, event);
    if (opened && trigger == QAbstractItemView::DoubleClicked) {
        // Who uses the mouse wants the list, not a closed box in the cell.
        auto *box = qobject_cast<QComboBox *>(indexWidget(index));
        if (box && !box->isEditable())
            QMetaObject::invokeMethod(box, &QComboBox::showPopup, Qt::QueuedConnection);
    }
    return opened;
}

void MemoryTableView::closeEditor(QWidget *editor, QAbstractItemDelegate::EndEditHint hint)
{
    const int step = m_delegate->takeStep();
    if (hint == QAbstractItemDelegate::EditNextItem || hint == QAbstractItemDelegate::EditPreviousItem) {
        // Tab moves; it does not open the next editor.
        QTableView::closeEditor(editor, QAbstractItemDelegate::NoHint);
        setCurrentIndex(
            moveCursor(hint == QAbstractItemDelegate::EditNextItem ? MoveNext : MovePrevious, Qt::NoModifier));
        return;
    }
    QTableView::closeEditor(editor, hint);
    // A cell that cannot be used stays current: the sentence below the table is about it.
    const bool problem = !currentIndex().data(MemoryTableModel::problem_role).toString().isEmpty();
    if (hint == QAbstractItemDelegate::SubmitModelCache && !problem)
        moveRows(step);
}

void MemoryTableView::moveRows(int step)
{
    const QModelIndex next = currentIndex().siblingAtRow(currentIndex().row() + step);
    if (step != 0 && next.isValid())
        setCurrentIndex(next);
}

void MemoryTableView::keyPressEvent(QKeyEvent *event)
{
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (enter && state() != EditingState && !(event->modifiers() & (Qt::ControlModifier | Qt::AltModifier))) {
        moveRows(event->modifiers().testFlag(Qt::ShiftModifier) ? -1 : 1);
        return;
    }
    // Delete would open an editor with a control character in it.
    if (event->key() == Qt::Key_Delete || event->key() == Qt::Key_Backspace)
        return;
    QTableView::keyPressEvent(event);
}

bool MemoryTableView::focusNextPrevChild(bool next)
{
    // Tab walks through the cells and leaves the table after the last one, so that the keyboard is never caught in it.
    int last = m_model->columnCount() - 1;
    while (isColumnHidden(last))
        --last;
    const QModelIndex end = next ? m_model->index(m_model->rowCount() - 1, last) : m_model->index(0, 0);
    if (!end.isValid() || currentIndex() == end)
        return QAbstractScrollArea::focusNextPrevChild(next);
    return QTableView::focusNextPrevChild(next);
}

} // namespace kvlab::ui
