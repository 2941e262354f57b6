// SPDX-License-Identifier: GPL-3.0-or-later
// Known problems found in recorded logs and in lines from public reports, and nothing found in logs of good starts.
#include "servers/log_explanation.h"

#include <QFile>
#include <QTest>

using namespace kvlab::servers;

class TestLogExplanation : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void recorded_data();
    void recorded();
    void goodStarts_data();
    void goodStarts();
    void reported_data();
    void reported();
    void eachOnceInOrder();
    void plainLines_data();
    void plainLines();
    void signalsExplained();
    void longAndOddLines();
};

namespace {

QStringList recordedLines(const QString &name)
{
    QFile file(QStringLiteral(KVLAB_TEST_DATA "/real-captures/vllm/") + name);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()).split(u'\n') : QStringList();
}

QList<LogProblem> problems(const QStringList &lines)
{
    QList<LogProblem> found;
    for (const LogExplanation &explanation : explainLog(lines))
        found << explanation.problem;
    return found;
}

} // namespace

void TestLogExplanation::recorded_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<LogProblem>("problem");
    QTest::addColumn<QStringList>("says");
    const auto row = [](const char *file, LogProblem problem, const QStringList &says) {
        QTest::newRow(file) << QString::fromLatin1(file) << problem << says;
    };
    row("startlog_err_not_enough_kv.log", LogProblem::kv_cache_too_small,
        {QStringLiteral("4096 tokens"), QStringLiteral("0.09 GiB"), QStringLiteral("0.07 GiB"),
            QStringLiteral("3168")});
    row("startlog_err_port_in_use.log", LogProblem::port_in_use, {QStringLiteral("another port")});
    row("enable_lmcache_rejected.stderr.txt", LogProblem::enable_lmcache, {QStringLiteral("--kv-transfer-config")});
    row("startlog_bs16_rejected_by_cpu_backend.log", LogProblem::block_size,
        {QStringLiteral("blocks of 16 tokens"), QStringLiteral("multiple of 32")});
    row("startlog_native_kv_offload_error.log", LogProblem::offload_needs_gpu, {QStringLiteral("GPUs only")});
    row("startlog_lmcache_v1_inprocess_degraded.log", LogProblem::lmcache_degraded, {QStringLiteral("silently off")});
    row("lmcache_server_log_wrong_transfer_mode.log", LogProblem::lmcache_transfer_mode,
        {QStringLiteral("--supported-transfer-mode auto")});
}

void TestLogExplanation::recorded()
{
    QFETCH(QString, file);
    QFETCH(LogProblem, problem);
    QFETCH(QStringList, says);
    const QStringList lines = recordedLines(file);
    QVERIFY(!lines.isEmpty());
    const QList<LogExplanation> found = explainLog(lines);
    QCOMPARE(problems(lines), QList<LogProblem>{problem});
    for (const QString &part : says)
        QVERIFY2(found.constFirst().text.contains(part), qPrintable(found.constFirst().text));
    QVERIFY(found.constFirst().text.endsWith(u'.'));
    QVERIFY(!found.constFirst().line.isEmpty());
}

void TestLogExplanation::goodStarts_data()
{
    QTest::addColumn<QString>("file");
    for (const char *file :
        {"startlog_fast_fp32_bs32.log", "startlog_fullshape_bf16_bs128.log", "startlog_small_kv_and_ctrl_c.log"})
        QTest::newRow(file) << QString::fromLatin1(file);
}

void TestLogExplanation::goodStarts()
{
    QFETCH(QString, file);
    const QStringList lines = recordedLines(file);
    QVERIFY(lines.size() > 5);
    for (const LogExplanation &explanation : explainLog(lines))
        QFAIL(qPrintable(explanation.line));
}

void TestLogExplanation::reported_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<LogProblem>("problem");
    QTest::addColumn<QString>("says");
    const auto row = [](const char *name, const char *line, LogProblem problem, const char *says) {
        QTest::newRow(name) << QString::fromUtf8(line) << problem << QString::fromUtf8(says);
    };
    row("vllm flag", "vllm: error: unrecognized arguments: --nonsense", LogProblem::unknown_flag, "“--nonsense”");
    row("llama flag", "error: invalid argument: --nonsense", LogProblem::unknown_flag, "“--nonsense”");
    row("vllm 20305",
        "[multiproc_executor.py:492] ValueError: Free memory on device (31.44/47.38 GiB) on startup is less than "
        "desired "
        "GPU memory utilization (0.95, 45.01 GiB). Decrease GPU memory utilization or reduce GPU memory used by other "
        "processes.",
        LogProblem::gpu_memory_taken, "31.44 of 47.38 GiB free, and a share of 0.95 means 45.01 GiB");
    row("pytorch 175666",
        "ValueError: Free memory on device cuda:0 (19.77/22.05 GiB) on startup is less than desired GPU memory "
        "utilization (0.9, 19.84 GiB)",
        LogProblem::gpu_memory_taken, "19.77 of 22.05");
    row("vllm 12030",
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 224.00 MiB. GPU 0 has a total capacity of 11.53 "
        "GiB "
        "of which 187.75 MiB is free. Including non-PyTorch memory, this process has 11.",
        LogProblem::out_of_memory, "GPU 0 is full: 224.00 MiB were asked for, 187.75 MiB of 11.53 GiB are free");
    row("vllm 2140, old spelling",
        "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 3.50 GiB. GPU 0 has a total capacty of "
        "23.69 "
        "GiB of which 3.09 GiB is free.",
        LogProblem::out_of_memory, "3.50 GiB were asked for, 3.09 GiB of 23.69 GiB are free");
    row("vllm 783, older shape",
        "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.63 GiB (GPU 0; 44.56 GiB total capacity",
        LogProblem::out_of_memory, "used up");
    row("gated, sglang 14644", "OSError: You are trying to access a gated repo.", LogProblem::gated_model, "terms");
    row("gated, older", "Repo model meta-llama/Llama-2-7b is gated. You must be authenticated to access it.",
        LogProblem::gated_model, "log in");
    row("gated, other",
        "Access to model black-forest-labs/FLUX.1-dev is restricted. You must have access to it and be authenticated "
        "to "
        "access it. Please log in.",
        LogProblem::gated_model, "Hugging Face");
    row("no gguf",
        "0.00.010.468 E gguf_init_from_file: failed to open GGUF file 'nope.gguf' (No such file or directory)",
        LogProblem::model_not_found, "“nope.gguf”");
    row("broken gguf", "0.00.015.984 E gguf_init_from_reader: failed to read key-value pairs",
        LogProblem::model_not_found, "cut off");
    row("no such model",
        "OSError: nosuch/model is not a local folder and is not a valid model identifier listed on "
        "'https://huggingface.co/models'",
        LogProblem::model_not_found, "spelling");
    row("bf16, vllm 946",
        "ValueError: Bfloat16 is only supported on GPUs with compute capability of at least 8.0. Your Tesla "
        "V100-SXM2-32GB GPU has compute capability 7.0.",
        LogProblem::unsupported_dtype, "--dtype half");
    row("ipex-llm 12922", "start-vllm-service.sh: line 18:  1669 Illegal instruction     (core dumped) python -m vllm",
        LogProblem::illegal_instruction, "AVX");
    row("ollama 707", "Error: listen tcp 127.0.0.1:11434: bind: address already in use", LogProblem::port_in_use,
        "another port");
    row("ollama 3575",
        "Error: listen tcp 127.0.0.1:11434: bind: Only one usage of each socket address (protocol/network "
        "address/port) is "
        "normally permitted.",
        LogProblem::port_in_use, "another port");
    row("llama port",
        "0.00.007.258 E srv         start: couldn't bind HTTP server socket, hostname: 127.0.0.1, port: 8392",
        LogProblem::port_in_use, "another port");
    row("no sglang",
        "/usr/bin/python3: Error while finding module specification for 'sglang.launch_server' "
        "(ModuleNotFoundError: No module named 'sglang')",
        LogProblem::missing_module, "“sglang”");
}

void TestLogExplanation::reported()
{
    QFETCH(QString, line);
    QFETCH(LogProblem, problem);
    QFETCH(QString, says);
    // Alone, behind vLLM's prefix, coloured, and with a carriage return.
    for (const QString &shown : {line, QStringLiteral("(EngineCore pid=9) ERROR 09-28 15:47:24 [core.py:718] ") + line,
             QStringLiteral("\x1b[31m") + line + QStringLiteral("\x1b[0m"), line + u'\r'}) {
        const QList<LogExplanation> found = explainLog({QStringLiteral("INFO: before"), shown});
        QCOMPARE(found.size(), 1);
        QCOMPARE(found.constFirst().problem, problem);
        QVERIFY2(found.constFirst().text.contains(says), qPrintable(found.constFirst().text));
        QVERIFY(!found.constFirst().line.contains(QChar(0x1b)));
    }
}

void TestLogExplanation::eachOnceInOrder()
{
    const QString port = QStringLiteral("OSError: [Errno 98] Address already in use");
    const QString flag = QStringLiteral("error: invalid argument: -x");
    QCOMPARE(
        problems({port, flag, port, flag}), (QList<LogProblem>{LogProblem::port_in_use, LogProblem::unknown_flag}));
    QCOMPARE(problems({}), QList<LogProblem>());
    // What a good start may print as a warning: an optional part is missing.
    QCOMPARE(problems({QStringLiteral(
                 "WARNING [_custom_ops.py:20] Failed to import from vllm._C with ModuleNotFoundError(\"No module named "
                 "'vllm._C'\")")}),
        QList<LogProblem>());
    QCOMPARE(problems({QStringLiteral("/usr/bin/python3: No module named sglang")}),
        QList<LogProblem>{LogProblem::missing_module});
}

void TestLogExplanation::plainLines_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("plain");
    QTest::newRow("colours") << QStringLiteral("\x1b[1;36m(APIServer pid=1)\x1b[0;0m INFO")
                             << QStringLiteral("(APIServer pid=1) INFO");
    QTest::newRow("progress") << QStringLiteral("Loading:   0%\rLoading:  50%\rLoading: 100%\r")
                              << QStringLiteral("Loading: 100%");
    QTest::newRow("title") << QStringLiteral("\x1b]0;vllm\x07ready") << QStringLiteral("ready");
    QTest::newRow("controls") << QStringLiteral("a\x01\x02\tb") << QStringLiteral("a b");
    QTest::newRow("Chinese") << QStringLiteral("键值缓存") << QStringLiteral("键值缓存");
}

void TestLogExplanation::plainLines()
{
    QFETCH(QString, line);
    QFETCH(QString, plain);
    QCOMPARE(plainLogLine(line), plain);
}

void TestLogExplanation::signalsExplained()
{
    QVERIFY(explainSignal(4).contains(QStringLiteral("instruction")));
    QVERIFY(explainSignal(9).contains(QStringLiteral("memory")));
    QVERIFY(explainSignal(1).isNull());
}

void TestLogExplanation::longAndOddLines()
{
    const QString end = QStringLiteral(" Address already in use");
    QCOMPARE(problems({QString(1'000'000, u'x') + end}), QList<LogProblem>());
    const QList<LogExplanation> found = explainLog({QString(2'000, u'x') + end});
    QCOMPARE(found.size(), 1);
    QVERIFY(found.constFirst().line.size() <= 300);
    QCOMPARE(
        problems({QString(), QString(QChar(0)), QString(QChar(0xd800)), QString(5'000, u'\r')}), QList<LogProblem>());
}

QTEST_GUILESS_MAIN(TestLogExplanation)
#include "tst_log_explanation.moc"
