// SPDX-License-Identifier: GPL-3.0-or-later
// Command lines that start servers. Expected lines are those that the servers' documentation and recorded starts give;
// quoting is judged by the system's own shell.
#include "servers/launch_command.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>

using namespace kvlab::servers;

namespace {

constexpr int patienceMs = 20'000;

LaunchPlan planFor(LaunchKind kind, const char *model = "")
{
    LaunchPlan plan;
    plan.kind = kind;
    plan.model = QString::fromLatin1(model);
    return plan;
}

/// Every word of `line` stands among the command's variables and arguments, values right behind their flags.
QString missingFrom(const ProcessCommand &command, const QString &line)
{
    const QStringList words = *splitArguments(line);
    QStringList have{command.program};
    have += command.arguments;
    QStringList variables;
    for (const auto &[name, value] : command.environment)
        variables << name + u'=' + value;
    for (qsizetype i = 0; i < words.size(); ++i) {
        const QString &word = words.at(i);
        if (variables.contains(word))
            continue;
        const qsizetype at = have.indexOf(word);
        if (at < 0)
            return word;
        const bool takesValue = word.startsWith(u'-') && i + 1 < words.size() && !words.at(i + 1).startsWith(u'-');
        if (takesValue && have.value(at + 1) != words.at(i + 1))
            return word + u' ' + words.at(i + 1);
    }
    return {};
}

/// What a POSIX shell makes of a line: its words.
QStringList wordsByShell(const QString &line)
{
    QProcess shell;
    shell.start(QStringLiteral("sh"), {QStringLiteral("-c"), QStringLiteral("printf '%s\\0' ") + line});
    shell.waitForFinished(patienceMs);
    QStringList words = QString::fromUtf8(shell.readAllStandardOutput()).split(QChar(u'\0'));
    words.removeLast();
    return words;
}

} // namespace

class TestLaunchCommand : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void documentedLines_data();
    void documentedLines();
    void lmcacheServer();
    void versions();
    void practiceEngine();
    void refusals_data();
    void refusals();
    void everyFieldOfEveryKind();
    void handoutFlag();
    void keysStayOut();
    void split_data();
    void split();
    void quoting_data();
    void quoting();
    void variablesInShell();
    void windowsQuoting();
};

void TestLaunchCommand::documentedLines_data()
{
    QTest::addColumn<LaunchPlan>("plan");
    QTest::addColumn<QString>("line");

    LaunchPlan plan = planFor(LaunchKind::vllm, "Qwen/Qwen2.5-0.5B-Instruct");
    plan.context_length = 8192;
    QTest::newRow("vllm, reference pair, caching on")
        << plan
        << QStringLiteral(
               "VLLM_SERVER_DEV_MODE=1 vllm serve Qwen/Qwen2.5-0.5B-Instruct --port 8000 --max-model-len 8192 "
               "--enable-prompt-tokens-details");
    plan.port = 8001;
    plan.prefix_caching = false;
    QTest::newRow("vllm, reference pair, caching off")
        << plan
        << QStringLiteral("vllm serve Qwen/Qwen2.5-0.5B-Instruct --port 8001 --max-model-len 8192 "
                          "--no-enable-prefix-caching");

    plan = planFor(LaunchKind::vllm, "MODEL");
    plan.version = QVersionNumber(0, 32);
    plan.context_length = 4096;
    plan.cpu_cache_gib = 2;
    plan.extra_arguments = QStringLiteral("--load-format dummy --dtype float32 --block-size 32 --enforce-eager");
    QTest::newRow("vllm for CPUs as tried")
        << plan
        << QStringLiteral(
               "VLLM_SERVER_DEV_MODE=1 VLLM_CPU_KVCACHE_SPACE=2 vllm serve MODEL --load-format dummy --dtype "
               "float32 --block-size 32 --max-model-len 4096 --enable-prefix-caching "
               "--enable-prompt-tokens-details --enable-per-request-metrics --enforce-eager --port 8000");

    plan = planFor(LaunchKind::vllm, "MODEL");
    plan.offload_gib = 5;
    plan.gpu_memory_utilization = 0.9;
    plan.tensor_parallel = 2;
    plan.kv_cache_dtype = QStringLiteral("fp8");
    QTest::newRow("vllm, its own offloading") << plan
                                              << QStringLiteral("vllm serve MODEL --kv-offloading-size 5 "
                                                                "--gpu-memory-utilization 0.9 --tensor-parallel-size 2 "
                                                                "--kv-cache-dtype fp8");

    plan = planFor(LaunchKind::lmcache_in_process, "MODEL");
    QTest::newRow("lmcache in vllm")
        << plan
        << QStringLiteral("PYTHONHASHSEED=0 LMCACHE_LOCAL_CPU=true LMCACHE_MAX_LOCAL_CPU_SIZE=5 vllm serve MODEL "
                          R"(--kv-transfer-config '{"kv_connector":"LMCacheConnectorV1","kv_role":"kv_both"}')");

    plan = planFor(LaunchKind::llama_server, "gemma.gguf");
    plan.port = 8080;
    plan.context_length = 4096;
    plan.slots = 1;
    plan.extra_arguments = QStringLiteral("-t 2");
    QTest::newRow("llama-server as tried")
        << plan << QStringLiteral("llama-server -m gemma.gguf -c 4096 -np 1 -t 2 --metrics -lv 4");
    plan.context_length = 2048;
    plan.slots = 4;
    plan.kv_cache_dtype = QStringLiteral("q8_0");
    QTest::newRow("llama-server, quantized cache")
        << plan << QStringLiteral("llama-server -c 2048 -np 4 -ctk q8_0 -ctv q8_0 -fa on");

    plan = planFor(LaunchKind::sglang, "meta-llama/Meta-Llama-3-8B-Instruct");
    plan.tensor_parallel = 2;
    QTest::newRow("sglang, documentation")
        << plan
        << QStringLiteral("-m sglang.launch_server --model-path meta-llama/Meta-Llama-3-8B-Instruct --tp 2 "
                          "--enable-cache-report");

    plan = planFor(LaunchKind::ollama);
    plan.port = 11434;
    plan.context_length = 8192;
    plan.kv_cache_dtype = QStringLiteral("q8_0");
    QTest::newRow("ollama, documentation")
        << plan
        << QStringLiteral("OLLAMA_HOST=127.0.0.1:11434 OLLAMA_CONTEXT_LENGTH=8192 OLLAMA_FLASH_ATTENTION=1 "
                          "OLLAMA_KV_CACHE_TYPE=q8_0 ollama serve");
}

void TestLaunchCommand::documentedLines()
{
    QFETCH(LaunchPlan, plan);
    QFETCH(QString, line);
    const LaunchCommand command = launchCommand(plan);
    QCOMPARE(command.refusals, QStringList());
    QCOMPARE(missingFrom(command.server, line), QString());
    QCOMPARE(command.base_url.port(), plan.port);
    QCOMPARE(command.base_url.host(), QStringLiteral("127.0.0.1"));
}

void TestLaunchCommand::lmcacheServer()
{
    LaunchPlan plan = planFor(LaunchKind::lmcache, "MODEL");
    plan.program = QStringLiteral("/opt/env/bin/vllm");
    plan.offload_gib = 20;
    plan.prefix_caching = false;
    const LaunchCommand command = launchCommand(plan);
    QVERIFY(command.refusals.isEmpty());
    QVERIFY(command.before.has_value());
    QCOMPARE(command.before->program, QStringLiteral("/opt/env/bin/lmcache"));
    QCOMPARE(missingFrom(*command.before, QStringLiteral("server --l1-size-gb 20 --eviction-policy LRU")), QString());
    QVERIFY(!command.before->arguments.contains(QLatin1String("--supported-transfer-mode")));
    const QString expected
        = QStringLiteral("PYTHONHASHSEED=0 serve MODEL --no-enable-prefix-caching --kv-transfer-config "
                         R"('{"kv_connector":"LMCacheMPConnector","kv_role":"kv_both"}')");
    QCOMPARE(missingFrom(command.server, expected), QString());
    const qsizetype at = command.server.arguments.indexOf(QLatin1String("--kv-transfer-config"));
    QVERIFY(QJsonDocument::fromJson(command.server.arguments.value(at + 1).toUtf8()).isObject());

    // On a CPU the recorded pair hung without it.
    plan.cpu_cache_gib = 2;
    QCOMPARE(missingFrom(*launchCommand(plan).before, QStringLiteral("--supported-transfer-mode auto")), QString());
    // What it prints once it can be used, in a recorded log.
    QFile log(QStringLiteral(KVLAB_TEST_DATA "/real-captures/vllm/lmcache_server_log_wrong_transfer_mode.log"));
    QVERIFY(log.open(QIODevice::ReadOnly));
    QVERIFY(QString::fromUtf8(log.readAll()).contains(command.before_ready));
}

void TestLaunchCommand::versions()
{
    LaunchPlan plan = planFor(LaunchKind::vllm, "MODEL");
    const QString metrics = QStringLiteral("--enable-per-request-metrics");
    const LaunchCommand unknown = launchCommand(plan);
    QVERIFY(!unknown.server.arguments.contains(metrics));
    QVERIFY(unknown.notes.join(u' ').contains(metrics));
    plan.version = QVersionNumber(0, 32, 1);
    const LaunchCommand newer = launchCommand(plan);
    QVERIFY(newer.server.arguments.contains(metrics));
    QVERIFY(!newer.notes.join(u' ').contains(metrics));
    plan.version = QVersionNumber(0, 10, 2);
    QVERIFY(!launchCommand(plan).server.arguments.contains(metrics));
    plan.offload_gib = 5;
    QVERIFY(launchCommand(plan).refusals.join(u' ').contains(QLatin1String("0.10.2")));
    plan.version = QVersionNumber(0, 11);
    QVERIFY(launchCommand(plan).refusals.isEmpty());
}

void TestLaunchCommand::practiceEngine()
{
    LaunchPlan plan = planFor(LaunchKind::practice);
    plan.port = 8137;
    LaunchCommand command = launchCommand(plan);
    QVERIFY(command.refusals.isEmpty());
    QVERIFY(command.practice_engine);
    QCOMPARE(command.server.arguments,
        QStringList({QStringLiteral("serve"), QStringLiteral("--port"), QStringLiteral("8137"),
            QStringLiteral("--size"), QStringLiteral("auto")}));
    plan.model = QStringLiteral("small");
    plan.prefix_caching = false;
    command = launchCommand(plan);
    QCOMPARE(missingFrom(command.server, QStringLiteral("--size small --no-prefix-caching")), QString());
}

void TestLaunchCommand::refusals_data()
{
    QTest::addColumn<LaunchPlan>("plan");
    QTest::addColumn<QString>("says");
    const auto row = [](const char *name, const LaunchPlan &plan, const char *says) {
        QTest::newRow(name) << plan << QString::fromUtf8(says);
    };
    LaunchPlan plan = planFor(LaunchKind::vllm, "MODEL");
    plan.port = 0;
    row("port 0", plan, "Port 0");
    plan.port = 65536;
    row("port too large", plan, "65536 is no port");
    plan.port = -1;
    row("port below 0", plan, "-1 is no port");
    plan = planFor(LaunchKind::vllm);
    row("no model", plan, "needs a model");
    row("no gguf", planFor(LaunchKind::llama_server), ".gguf");
    row("model like an option", planFor(LaunchKind::vllm, "--help"), "as an option");
    row("unknown size", planFor(LaunchKind::practice, "huge"), "“huge”");
    plan = planFor(LaunchKind::vllm, "MODEL");
    plan.context_length = 0;
    row("no context", plan, "at least one token");
    plan = planFor(LaunchKind::vllm, "MODEL");
    plan.gpu_memory_utilization = 1.1;
    row("more than the GPU", plan, "at most 1");
    plan.gpu_memory_utilization = qQNaN();
    row("no number", plan, "at most 1");
    plan = planFor(LaunchKind::vllm, "MODEL");
    plan.tensor_parallel = 0;
    row("no GPU", plan, "1 or more");
    plan = planFor(LaunchKind::llama_server, "m.gguf");
    plan.slots = 0;
    row("no slot", plan, "at least one slot");
    plan = planFor(LaunchKind::llama_server, "m.gguf");
    plan.kv_cache_dtype = QStringLiteral("fp8");
    row("cache type of another server", plan, "“fp8”");
    plan = planFor(LaunchKind::vllm, "MODEL");
    plan.offload_gib = 5;
    plan.cpu_cache_gib = 2;
    row("offloading on a CPU", plan, "on GPUs only");
    plan.offload_gib = 0;
    row("no room", plan, "in GiB");
    plan = planFor(LaunchKind::lmcache_in_process, "MODEL");
    plan.cpu_cache_gib = 2;
    row("lmcache inside vllm on a CPU", plan, "silently off");
    plan = planFor(LaunchKind::lmcache, "MODEL");
    plan.port = 8080;
    row("port of lmcache", plan, "another port");
    plan = planFor(LaunchKind::ollama);
    plan.prefix_caching = false;
    row("ollama always caches", plan, "Ollama has no setting");
    plan = planFor(LaunchKind::vllm, "MODEL");
    plan.extra_arguments = QStringLiteral("--kv-transfer-config '{\"a\":1}");
    row("open quotation", plan, "inside a quotation");
    plan.extra_arguments = QStringLiteral("--port=9000");
    row("port twice", plan, "field of its own");
}

void TestLaunchCommand::refusals()
{
    QFETCH(LaunchPlan, plan);
    QFETCH(QString, says);
    const QStringList refusals = launchCommand(plan).refusals;
    QVERIFY2(refusals.join(u' ').contains(says), qPrintable(refusals.join(u'\n')));
    for (const QString &sentence : refusals)
        QVERIFY(sentence.endsWith(u'.'));
}

/// A setting is either in the command or refused: none is lost in silence.
void TestLaunchCommand::everyFieldOfEveryKind()
{
    using F = LaunchField;
    for (const LaunchKind kind : allLaunchKinds()) {
        const LaunchPlan plain = planFor(kind, kind == LaunchKind::practice ? "small" : "MODEL");
        QVERIFY(launchCommand(plain).refusals.isEmpty());
        const auto line = [](const LaunchPlan &plan) {
            const LaunchCommand command = launchCommand(plan);
            return shellLine(command.server) + (command.before ? shellLine(*command.before) : QString());
        };
        const auto check = [&](F field, const LaunchPlan &changed) {
            QCOMPARE(launchCommand(changed).refusals.isEmpty(), hasField(kind, field));
            QCOMPARE(line(changed) != line(plain), hasField(kind, field));
        };
        LaunchPlan plan = plain;
        plan.context_length = 1234;
        check(F::context_length, plan);
        plan = plain;
        plan.prefix_caching = false;
        check(F::prefix_caching, plan);
        plan = plain;
        plan.kv_cache_dtype = launchCacheTypes(kind).value(1, QStringLiteral("q8_0"));
        check(F::kv_cache_dtype, plan);
        plan = plain;
        plan.gpu_memory_utilization = 0.5;
        check(F::gpu_memory_utilization, plan);
        plan = plain;
        plan.tensor_parallel = 3;
        check(F::tensor_parallel, plan);
        plan = plain;
        plan.offload_gib = 7;
        check(F::offload, plan);
        plan = plain;
        plan.slots = 3;
        check(F::slots, plan);
        plan = plain;
        plan.cpu_cache_gib = 2;
        if (kind != LaunchKind::lmcache_in_process) // refused for a reason of its own
            check(F::cpu_cache, plan);
        QVERIFY(installHint(kind).endsWith(u'.'));
        QVERIFY(!launchKindName(kind).isEmpty());
        QVERIFY(usualPort(kind) > 0);
    }
}

void TestLaunchCommand::handoutFlag()
{
    for (const LaunchKind kind : {LaunchKind::vllm, LaunchKind::lmcache, LaunchKind::lmcache_in_process}) {
        LaunchPlan plan = planFor(kind, "Qwen/Qwen2.5-0.5B-Instruct");
        plan.context_length = 4096;
        plan.extra_arguments = QStringLiteral("--host 0.0.0.0 --enable-lmcache");
        const LaunchCommand command = launchCommand(plan);
        QCOMPARE(command.refusals.size(), 1);
        QVERIFY(command.refusals.constFirst().contains(QLatin1String("--kv-transfer-config")));
        QVERIFY(command.notes.join(u' ').contains(QStringLiteral("whole network")));
    }
    LaunchPlan sglang = planFor(LaunchKind::sglang, "MODEL"); // there the flag is real
    sglang.extra_arguments = QStringLiteral("--enable-lmcache");
    QVERIFY(launchCommand(sglang).refusals.isEmpty());
}

void TestLaunchCommand::keysStayOut()
{
    LaunchPlan plan = planFor(LaunchKind::vllm, "MODEL");
    for (const char *typed : {"--api-key sk-secret", "--api-key=sk-secret"}) {
        plan.extra_arguments = QString::fromLatin1(typed);
        const QStringList refusals = launchCommand(plan).refusals;
        QCOMPARE(refusals.size(), 1);
        QVERIFY(refusals.constFirst().contains(QStringLiteral("list of processes")));
        QVERIFY(!refusals.constFirst().contains(QStringLiteral("sk-secret")));
    }
}

void TestLaunchCommand::split_data()
{
    QTest::addColumn<QString>("line");
    for (const char *line : {"", "a", "  a  b ", "--x=1 --y '2 3'", "'it'\\''s'", R"("a \"b\" \\ \n")", R"(a\ b)",
             R"('{"kv_connector":"LMCacheMPConnector"}' "")", "''", R"(a'b'"c"d)", "\"'\"", "'\"'", R"(\\\')",
             "x 'tab\tinside' y", "键值 '缓存 命中'"})
        QTest::newRow(line) << QString::fromUtf8(line);
}

void TestLaunchCommand::split()
{
    QFETCH(QString, line);
    const auto words = splitArguments(line);
    QVERIFY(words.has_value());
    // printf repeats its format once even when there is no word.
    QCOMPARE(words->isEmpty() ? QStringList(QString()) : *words, wordsByShell(line));
    for (const char *open : {"'a", "\"a", "a\\", "a 'b\" c", "\"a\\\""})
        QVERIFY(!splitArguments(QString::fromLatin1(open)).has_value());
}

void TestLaunchCommand::quoting_data()
{
    QTest::addColumn<QStringList>("arguments");
    const auto row = [](const QStringList &arguments) { QTest::newRow(qPrintable(arguments.join(u'|'))) << arguments; };
    row({QStringLiteral("plain"), QStringLiteral("--flag=value"), QStringLiteral("a/b.c:1")});
    row({QString(), QStringLiteral(" "), QStringLiteral("two words")});
    row({QStringLiteral("it's"), QStringLiteral("'"), QStringLiteral("''"), QStringLiteral("\"")});
    row({QStringLiteral("$HOME"), QStringLiteral("`id`"), QStringLiteral("$(id)"), QStringLiteral("\\"),
        QStringLiteral("a\\ b")});
    row({QStringLiteral("a;b"), QStringLiteral("a&b"), QStringLiteral("a|b"), QStringLiteral("<x>"),
        QStringLiteral("*"), QStringLiteral("?"), QStringLiteral("~"), QStringLiteral("#x"), QStringLiteral("!x"),
        QStringLiteral("{a,b}"), QStringLiteral("[a]"), QStringLiteral("line\nbreak")});
    row({QStringLiteral(R"({"kv_connector":"LMCacheMPConnector","kv_role":"kv_both"})"), QStringLiteral("键值 缓存")});
}

void TestLaunchCommand::quoting()
{
    QFETCH(QStringList, arguments);
    ProcessCommand command;
    command.program = QStringLiteral("first");
    command.arguments = arguments;
    QCOMPARE(wordsByShell(shellLine(command)), QStringList(QStringLiteral("first")) + arguments);
    // Both of our own ends agree as well.
    QCOMPARE(*splitArguments(shellLine(command)), QStringList(QStringLiteral("first")) + arguments);
}

void TestLaunchCommand::variablesInShell()
{
    ProcessCommand command;
    command.program = QStringLiteral("sh");
    command.arguments = {QStringLiteral("-c"), QStringLiteral("printf '%s' \"$KVLAB_A,$KVLAB_B\"")};
    command.environment
        = {{QStringLiteral("KVLAB_A"), QStringLiteral("it's $HOME")}, {QStringLiteral("KVLAB_B"), QStringLiteral("2")}};
    QProcess shell;
    shell.start(QStringLiteral("sh"), {QStringLiteral("-c"), shellLine(command)});
    QVERIFY(shell.waitForFinished(patienceMs));
    QCOMPARE(shell.readAllStandardOutput(), QByteArray("it's $HOME,2"));
}

void TestLaunchCommand::windowsQuoting()
{
    // Examples of the Microsoft C runtime's rules for arguments.
    ProcessCommand command;
    command.program = QStringLiteral("C:\\Program Files\\vllm.exe");
    command.arguments = {QStringLiteral("a b c"), QStringLiteral("d"), QStringLiteral("ab\"c"), QStringLiteral("a b\\"),
        QStringLiteral("a\\\\b"), QString()};
    command.environment = {{QStringLiteral("A"), QStringLiteral("1 2")}};
    const QString expected
        = QStringLiteral(R"(set "A=1 2" && "C:\Program Files\vllm.exe" "a b c" d "ab\"c" "a b\\" a\\b "")");
    QCOMPARE(shellLine(command, Shell::windows), expected);
}

QTEST_GUILESS_MAIN(TestLaunchCommand)
#include "tst_launch_command.moc"
