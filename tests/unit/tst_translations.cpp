// SPDX-License-Identifier: GPL-3.0-or-later
// The Chinese translation is complete: every text in the sources has one, with the same placeholders, in Chinese
// characters.
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

namespace {

struct Message
{
    QString context;
    QString source;
    QStringList translations; ///< several for plural forms
    QString type; ///< unfinished, vanished, obsolete, or empty
    bool numerus = false;
};

Message readMessage(QXmlStreamReader &xml, const QString &context)
{
    Message message;
    message.context = context;
    message.numerus = xml.attributes().value(QLatin1String("numerus")) == QLatin1String("yes");
    while (xml.readNextStartElement()) {
        if (xml.name() == QLatin1String("source")) {
            message.source = xml.readElementText();
        } else if (xml.name() == QLatin1String("translation")) {
            message.type = xml.attributes().value(QLatin1String("type")).toString();
            if (message.numerus) {
                while (xml.readNextStartElement())
                    message.translations << xml.readElementText();
            } else {
                message.translations << xml.readElementText();
            }
        } else {
            xml.skipCurrentElement();
        }
    }
    return message;
}

QList<Message> readTranslations(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QXmlStreamReader xml(&file);
    QList<Message> messages;
    QString context;
    while (!xml.atEnd()) {
        xml.readNext();
        if (!xml.isStartElement())
            continue;
        if (xml.name() == QLatin1String("name"))
            context = xml.readElementText();
        else if (xml.name() == QLatin1String("message"))
            messages << readMessage(xml, context);
    }
    return messages;
}

QStringList placeholders(const QString &text)
{
    static const QRegularExpression pattern(QStringLiteral("%(L?\\d+|n)"));
    QStringList found;
    for (auto match = pattern.globalMatch(text); match.hasNext();)
        found << match.next().captured();
    found.sort();
    return found;
}

bool hasHan(const QString &text)
{
    static const QRegularExpression han(QStringLiteral("\\p{Han}"));
    return han.match(text).hasMatch();
}

} // namespace

class TestTranslations : public QObject
{
    Q_OBJECT

private:
    QList<Message> m_messages;

private Q_SLOTS:
    /// lupdate over the sources, into a copy: what is new there has no translation yet.
    void initTestCase()
    {
        QTemporaryDir folder;
        const QString copy = folder.filePath(QStringLiteral("kvlab_zh_CN.ts"));
        QVERIFY(QFile::copy(QStringLiteral(KVLAB_SOURCE_DIR "/resources/i18n/kvlab_zh_CN.ts"), copy));
        QProcess lupdate;
        lupdate.setWorkingDirectory(QStringLiteral(KVLAB_SOURCE_DIR));
        lupdate.start(QStringLiteral(KVLAB_LUPDATE),
            {QStringLiteral("-I"), QStringLiteral("."), QStringLiteral("-I"), QStringLiteral("core"),
                QStringLiteral("-no-obsolete"), QStringLiteral("-locations"), QStringLiteral("none"),
                QStringLiteral("-recursive"), QStringLiteral("core"), QStringLiteral("ui"), QStringLiteral("app"),
                QStringLiteral("-ts"), copy});
        QVERIFY2(
            lupdate.waitForFinished(120'000) && lupdate.exitCode() == 0, lupdate.readAllStandardError().constData());
        m_messages = readTranslations(copy);
        QVERIFY(m_messages.size() > 100);
    }

    void everyTextIsTranslated()
    {
        QStringList missing;
        for (const Message &message : std::as_const(m_messages)) {
            const bool empty = message.translations.isEmpty() || message.translations.contains(QString());
            if (empty || !message.type.isEmpty())
                missing << message.context + QStringLiteral(": ") + message.source;
        }
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join(QLatin1Char('\n'))));
    }

    void placeholdersAreKept()
    {
        for (const Message &message : std::as_const(m_messages)) {
            for (const QString &translation : message.translations) {
                QVERIFY2(placeholders(translation) == placeholders(message.source),
                    qPrintable(message.source + QStringLiteral(" → ") + translation));
            }
        }
    }

    /// A handful of texts are names or formats and stay as they are.
    void almostEverySentenceIsChinese()
    {
        int sentences = 0;
        QStringList others;
        for (const Message &message : std::as_const(m_messages)) {
            if (message.source.count(QLatin1Char(' ')) < 2)
                continue;
            ++sentences;
            if (!hasHan(message.translations.join(QString())))
                others << message.source;
        }
        QVERIFY2(others.size() * 100 <= sentences, qPrintable(others.join(QLatin1Char('\n'))));
    }
};

QTEST_GUILESS_MAIN(TestTranslations)
#include "tst_translations.moc"
