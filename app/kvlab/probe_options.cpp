// SPDX-License-Identifier: GPL-3.0-or-later
#include "probe_options.h"

#include "commands.h"
#include "options.h"
#include "probe_request_options.h"

#include <QCoreApplication>
#include <QFile>
#include <QStringDecoder>

namespace kvlab::cli {

namespace {

using namespace experiment;

QCommandLineOption option(const char *name, const QString &description, const char *value, const QString &standard = {})
{
    return {QString::fromLatin1(name), description, QString::fromLatin1(value), standard};
}

struct Flags
{
    QCommandLineOption url = option("url",
        QCoreApplication::translate(
            "kvlab probe", "Server, with or without /v1. Without it the practice engine is started."),
        "URL");
    QCommandLineOption model = option("model",
        QCoreApplication::translate("kvlab probe", "Model; the first that the server lists if not named."), "NAME");
    QCommandLineOption keyEnv = option(
        "key-env", QCoreApplication::translate("kvlab probe", "Environment variable that holds the API key."), "VAR");
    QCommandLineOption rounds = option("rounds",
        QCoreApplication::translate("kvlab probe", "Rounds; each measures every arm once."), "N", QStringLiteral("10"));
    QCommandLineOption arms
        = option("arms", QCoreApplication::translate("kvlab probe", "Arms out of cold, warm, partial and different."),
            "LIST", QStringLiteral("cold,warm,different"));
    QCommandLineOption sharedTokens
        = option("shared-tokens", QCoreApplication::translate("kvlab probe", "Length of the shared prefix in tokens."),
            "N", QStringLiteral("1500"));
    QCommandLineOption maxTokens = option("max-tokens",
        QCoreApplication::translate("kvlab probe", "Longest answer in tokens."), "N", QStringLiteral("16"));
    QCommandLineOption cold = option("cold",
        QCoreApplication::translate("kvlab probe", "What makes a prompt cold: salt, nonce, reset, no-cache or auto."),
        "METHOD", QStringLiteral("auto"));
    QCommandLineOption seed = option(
        "seed", QCoreApplication::translate("kvlab probe", "Seed of the order of the arms."), "N", QStringLiteral("1"));
    QCommandLineOption promptFile = option("prompt-file",
        QCoreApplication::translate("kvlab probe", "Text file (UTF-8) to use as the shared document."), "FILE");
    QCommandLineOption question
        = option("question", QCoreApplication::translate("kvlab probe", "Question that is measured."), "TEXT");
    QCommandLineOption size = option("size",
        QCoreApplication::translate("kvlab probe", "Size of the practice engine: auto, small, medium or large."),
        "SIZE", QStringLiteral("auto"));
    QCommandLineOption csv
        = option("csv", QCoreApplication::translate("kvlab probe", "Write one row per sample."), "FILE");
    QCommandLineOption json
        = option("json", QCoreApplication::translate("kvlab probe", "Write everything, with raw stamps."), "FILE");
    QCommandLineOption format
        = option("format", QCoreApplication::translate("kvlab probe", "What is printed: table or json."), "FORMAT",
            QStringLiteral("table"));

    RequestFlags request;

    void addTo(QCommandLineParser &parser) const
    {
        parser.setApplicationDescription(QCoreApplication::translate("kvlab probe",
            "Time to first token of a server: NO CACHE (cold), CACHED (warm) and DIFFERENT PREFIX (different), "
            "measured in "
            "random order, each sample with the server's own count of cached tokens.\n\n"
            "Example: kvlab probe --url http://127.0.0.1:8000 --rounds 10 --csv samples.csv\n\n"
            "Exit codes: 0 done, 1 contradicted or samples failed, 2 wrong usage, 3 input refused, 4 server not "
            "reached or "
            "refused, 5 could not write, 130 stopped (what was measured is written)."));
        parser.addOptions(request.all());
        parser.addOptions({url, model, keyEnv, rounds, arms, sharedTokens, maxTokens, cold, seed, promptFile, question,
            size, csv, json, format});
    }
};

/// A whole number; its range is the plan's business.
std::optional<Refusal> readNumber(
    const QCommandLineParser &parser, const QCommandLineOption &flag, qint64 largest, qint64 &number)
{
    const QString text = parser.value(flag);
    bool isNumber = false;
    number = text.toLongLong(&isNumber);
    if (isNumber && number >= 0 && number <= largest)
        return std::nullopt;
    return Refusal{exitUsage,
        QCoreApplication::translate("kvlab probe", "--%1 takes a whole number from 0 to %2, not “%3”.")
            .arg(flag.names().first(), QString::number(largest), text)};
}

std::optional<Refusal> readNumbers(const QCommandLineParser &parser, const Flags &flags, ExperimentPlan &plan)
{
    constexpr qint64 largestInt = std::numeric_limits<int>::max();
    qint64 number = 0;
    if (const auto refusal = readNumber(parser, flags.rounds, largestInt, number))
        return refusal;
    plan.rounds = static_cast<int>(number);
    if (const auto refusal = readNumber(parser, flags.sharedTokens, largestInt, number))
        return refusal;
    plan.shared_tokens = static_cast<int>(number);
    if (const auto refusal = readNumber(parser, flags.maxTokens, largestInt, number))
        return refusal;
    plan.max_tokens = static_cast<int>(number);
    if (const auto refusal = readNumber(parser, flags.seed, std::numeric_limits<quint32>::max(), number))
        return refusal;
    plan.seed = static_cast<quint32>(number);
    return std::nullopt;
}

std::optional<Refusal> readWords(const QCommandLineParser &parser, const Flags &flags, ProbeOrder &order)
{
    order.plan.arms.clear();
    for (const QString &name : parser.value(flags.arms).split(QLatin1Char(','))) {
        const auto arm = armFromName(name.trimmed());
        if (!arm)
            return Refusal{exitUsage,
                QCoreApplication::translate(
                    "kvlab probe", "--arms takes cold, warm, partial and different, separated by commas, not “%1”.")
                    .arg(name)};
        order.plan.arms.append(*arm);
    }
    const auto cold = coldMethodFromName(parser.value(flags.cold));
    if (!cold)
        return Refusal{exitUsage,
            QCoreApplication::translate("kvlab probe", "--cold takes salt, nonce, reset, no-cache or auto, not “%1”.")
                .arg(parser.value(flags.cold))};
    order.plan.cold = *cold;
    const QString format = parser.value(flags.format);
    order.print_json = format == QLatin1String("json");
    if (!order.print_json && format != QLatin1String("table"))
        return Refusal{exitUsage,
            QCoreApplication::translate("kvlab probe", "--format takes table or json, not “%1”.").arg(format)};
    order.practice_size = parser.value(flags.size);
    const QStringList sizes{
        QStringLiteral("auto"), QStringLiteral("small"), QStringLiteral("medium"), QStringLiteral("large")};
    if (!sizes.contains(order.practice_size))
        return Refusal{exitUsage,
            QCoreApplication::translate("kvlab probe", "--size takes auto, small, medium or large, not “%1”.")
                .arg(order.practice_size)};
    return std::nullopt;
}

std::optional<Refusal> readTarget(const QCommandLineParser &parser, const Flags &flags, ProbeOrder &order)
{
    order.target.model = parser.value(flags.model);
    order.practice_engine = !parser.isSet(flags.url);
    if (parser.isSet(flags.keyEnv)) {
        const QString variable = parser.value(flags.keyEnv);
        order.target.api_key = qgetenv(variable.toLocal8Bit().constData());
        if (order.target.api_key.isEmpty())
            return Refusal{exitUsage,
                QCoreApplication::translate(
                    "kvlab probe", "The environment variable %1 holds no key. Set it, or leave out --key-env.")
                    .arg(variable)};
    }
    if (order.practice_engine)
        return std::nullopt;
    QString address = parser.value(flags.url).trimmed();
    if (!address.contains(QLatin1String("://")))
        address.prepend(QStringLiteral("http://"));
    order.target.base_url = QUrl(address);
    const QString scheme = order.target.base_url.scheme();
    const bool usable = order.target.base_url.isValid() && !order.target.base_url.host().isEmpty()
        && (scheme == QLatin1String("http") || scheme == QLatin1String("https"));
    if (!usable)
        return Refusal{exitUsage,
            QCoreApplication::translate(
                "kvlab probe", "“%1” is not the address of a server. Write it like http://127.0.0.1:8000.")
                .arg(parser.value(flags.url))};
    return std::nullopt;
}

std::optional<Refusal> readTexts(const QCommandLineParser &parser, const Flags &flags, ExperimentPlan &plan)
{
    constexpr qint64 largestFile = 16 * 1024 * 1024;
    plan.question = parser.value(flags.question);
    if (!parser.isSet(flags.promptFile))
        return std::nullopt;
    const QString path = parser.value(flags.promptFile);
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return Refusal{exitInputRefused,
            QCoreApplication::translate(
                "kvlab probe", "The prompt file %1 cannot be read: %2. Check its name and its permissions.")
                .arg(path, file.errorString())};
    const QByteArray bytes = file.read(largestFile + 1);
    QStringDecoder decoder(QStringDecoder::Utf8);
    plan.document = decoder.decode(bytes);
    if (decoder.hasError() || bytes.size() > largestFile || plan.document.trimmed().isEmpty())
        return Refusal{exitInputRefused,
            QCoreApplication::translate("kvlab probe",
                "The prompt file %1 is empty, larger than 16 MiB, or not UTF-8 text. Choose another file.")
                .arg(path)};
    return std::nullopt;
}

std::optional<Refusal> readRequests(const QCommandLineParser &parser, const Flags &flags, ProbeOrder &order)
{
    RequestOrder requests;
    if (const auto refusal = readRequestOptions(parser, flags.request, requests))
        return refusal;
    order.plan.endpoint = requests.endpoint;
    order.plan.extra_body = requests.extra_body;
    order.plan.transport = requests.transport;
    order.target.headers = requests.headers;
    order.target.trust = requests.trust;
    order.sweep = requests.sweep;
    order.handout = requests.handout;
    order.keeps = requests.keeps;
    order.fill_tokens = requests.fill_tokens;
    if ((order.keeps || order.handout != 0) && parser.isSet(flags.csv))
        return Refusal{exitUsage,
            QCoreApplication::translate(
                "kvlab probe", "--keeps and --handout write no rows of samples; leave --csv out, or use --json.")};
    if (!order.sweep.isEmpty() && parser.isSet(flags.arms))
        return Refusal{exitUsage,
            QCoreApplication::translate("kvlab probe", "--sweep measures the arms cold and warm; leave --arms out.")};
    if (!order.sweep.isEmpty())
        order.plan.arms = {Arm::cold, Arm::warm};
    return std::nullopt;
}

/// Of a sweep every length.
std::optional<Refusal> checkPlan(const ProbeOrder &order)
{
    ExperimentPlan plan = order.plan;
    for (const int length : order.sweep.isEmpty() ? QList<int>{plan.shared_tokens} : order.sweep) {
        plan.shared_tokens = length;
        if (const auto problem = validate(plan))
            return Refusal{exitUsage, *problem};
    }
    return std::nullopt;
}

} // namespace

std::variant<ProbeOrder, int> readProbeOrder(const QStringList &arguments)
{
    QCommandLineParser parser;
    const Flags flags;
    flags.addTo(parser);
    if (const auto code = parseArguments(parser, arguments))
        return *code;
    if (!parser.positionalArguments().isEmpty())
        return fail(exitUsage,
            QCoreApplication::translate(
                "kvlab probe", "“%1” is not an option of kvlab probe. kvlab probe --help lists them.")
                .arg(parser.positionalArguments().first()));
    ProbeOrder order;
    order.csv_file = parser.value(flags.csv);
    order.json_file = parser.value(flags.json);
    std::optional<Refusal> refusal = readNumbers(parser, flags, order.plan);
    if (!refusal)
        refusal = readWords(parser, flags, order);
    if (!refusal)
        refusal = readTarget(parser, flags, order);
    if (!refusal)
        refusal = readTexts(parser, flags, order.plan);
    if (!refusal)
        refusal = readRequests(parser, flags, order);
    if (!refusal)
        refusal = checkPlan(order);
    if (refusal)
        return fail(refusal->code, refusal->message);
    return order;
}

} // namespace kvlab::cli
