// SPDX-License-Identifier: GPL-3.0-or-later
// Command lines as shells read them.
#include "servers/launch_command.h"

#include <QRegularExpression>

namespace kvlab::servers {

namespace {

QString posixWord(const QString &word, bool isProgram = false)
{
    // A first word with “=” would be taken for a variable.
    static const QRegularExpression safe(QStringLiteral("^[A-Za-z0-9_@%+=:,./-]+$"));
    if (safe.match(word).hasMatch() && !(isProgram && word.contains(u'=')))
        return word;
    return u'\'' + QString(word).replace(u'\'', QStringLiteral("'\\''")) + u'\'';
}

/// As CommandLineToArgvW reads it: backslashes count only before a quote.
QString windowsWord(const QString &word)
{
    static const QRegularExpression safe(QStringLiteral("^[A-Za-z0-9_@+=:,./\\\\-]+$"));
    if (safe.match(word).hasMatch())
        return word;
    QString quoted(u'"');
    qsizetype backslashes = 0;
    for (const QChar c : word) {
        if (c == u'"')
            quoted += QString(backslashes + 1, u'\\');
        backslashes = c == u'\\' ? backslashes + 1 : 0;
        quoted += c;
    }
    return quoted + QString(backslashes, u'\\') + u'"';
}

/// Takes one line apart; see splitArguments().
class WordReader
{
public:
    std::optional<QStringList> read(const QString &line)
    {
        for (m_pos = 0; m_pos < line.size(); ++m_pos) {
            if (!take(line))
                return std::nullopt;
        }
        endWord();
        return m_words;
    }

private:
    bool take(const QString &line)
    {
        const QChar c = line.at(m_pos);
        if (c == u'\'')
            return takeQuoted(line, c);
        if (c == u'"')
            return takeQuoted(line, c);
        if (c == u'\\') {
            if (m_pos + 1 == line.size())
                return false;
            append(line.at(++m_pos));
        } else if (c.isSpace()) {
            endWord();
        } else {
            append(c);
        }
        return true;
    }

    bool takeQuoted(const QString &line, QChar quote)
    {
        m_inWord = true;
        for (++m_pos; m_pos < line.size(); ++m_pos) {
            const QChar c = line.at(m_pos);
            if (c == quote)
                return true;
            const bool escapes = quote == u'"' && c == u'\\' && m_pos + 1 < line.size()
                && QStringView(u"\"\\$`").contains(line.at(m_pos + 1));
            append(escapes ? line.at(++m_pos) : c);
        }
        return false;
    }

    void append(QChar c)
    {
        m_word += c;
        m_inWord = true;
    }

    void endWord()
    {
        if (m_inWord)
            m_words << m_word;
        m_word.clear();
        m_inWord = false;
    }

    qsizetype m_pos = 0;
    QString m_word;
    bool m_inWord = false; ///< an empty word in quotes is one too
    QStringList m_words;
};

} // namespace

std::optional<QStringList> splitArguments(const QString &line)
{
    return WordReader().read(line);
}

QString shellLine(const ProcessCommand &command, Shell shell)
{
    const bool posix = shell == Shell::posix;
    QStringList words;
    for (const auto &[name, value] : command.environment)
        words << (posix ? name + u'=' + posixWord(value) : QStringLiteral("set \"%1=%2\" &&").arg(name, value));
    words << (posix ? posixWord(command.program, true) : windowsWord(command.program));
    for (const QString &argument : command.arguments)
        words << (posix ? posixWord(argument) : windowsWord(argument));
    return words.join(u' ');
}

} // namespace kvlab::servers
