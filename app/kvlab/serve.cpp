// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "engine/engine_server.h"
#include "options.h"
#include "tier_options.h"

#include <QCoreApplication>
#include <QHostAddress>
#include <QJsonDocument>
#include <QJsonObject>

#include <atomic>
#include <csignal>
#include <iostream>
#include <thread>

namespace kvlab::cli {

namespace {

using namespace kvlab::engine;

std::atomic<bool> stopAsked = false;
std::atomic<bool> interrupted = false; ///< by the user's Ctrl+C

void askToStop(int signal)
{
    interrupted = signal == SIGINT;
    stopAsked = true;
}

/// Context of this file's texts.
struct Serve
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::cli::Serve)
};

struct ServeOptions
{
    EngineOptions engine;
    std::optional<EngineSize> size; ///< none = measure this machine
    ServerOptions server;
    bool exit_with_parent = false;
};

struct Flags
{
    QCommandLineOption host{QStringLiteral("host"), Serve::tr("Address to listen on (this computer only by default)."),
        QStringLiteral("ADDRESS"), QStringLiteral("127.0.0.1")};
    QCommandLineOption port{QStringLiteral("port"), Serve::tr("Port; 0 takes a free one and prints it."),
        QStringLiteral("N"), QStringLiteral("0")};
    QCommandLineOption size{QStringLiteral("size"),
        Serve::tr("auto, small, medium or large; auto measures this computer once."), QStringLiteral("SIZE"),
        QStringLiteral("auto")};
    QCommandLineOption threads{QStringLiteral("threads"),
        Serve::tr("Threads of the transformer; 0 = the physical cores, at most 4."), QStringLiteral("N"),
        QStringLiteral("0")};
    QCommandLineOption blockSize{
        QStringLiteral("block-size"), Serve::tr("Tokens in a KV block."), QStringLiteral("N"), QStringLiteral("16")};
    QCommandLineOption poolBlocks{QStringLiteral("pool-blocks"), Serve::tr("KV blocks in all; 0 = four full contexts."),
        QStringLiteral("N"), QStringLiteral("0")};
    QCommandLineOption noPrefixCaching{
        QStringLiteral("no-prefix-caching"), Serve::tr("Compute every prompt from its start.")};
    QCommandLineOption seed{
        QStringLiteral("seed"), Serve::tr("Seed of the weights."), QStringLiteral("N"), QStringLiteral("1")};
    QCommandLineOption keyEnv{QStringLiteral("api-key-env"),
        Serve::tr("Environment variable that holds the key clients must send."), QStringLiteral("VAR")};
    TierFlags tiers;
    QCommandLineOption exitWithParent{QStringLiteral("exit-with-parent"),
        Serve::tr("End when standard input closes, so that no engine outlives its window.")};
};

/// A whole number in [low, high]; nullopt after a message.
std::optional<qint64> number(
    const QCommandLineParser &parser, const QCommandLineOption &option, qint64 low, qint64 high)
{
    bool ok = false;
    const qint64 value = parser.value(option).toLongLong(&ok);
    if (ok && value >= low && value <= high)
        return value;
    fail(exitUsage,
        Serve::tr("--%1 takes a whole number from %2 to %3, not “%4”.")
            .arg(option.names().constFirst(), QString::number(low), QString::number(high), parser.value(option)));
    return std::nullopt;
}

bool readNumbers(const QCommandLineParser &parser, const Flags &flags, ServeOptions &options)
{
    const auto port = number(parser, flags.port, 0, 65535);
    const auto threads = port ? number(parser, flags.threads, 0, 64) : std::nullopt;
    const auto blockSize = threads ? number(parser, flags.blockSize, 8, 256) : std::nullopt;
    const auto poolBlocks = blockSize ? number(parser, flags.poolBlocks, 0, 1'000'000) : std::nullopt;
    const auto seed = poolBlocks ? number(parser, flags.seed, 0, std::numeric_limits<qint64>::max()) : std::nullopt;
    if (!seed)
        return false;
    if ((*blockSize & (*blockSize - 1)) != 0) {
        fail(exitUsage, Serve::tr("--block-size takes a power of two from 8 to 256."));
        return false;
    }
    if (*poolBlocks == 1) {
        fail(exitUsage, Serve::tr("--pool-blocks must be at least 2: block 0 is the null block and holds nothing."));
        return false;
    }
    options.server.port = int(*port);
    options.engine.threads = int(*threads);
    options.engine.block_size = int(*blockSize);
    options.engine.pool_blocks = int(*poolBlocks);
    options.engine.seed = std::uint64_t(*seed);
    return true;
}

bool readOptions(const QCommandLineParser &parser, const Flags &flags, ServeOptions &options)
{
    if (!readNumbers(parser, flags, options))
        return false;
    const QString size = parser.value(flags.size);
    options.size = engineSizeFromName(size.toStdString());
    if (!options.size && size != QLatin1String("auto")) {
        fail(exitUsage, Serve::tr("--size takes auto, small, medium or large, not “%1”.").arg(size));
        return false;
    }
    if (parser.isSet(flags.keyEnv)) {
        options.server.api_key = qgetenv(parser.value(flags.keyEnv).toLocal8Bit().constData()).toStdString();
        if (options.server.api_key.empty()) {
            fail(exitUsage,
                Serve::tr("The environment variable %1 is empty or not set: put the key there.")
                    .arg(parser.value(flags.keyEnv)));
            return false;
        }
    }
    options.server.host = parser.value(flags.host).toStdString();
    options.engine.prefix_caching = !parser.isSet(flags.noPrefixCaching);
    options.exit_with_parent = parser.isSet(flags.exitWithParent);
    return flags.tiers.read(parser, options.engine);
}

void warnAboutOpenHost(const ServeOptions &options)
{
    const QString host = QString::fromStdString(options.server.host);
    const bool loopback = host == QLatin1String("localhost") || QHostAddress(host).isLoopback();
    if (!loopback && options.server.api_key.empty()) {
        standardError()
            << Serve::tr("Anyone who reaches %1 can use this engine: no key is asked for. See --api-key-env.").arg(host)
            << Qt::endl;
    }
}

/// The address under which this computer reaches the server: one that means "every address" cannot be called itself.
QString urlOf(const std::string &host, int port)
{
    QString name = QString::fromStdString(host);
    if (QHostAddress(name) == QHostAddress(QHostAddress::AnyIPv4))
        name = QStringLiteral("127.0.0.1");
    else if (QHostAddress(name) == QHostAddress(QHostAddress::AnyIPv6))
        name = QStringLiteral("::1");
    if (name.contains(QLatin1Char(':')))
        name = QLatin1Char('[') + name + QLatin1Char(']');
    return QStringLiteral("http://%1:%2").arg(name).arg(port);
}

void addTiers(QJsonObject &event, const EngineOptions &options)
{
    if (!options.tiers.any())
        return;
    event.insert(QStringLiteral("chunk_size"), options.chunk_size);
    event.insert(QStringLiteral("tier_ram_bytes"), qint64(options.tiers.ram_bytes));
    if (options.tiers.disk) {
        event.insert(QStringLiteral("tier_disk"), options.tiers.disk->folder);
        event.insert(QStringLiteral("tier_disk_bytes"), qint64(options.tiers.disk->budget_bytes));
    }
}

/// One line of JSON for programs, on standard output.
void announce(const Engine &engine, const ServerOptions &server, int port)
{
    const QString url = urlOf(server.host, port);
    QJsonObject event{{QStringLiteral("event"), QStringLiteral("ready")}, {QStringLiteral("url"), url},
        {QStringLiteral("port"), port},
        {QStringLiteral("model"), QString::fromStdString(practiceModelName(engine.options().size))},
        {QStringLiteral("size"), QString::fromStdString(engineSizeName(engine.options().size))},
        {QStringLiteral("parameters"), qint64(engine.shape().parameters())},
        {QStringLiteral("threads"), engine.options().threads},
        {QStringLiteral("block_size"), engine.options().block_size},
        {QStringLiteral("kv_bytes_per_token"), qint64(engine.shape().kvBytesPerToken())},
        {QStringLiteral("num_gpu_blocks"), engine.options().pool_blocks},
        {QStringLiteral("enable_prefix_caching"), engine.options().prefix_caching},
        {QStringLiteral("text"), QStringLiteral("gibberish")}};
    addTiers(event, engine.options());
    standardOutput() << QJsonDocument(event).toJson(QJsonDocument::Compact) << Qt::endl;
    standardError() << Serve::tr("The practice engine is ready at %1. Its text is gibberish, its times and hits are "
                                 "real. Ctrl+C ends it.")
                           .arg(url)
                    << Qt::endl;
}

/// Blocks on standard input; its end means that the parent is gone, however it went.
void watchParent()
{
    std::thread([] {
        std::string line;
        while (std::getline(std::cin, line)) { }
        stopAsked = true;
    }).detach();
}

int exitCode()
{
    return interrupted ? exitStopped : exitDone;
}

int serve(const ServeOptions &options)
{
    const Tokenizer tokenizer;
    EngineOptions engineOptions = options.engine;
    engineOptions.size = options.size ? *options.size : chooseSize(engineOptions.threads);
    Engine engine(engineOptions, tokenizer);
    EngineServer server(engine, tokenizer, options.server);
    int port = 0;
    try {
        port = server.bind();
    } catch (const std::runtime_error &error) {
        return fail(exitServer, QString::fromStdString(error.what()));
    }
    if (stopAsked)
        return exitCode();
    warnAboutOpenHost(options);
    announce(engine, options.server, port);
    {
        const std::jthread stopper([&server](const std::stop_token &done) {
            while (!done.stop_requested() && !stopAsked)
                std::this_thread::sleep_for(std::chrono::milliseconds(50));
            server.stop();
        });
        server.run();
    }
    return exitCode();
}

/// What the machine cannot hold becomes a sentence.
int serveOrExplain(const ServeOptions &options)
{
    try {
        return serve(options);
    } catch (const std::bad_alloc &) {
        return fail(exitInputRefused,
            Serve::tr("There is not enough memory for this engine and its KV blocks: choose a smaller --size or fewer "
                      "--pool-blocks."));
    } catch (const std::exception &error) {
        return fail(exitInputRefused,
            Serve::tr("The practice engine could not start: %1").arg(QString::fromUtf8(error.what())));
    }
}

} // namespace

int runServe(const QStringList &arguments)
{
    const Flags flags;
    QCommandLineParser parser;
    parser.setApplicationDescription(
        Serve::tr("Runs the practice engine: a small transformer with untrained weights behind an "
                  "OpenAI-compatible server. Its text is gibberish, its times and hits are real.\n\n"
                  "Examples: kvlab serve --port 8137 --size medium\n"
                  "          kvlab serve --tier-ram 1GiB --tier-disk kv:4GiB"));
    parser.addOptions({flags.host, flags.port, flags.size, flags.threads, flags.blockSize, flags.poolBlocks,
        flags.noPrefixCaching, flags.seed, flags.keyEnv, flags.exitWithParent});
    parser.addOptions(flags.tiers.all());
    if (const auto code = parseArguments(parser, arguments))
        return *code;
    if (!parser.positionalArguments().isEmpty()) {
        return fail(exitUsage,
            Serve::tr("kvlab serve takes options only, not “%1”.").arg(parser.positionalArguments().constFirst()));
    }
    ServeOptions options;
    if (!readOptions(parser, flags, options))
        return exitUsage;
    // Set before the slow start, so that a parent that dies meanwhile is noticed too.
    if (options.exit_with_parent)
        watchParent();
    std::signal(SIGINT, askToStop);
    std::signal(SIGTERM, askToStop);
    return serveOrExplain(options);
}

} // namespace kvlab::cli
