// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/server_check_model.h"

#include "ui/memory/memory_text.h"
#include "ui/widgets/appearance.h"

#include <QLocale>

#include <algorithm>

namespace kvlab::ui {

using memory::FigureCheck;
using memory::FigureKind;
using memory::FigureUnit;
using memory::Quantity;
using memory::ServerFigure;
using memory::Verdict;

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::ui::ServerCheckModel)
};

/// A number of `memory::quantityText` as people read it.
QString localNumber(const QString &plain)
{
    const qsizetype point = plain.indexOf(u'.');
    const int decimals = point < 0 ? 0 : int(plain.size() - point - 1);
    const QLocale locale;
    return decimals == 0 ? locale.toString(plain.toLongLong()) : locale.toString(plain.toDouble(), 'f', decimals);
}

QString withUnit(const QString &number, const ServerFigure &figure)
{
    switch (figure.unit) {
    case FigureUnit::bytes:
        return Text::tr("%1 B").arg(number);
    case FigureUnit::mib:
        return Text::tr("%1 MiB").arg(number);
    case FigureUnit::gib:
        return Text::tr("%1 GiB").arg(number);
    default:
        return figure.kind == FigureKind::max_concurrency ? Text::tr("%1×", "times").arg(number) : number;
    }
}

bool isYesOrNo(FigureKind kind)
{
    return kind == FigureKind::kv_unified || kind == FigureKind::swa_full;
}

QString amount(const Quantity &quantity, const ServerFigure &figure, int more = 0)
{
    if (isYesOrNo(figure.kind))
        return quantity.numerator == 0 ? Text::tr("no") : Text::tr("yes");
    return withUnit(localNumber(memory::quantityText(quantity, figure, more)), figure);
}

/// As many further decimals as it takes to tell ours from theirs.
int furtherDecimals(const FigureCheck &row)
{
    if (!row.ours || !row.theirs || *row.ours == *row.theirs || row.figure.unit == FigureUnit::bytes)
        return 0;
    constexpr int most = 3;
    int more = 0;
    while (more < most
        && memory::quantityText(*row.ours, row.figure, more) == memory::quantityText(*row.theirs, row.figure, more))
        ++more;
    return more;
}

QString difference(const FigureCheck &row)
{
    const auto apart = memory::differenceOf(row);
    if (!apart || isYesOrNo(row.figure.kind) || row.verdict == Verdict::not_comparable)
        return {};
    if (apart->numerator == 0)
        return withUnit(localNumber(QStringLiteral("0")), row.figure);
    const bool less = apart->numerator < 0;
    const Quantity size{less ? memory::Bytes(-apart->numerator) : apart->numerator, apart->denominator};
    const QString number = amount(size, row.figure, furtherDecimals(row));
    return less ? Text::tr("−%1", "a negative number").arg(number) : Text::tr("+%1", "a positive number").arg(number);
}

QString reasonText(const FigureCheck &row)
{
    if (row.reasons.isEmpty())
        return memory::verdictText(row.verdict);
    QStringList sentences;
    for (const memory::CheckReason reason : row.reasons)
        sentences << memory::checkReasonText(reason);
    return sentences.join(u'\n');
}

QColor textColor(Verdict verdict)
{
    switch (verdict) {
    case Verdict::equal:
        return tokens().ok;
    case Verdict::unexplained:
        return tokens().bad;
    case Verdict::contradictory:
        return tokens().warn;
    case Verdict::taken:
    case Verdict::not_comparable:
        return tokens().text2;
    case Verdict::explained:
        break;
    }
    return tokens().text;
}

QString header(int column)
{
    switch (column) {
    case ServerCheckModel::FigureColumn:
        return Text::tr("Figure");
    case ServerCheckModel::TheirsColumn:
        return Text::tr("The server’s");
    case ServerCheckModel::OursColumn:
        return Text::tr("Ours");
    case ServerCheckModel::DifferenceColumn:
        return Text::tr("Difference");
    case ServerCheckModel::ReasonColumn:
        return Text::tr("Reason");
    default:
        return {};
    }
}

} // namespace

void ServerCheckModel::setCheck(const memory::ServerCheck &check)
{
    beginResetModel();
    m_check = check;
    endResetModel();
}

int ServerCheckModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_check.rows.size());
}

int ServerCheckModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString ServerCheckModel::cellText(const FigureCheck &row, int column) const
{
    switch (column) {
    case FigureColumn:
        return memory::figureTitle(row.figure);
    case TheirsColumn:
        return row.theirs ? amount(*row.theirs, row.figure) : row.figure.printed;
    case OursColumn:
        return row.ours ? amount(*row.ours, row.figure, furtherDecimals(row)) : row.ours_text;
    case DifferenceColumn:
        return difference(row);
    case ReasonColumn:
        return reasonText(row);
    default:
        return {};
    }
}

QVariant ServerCheckModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const FigureCheck &row = m_check.rows.at(index.row());
    const bool is_number = index.column() != FigureColumn && index.column() != ReasonColumn;
    switch (role) {
    case Qt::DisplayRole:
        return cellText(row, index.column());
    case Qt::ToolTipRole:
        return row.figure.line > 0 ? tr("Line %1: %2").arg(QLocale().toString(row.figure.line), row.figure.source)
                                   : row.figure.source;
    case Qt::TextAlignmentRole:
        return int((is_number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::ForegroundRole:
        return index.column() == ReasonColumn ? QVariant(textColor(row.verdict)) : QVariant();
    default:
        return {};
    }
}

QVariant ServerCheckModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::DisplayRole)
        return header(section);
    const bool is_number = section != FigureColumn && section != ReasonColumn;
    if (role == Qt::TextAlignmentRole)
        return int((is_number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    return {};
}

QString ServerCheckModel::plainText() const
{
    QStringList lines;
    QStringList cells;
    for (int column = 0; column < ColumnCount; ++column)
        cells << header(column);
    lines << cells.join(u'\t');
    for (const FigureCheck &row : m_check.rows) {
        cells.clear();
        for (int column = 0; column < ColumnCount; ++column)
            cells << cellText(row, column).replace(u'\n', u' ');
        lines << cells.join(u'\t');
    }
    return lines.join(u'\n') + u'\n';
}

void ServerCheckModel::refresh()
{
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
    if (!m_check.rows.isEmpty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

} // namespace kvlab::ui
