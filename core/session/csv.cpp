// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/csv.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QSaveFile>

#include <cmath>

namespace kvlab::session {

namespace {

/// First characters that make a spreadsheet run a cell or shift it.
bool startsGuarded(QStringView text)
{
    return !text.isEmpty() && QStringView(u"=+-@\t\r").contains(text.front());
}

bool isRowEnd(QChar c)
{
    return c == u'\r' || c == u'\n';
}

/// Reads cells from front to back.
class CsvReader
{
public:
    explicit CsvReader(const QString &text)
        : m_text(text)
    {
    }

    QList<QStringList> rows()
    {
        QList<QStringList> rows;
        while (m_at < m_text.size())
            rows << row();
        return rows;
    }

private:
    QStringList row()
    {
        QStringList cells;
        for (;;) {
            cells << withoutGuard(cell());
            if (m_at == m_text.size())
                return cells;
            const QChar end = m_text.at(m_at++);
            if (end == u',')
                continue;
            if (end == u'\r' && m_at < m_text.size() && m_text.at(m_at) == u'\n')
                ++m_at;
            return cells;
        }
    }

    QString cell()
    {
        QString value;
        if (m_at < m_text.size() && m_text.at(m_at) == u'"')
            value = quoted();
        // Whatever follows a closing quote belongs to the cell as it stands.
        while (m_at < m_text.size() && m_text.at(m_at) != u',' && !isRowEnd(m_text.at(m_at)))
            value += m_text.at(m_at++);
        return value;
    }

    QString quoted()
    {
        QString value;
        ++m_at;
        while (m_at < m_text.size()) {
            const QChar c = m_text.at(m_at++);
            if (c != u'"') {
                value += c;
            } else if (m_at < m_text.size() && m_text.at(m_at) == u'"') {
                value += c;
                ++m_at;
            } else {
                break;
            }
        }
        return value;
    }

    static QString withoutGuard(const QString &cell)
    {
        return cell.startsWith(u'\'') && startsGuarded(QStringView(cell).mid(1)) ? cell.mid(1) : cell;
    }

    const QString &m_text;
    qsizetype m_at = 0;
};

} // namespace

QString csvTextCell(const QString &text)
{
    QString cell = startsGuarded(text) ? u'\'' + text : text;
    const bool needs_quotes = cell.contains(u',') || cell.contains(u'"') || cell.contains(u'\r') || cell.contains(u'\n')
        || cell.startsWith(u' ') || cell.endsWith(u' ');
    if (!needs_quotes)
        return cell;
    cell.replace(u'"', QStringLiteral("\"\""));
    return u'"' + cell + u'"';
}

QString csvNumberCell(const std::optional<QString> &number)
{
    return number.value_or(QString());
}

QString csvNumber(double value, int decimals)
{
    if (!std::isfinite(value))
        return {};
    QString text = QString::number(value, 'f', decimals);
    if (text.contains(u'.')) {
        while (text.endsWith(u'0'))
            text.chop(1);
        if (text.endsWith(u'.'))
            text.chop(1);
    }
    return text == QLatin1String("-0") ? QStringLiteral("0") : text;
}

void CsvWriter::addRow(const QStringList &cells)
{
    m_rows += cells.join(u',') + QStringLiteral("\r\n");
}

QByteArray CsvWriter::toUtf8(ByteOrderMark mark) const
{
    const QByteArray rows = m_rows.toUtf8();
    return mark == ByteOrderMark::yes ? QByteArrayLiteral("\xEF\xBB\xBF") + rows : rows;
}

QList<QStringList> parseCsv(const QByteArray &document)
{
    QString text = QString::fromUtf8(document);
    if (text.startsWith(QChar::ByteOrderMark))
        text.remove(0, 1);
    return CsvReader(text).rows();
}

std::optional<QString> writeFileAtomically(const QString &path, const QByteArray &content)
{
    const QString shown = QDir::toNativeSeparators(path);
    const QFileInfo target(path);
    if (path.isEmpty())
        return QCoreApplication::translate("files", "Nothing was written, because no file was named. Choose a file.");
    if (!target.dir().exists())
        return QCoreApplication::translate(
            "files", "“%1” was not written, because the folder “%2” does not exist. Make the folder or choose another.")
            .arg(shown, QDir::toNativeSeparators(target.dir().absolutePath()));
    if (target.isDir())
        return QCoreApplication::translate(
            "files", "“%1” was not written, because a folder has this name. Choose another name.")
            .arg(shown);
    if (target.exists() && !target.isFile())
        return QCoreApplication::translate(
            "files", "“%1” was not written, because it is a device and not a file. Choose a file.")
            .arg(shown);

    QSaveFile file(path);
    if (file.open(QIODevice::WriteOnly) && file.write(content) == content.size() && file.commit())
        return std::nullopt;
    return QCoreApplication::translate("files",
        "“%1” was not written: %2. An older file of this name is unchanged. Make room, get the right to write "
        "there, or choose another place.")
        .arg(shown, file.errorString());
}

} // namespace kvlab::session
