// SPDX-License-Identifier: GPL-3.0-or-later
// Clipboard text as Excel, Calc, Sheets and WPS make it (reference cases), and back.
#include "session/clipboard_table.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRandomGenerator>
#include <QTest>

using namespace kvlab::session;

class TestClipboardTable : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void referenceCases_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QList<QStringList>>("cells");
        QFile file(QStringLiteral(KVLAB_TEST_DATA "/csv-cases.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonArray cases
            = QJsonDocument::fromJson(file.readAll()).object().value(QLatin1String("clipboard")).toArray();
        QVERIFY(cases.size() >= 19);
        for (const QJsonValue &value : cases) {
            QList<QStringList> cells;
            for (const QJsonValue &row : value[QLatin1String("cells")].toArray()) {
                QStringList list;
                for (const QJsonValue &cell : row.toArray())
                    list << cell.toString();
                cells << list;
            }
            QTest::addRow("%s", qPrintable(value[QLatin1String("id")].toString()))
                << value[QLatin1String("text")].toString() << cells;
        }
    }

    void referenceCases()
    {
        QFETCH(QString, text);
        QTEST(tableFromText(text), "cells");
    }

    /// Whatever the cells hold, what is copied is what is pasted.
    void roundTrip()
    {
        QRandomGenerator random(20261201);
        const QString letters = QStringLiteral("a\"\t\n\r0 ，模,'=");
        for (int i = 0; i < 3000; ++i) {
            QList<QStringList> rows;
            for (int row = random.bounded(1, 4); row > 0; --row) {
                QStringList cells;
                for (int cell = random.bounded(1, 4); cell > 0; --cell) {
                    QString text;
                    for (int letter = random.bounded(0, 5); letter > 0; --letter)
                        text += letters.at(random.bounded(int(letters.size())));
                    cells << text;
                }
                rows << cells;
            }
            QCOMPARE(tableFromText(tableToText(rows)), rows);
        }
    }

    void anythingIsRead()
    {
        QRandomGenerator random(7);
        for (int i = 0; i < 2000; ++i) {
            QString text;
            for (int letter = random.bounded(0, 60); letter > 0; --letter)
                text += QChar(ushort(random.bounded(4) == 0 ? random.bounded(0x10000) : random.bounded(8, 40)));
            QVERIFY(!tableFromText(text).isEmpty());
        }
    }
};

QTEST_GUILESS_MAIN(TestClipboardTable)
#include "tst_clipboard_table.moc"
