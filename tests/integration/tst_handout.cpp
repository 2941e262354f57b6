// SPDX-License-Identifier: GPL-3.0-or-later
// The handout's measurements as it has them: prompts counted by hand, order, limits, definitions of time, and every
// flaw beside what it spoils.
#include "experiment/handout.h"
#include "support/fault_server.h"
#include "support/model_server.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QProcess>
#include <QSet>
#include <QTest>

using namespace kvlab::experiment;
using namespace kvlab::test;

namespace {

const auto always = [] { return true; };

HandoutResult runAgainst(const QUrl &url, int part)
{
    ServerTarget target;
    target.base_url = url;
    return runHandout(target, part, {}, always);
}

QString contentOf(const ChatRequest &chat, int index)
{
    return chat.body.value(u"messages").toArray().at(index).toObject().value(u"content").toString();
}

} // namespace

class TestHandout : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void promptsAreTheHandouts();
    void flawsAreNumberedAndPlaced();
    void part2InItsOrder();
    void part3TimesWholeAnswersOnNewConnections();
    void timeBeginsBeforeConnecting();
    void failureKeepsWhatWasMeasured();
    void unreachableServer();
    void stopsAtOnce();
    void findings();
    void commandLine();
};

/// Characters and bytes as counted in the handout: 2,400 / 5,760 for the long prompt, 3,500 / 10,500 for the poet's,
/// 700 / 1,700 for Part 3.
void TestHandout::promptsAreTheHandouts()
{
    const QList<HandoutRequest> part2 = handoutRequests(2);
    QCOMPARE(part2.size(), 4);
    QCOMPARE(part2.at(1).system.size(), 2'400);
    QCOMPARE(part2.at(1).system.toUtf8().size(), 5'760);
    QVERIFY(part2.at(1).system.startsWith(u"你是一个专业的AI基础设施专家。\n你的知识包括: GPU架构、"));
    QCOMPARE(part2.at(3).system.size(), 3'500);
    QCOMPARE(part2.at(3).system.toUtf8().size(), 10'500);
    const QList<HandoutRequest> part3 = handoutRequests(3);
    QCOMPARE(part3.size(), 2);
    QCOMPARE(part3.at(0).system.size(), 700);
    QCOMPARE(part3.at(0).system.toUtf8().size(), 1'700);
    QVERIFY(handoutRequests(1).isEmpty());
}

void TestHandout::flawsAreNumberedAndPlaced()
{
    const QList<HandoutFlaw> flaws = handoutFlaws();
    QCOMPARE(flaws.size(), 19);
    QSet<QString> titles;
    for (qsizetype i = 0; i < flaws.size(); ++i) {
        QCOMPARE(flaws.at(i).number, i + 1);
        QVERIFY(!flaws.at(i).places.isEmpty());
        QVERIFY(flaws.at(i).title.endsWith(u'.') && flaws.at(i).detail.endsWith(u'.'));
        titles.insert(flaws.at(i).title);
    }
    QCOMPARE(titles.size(), 19);
    const auto numbersAt = [](HandoutPlace place) {
        QList<int> numbers;
        for (const HandoutFlaw &flaw : handoutFlaws(place))
            numbers << flaw.number;
        return numbers;
    };
    QVERIFY(numbersAt(HandoutPlace::no_cache).contains(1));
    QVERIFY(numbersAt(HandoutPlace::different_prefix).contains(2));
    QCOMPARE(numbersAt(HandoutPlace::part3_second), (QList<int>{10, 11}));
    QCOMPARE(numbersAt(HandoutPlace::part1_table), (QList<int>{13, 14, 15}));
}

void TestHandout::part2InItsOrder()
{
    ModelServer server;
    const HandoutResult result = runAgainst(server.url(), 2);
    QVERIFY2(result.message.isEmpty(), qPrintable(result.message));
    QCOMPARE(result.model, QStringLiteral("tiny"));
    const QList<ChatRequest> chats = server.chats();
    QCOMPARE(chats.size(), 4);
    const QStringList questions{u"什么是GPU?"_qs, u"什么是GPU?"_qs, u"什么是CUDA?"_qs, u"什么是GPU?"_qs};
    const QStringList labels{u"WARMUP"_qs, u"NO CACHE"_qs, u"CACHED"_qs, u"DIFFERENT PREFIX"_qs};
    for (qsizetype i = 0; i < 4; ++i) {
        QCOMPARE(contentOf(chats.at(i), 1), questions.at(i));
        QCOMPARE(chats.at(i).body.value(u"max_tokens").toInt(), 50);
        QVERIFY(chats.at(i).body.value(u"stream").toBool());
        QVERIFY(!chats.at(i).body.contains(u"temperature")); // the course sets none
        QCOMPARE(result.samples.at(i).request.label, labels.at(i));
        QCOMPARE(result.samples.at(i).request.printed, i > 0);
        QCOMPARE(result.samples.at(i).probe.evidence.cached_tokens, chats.at(i).cached);
        QVERIFY(result.samples.at(i).handout_ms.has_value());
    }
    QCOMPARE(contentOf(chats.at(0), 0), contentOf(chats.at(2), 0));
    QVERIFY(contentOf(chats.at(3), 0).startsWith(u"你是一个诗人。你是一个诗人。"));
    // The flaw itself: what is called NO CACHE finds its whole prompt.
    QVERIFY(chats.at(1).cached > chats.at(1).tokens.size() - 17 && chats.at(0).cached == 0);
}

void TestHandout::part3TimesWholeAnswersOnNewConnections()
{
    ServerBehaviour behaviour;
    behaviour.token_us = 500;
    ModelServer server(behaviour);
    const HandoutResult result = runAgainst(server.url(), 3);
    QVERIFY2(result.message.isEmpty(), qPrintable(result.message));
    QCOMPARE(result.samples.size(), 2);
    for (const HandoutSample &sample : result.samples) {
        QVERIFY(sample.probe.new_connection);
        QVERIFY(*sample.handout_ms >= *sample.probe.totalMs());
        QVERIFY(sample.probe.evidence.prompt_tokens.has_value());
        QVERIFY(!sample.probe.ttftMs()); // there is no first token to see
    }
    for (const ChatRequest &chat : server.chats()) {
        QVERIFY(!chat.body.contains(u"stream"));
        QCOMPARE(chat.body.value(u"max_tokens").toInt(), 100);
    }
    QCOMPARE(contentOf(server.chats().at(0), 1), u"什么是GPU的Tensor Core?"_qs);
    QCOMPARE(contentOf(server.chats().at(1), 1), u"什么是CPU的SIMD指令?"_qs);
}

void TestHandout::timeBeginsBeforeConnecting()
{
    FaultServer server(fault::wholeStream(QStringLiteral("Hi"), 20));
    ServerTarget target;
    target.base_url = server.url();
    target.model = QStringLiteral("any");
    const HandoutResult result = runHandout(target, 2, {}, always);
    QCOMPARE(result.samples.size(), 4);
    for (const HandoutSample &sample : result.samples) {
        const double connecting = sample.probe.new_connection ? *sample.probe.connectMs() : 0;
        QVERIFY(*sample.handout_ms >= *sample.probe.ttftMs() + connecting);
    }
    QVERIFY(result.samples.first().probe.new_connection && !result.samples.last().probe.new_connection);
}

void TestHandout::failureKeepsWhatWasMeasured()
{
    ServerBehaviour behaviour;
    behaviour.fault_at = 3;
    behaviour.fault = fault::answer(500, "text/plain", "oops");
    ModelServer server(behaviour);
    const HandoutResult result = runAgainst(server.url(), 2);
    QCOMPARE(result.samples.size(), 3);
    QVERIFY(result.samples.at(1).handout_ms && !result.samples.at(2).handout_ms);
    QVERIFY2(result.message.contains(u"500"), qPrintable(result.message));
}

void TestHandout::unreachableServer()
{
    const HandoutResult result = runAgainst(QUrl(QStringLiteral("http://127.0.0.1:9")), 2);
    QVERIFY(result.samples.isEmpty());
    QVERIFY(result.message.contains(u"127.0.0.1:9"));
}

void TestHandout::stopsAtOnce()
{
    ServerBehaviour behaviour;
    behaviour.silent_at = 2;
    ModelServer server(behaviour);
    ServerTarget target;
    target.base_url = server.url();
    QElapsedTimer time;
    time.start();
    const HandoutResult result = runHandout(target, 2, {}, [&] { return server.chats().size() < 2; });
    QVERIFY(result.stopped);
    QCOMPARE(result.samples.size(), 1);
    QVERIFY(time.elapsed() < 60'000); // not the two minutes of the first token's limit
}

void TestHandout::findings()
{
    HandoutResult result;
    result.part = 2;
    QVERIFY(handoutFinding(result).isEmpty());
    for (const HandoutRequest &request : handoutRequests(2))
        result.samples.append({request, {}, request.place == HandoutPlace::cached ? 132.0 : 80.0});
    QVERIFY2(handoutFinding(result).contains(u"65 % slower"), qPrintable(handoutFinding(result)));
    result.samples[2].handout_ms = 40;
    QVERIFY(handoutFinding(result).contains(u"50 % faster") && handoutFinding(result).contains(u"does not say"));
    result.samples[1].probe.evidence.cached_tokens = 1152;
    QVERIFY(handoutFinding(result).contains(u"was cached too"));
    result.samples[1].probe.evidence.cached_tokens = 0;
    QVERIFY(handoutFinding(result).contains(u"found nothing"));
}

void TestHandout::commandLine()
{
    ModelServer server;
    QProcess process;
    const auto run = [&process](const QStringList &arguments) {
        process.start(QStringLiteral(KVLAB_BINARY),
            QStringList{QStringLiteral("--lang"), QStringLiteral("en"), QStringLiteral("probe")} + arguments);
        return process.waitForFinished(60'000) && process.exitStatus() == QProcess::NormalExit ? process.exitCode()
                                                                                               : -1;
    };
    const QStringList url{u"--url"_qs, server.url().toString()};
    QCOMPARE(run(url + QStringList{u"--handout"_qs, u"2"_qs, u"--format"_qs, u"json"_qs}), 0);
    const QJsonObject handout
        = QJsonDocument::fromJson(process.readAllStandardOutput()).object().value(u"handout").toObject();
    QCOMPARE(handout.value(u"requests").toArray().size(), 4);
    QCOMPARE(handout.value(u"flaws").toArray().size(), 19);
    QVERIFY(handout.value(u"requests").toArray().at(1).toObject().value(u"flaws").toArray().contains(1));
    QCOMPARE(run(url + QStringList{u"--handout"_qs, u"3"_qs}), 0);
    const QString table = QString::fromUtf8(process.readAllStandardOutput());
    QVERIFY2(table.contains(u"Request 2") && table.contains(u"19. "), qPrintable(table));
    QCOMPARE(run(url + QStringList{u"--handout"_qs, u"1"_qs}), 2);
    QCOMPARE(run({u"--url"_qs, u"http://127.0.0.1:9"_qs, u"--handout"_qs, u"2"_qs}), 4);
}

QTEST_GUILESS_MAIN(TestHandout)
#include "tst_handout.moc"
