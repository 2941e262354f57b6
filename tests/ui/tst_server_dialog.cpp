// SPDX-License-Identifier: GPL-3.0-or-later
#include "i18n/language.h"
#include "ui/dialogs/server_dialog.h"
#include "ui/widgets/appearance.h"

#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>

using namespace kvlab;
using namespace kvlab::ui;
using experiment::ServerTarget;

class TestServerDialog : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void address_data();
    void address();
    void keepsWhatWasTyped();
    void refusesBadInput();
};

void TestServerDialog::initTestCase()
{
    i18n::installLanguage(QStringLiteral("en"));
    applyAppearance(Theme::light, 1.0);
}

void TestServerDialog::address_data()
{
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("expected");
    QTest::newRow("bare") << QStringLiteral(" localhost:8000 ") << QStringLiteral("http://localhost:8000");
    QTest::newRow("whole") << QStringLiteral("https://host.example/v1") << QStringLiteral("https://host.example/v1");
    QTest::newRow("ipv6") << QStringLiteral("http://[::1]:9000") << QStringLiteral("http://[::1]:9000");
    QTest::newRow("empty") << QString() << QString();
    QTest::newRow("spaces inside") << QStringLiteral("http://my server") << QString();
    QTest::newRow("no host") << QStringLiteral("http://") << QString();
    QTest::newRow("other scheme") << QStringLiteral("ftp://host") << QString();
    QTest::newRow("port out of range") << QStringLiteral("http://host:99999") << QString();
    QTest::newRow("password") << QStringLiteral("http://me:secret@host") << QString();
    QTest::newRow("query") << QStringLiteral("http://host/v1?key=secret") << QString();
}

void TestServerDialog::address()
{
    QFETCH(QString, typed);
    QFETCH(QString, expected);
    const auto read = readServerAddress(typed);
    if (!expected.isEmpty()) {
        QVERIFY(std::holds_alternative<QUrl>(read));
        QCOMPARE(std::get<QUrl>(read).toString(), expected);
        return;
    }
    QVERIFY(std::holds_alternative<QString>(read));
    QVERIFY(std::get<QString>(read).endsWith(u'.'));
    QVERIFY(!std::get<QString>(read).contains(u"secret"));
}

void TestServerDialog::keepsWhatWasTyped()
{
    ServerDialog dialog;
    dialog.open();
    QVERIFY(QTest::qWaitForWindowExposed(&dialog));
    auto *key = dialog.findChild<QLineEdit *>(QStringLiteral("key"));
    QCOMPARE(key->echoMode(), QLineEdit::Password);
    // By keyboard alone: address, model, key, Return.
    QTest::keyClicks(dialog.focusWidget(), QStringLiteral("localhost:8000/v1"));
    QTest::keyClick(dialog.focusWidget(), Qt::Key_Tab);
    QTest::keyClicks(dialog.focusWidget(), QStringLiteral("qwen2.5-7b"));
    QTest::keyClick(dialog.focusWidget(), Qt::Key_Tab);
    QTest::keyClicks(dialog.focusWidget(), QStringLiteral("sk-123"));
    QSignalSpy accepted(&dialog, &QDialog::accepted);
    QTest::keyClick(dialog.focusWidget(), Qt::Key_Return);
    QCOMPARE(accepted.count(), 1);
    const ServerTarget target = dialog.target();
    QCOMPARE(target.base_url, QUrl(QStringLiteral("http://localhost:8000/v1")));
    QCOMPARE(target.model, QStringLiteral("qwen2.5-7b"));
    QCOMPARE(target.api_key, QByteArray("sk-123"));
    QCOMPARE(target.label, QStringLiteral("http://localhost:8000/v1"));
    QVERIFY(!target.practice_engine);
    ServerDialog again;
    again.setTarget(target);
    QCOMPARE(again.target().base_url, target.base_url);
    QCOMPARE(again.target().api_key, target.api_key);
}

void TestServerDialog::refusesBadInput()
{
    ServerDialog dialog;
    dialog.open();
    QVERIFY(QTest::qWaitForWindowExposed(&dialog));
    QSignalSpy accepted(&dialog, &QDialog::accepted);
    auto *address = dialog.findChild<QLineEdit *>(QStringLiteral("address"));
    auto *problem = dialog.findChild<QLabel *>(QStringLiteral("addressProblem"));
    QVERIFY(!problem->isVisible());
    QTest::keyClicks(address, QStringLiteral("ftp://host"));
    QTest::keyClick(address, Qt::Key_Return);
    QCOMPARE(accepted.count(), 0);
    QVERIFY(problem->isVisible() && problem->text().contains(u"http://"));
    address->clear();
    QTest::keyClicks(address, QStringLiteral("host:8000"));
    QVERIFY(!problem->isVisible());
    auto *key = dialog.findChild<QLineEdit *>(QStringLiteral("key"));
    QTest::keyClicks(key, QStringLiteral("two words"));
    QTest::keyClick(key, Qt::Key_Return);
    QCOMPARE(accepted.count(), 0);
    QVERIFY(dialog.findChild<QLabel *>(QStringLiteral("keyProblem"))->isVisible());
    key->setText(QStringLiteral("word"));
    QTest::keyClick(key, Qt::Key_Return);
    QCOMPARE(accepted.count(), 1);
}

QTEST_MAIN(TestServerDialog)
#include "tst_server_dialog.moc"
