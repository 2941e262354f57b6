// SPDX-License-Identifier: GPL-3.0-or-later
#include "probe_request_options.h"

#include "commands.h"

#include <QCoreApplication>
#include <QFile>
#include <QJsonDocument>

namespace kvlab::cli {

namespace {

struct Texts
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::cli::ProbeRequestOptions)
};

Refusal usage(const QString &message)
{
    return {exitUsage, message};
}

QCommandLineOption option(const char *name, const QString &description, const char *value, const QString &standard = {})
{
    return {QString::fromLatin1(name), description, QString::fromLatin1(value), standard};
}

bool isHeaderName(const QByteArray &name)
{
    static const QByteArray others("!#$%&'*+-.^_`|~"); // RFC 9110, 5.6.2
    return !name.isEmpty() && std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || others.contains(c);
    });
}

bool isControl(char c)
{
    return static_cast<uchar>(c) < 0x20 || c == 0x7f;
}

/// The value is never repeated in a message: it may be a key.
std::optional<Refusal> readHeaders(const QStringList &texts, QList<probe::ProbeHeader> &headers)
{
    for (const QString &text : texts) {
        const qsizetype colon = text.indexOf(QLatin1Char(':'));
        const QByteArray name = text.left(colon).trimmed().toLatin1();
        const QByteArray value = text.mid(colon + 1).trimmed().toUtf8();
        if (colon < 0 || !isHeaderName(name) || std::any_of(value.begin(), value.end(), isControl))
            return usage(Texts::tr("--header takes a name, a colon and a value, such as 'X-Team: lab'. Correct the one "
                                   "that begins with “%1”.")
                             .arg(text.left(std::min<qsizetype>(colon < 0 ? 8 : colon, 40))));
        headers.append({name, value});
    }
    return std::nullopt;
}

std::optional<Refusal> readExtraBody(const QString &text, QJsonObject &body)
{
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(text.toUtf8(), &error);
    if (!document.isObject())
        return usage(
            Texts::tr("--extra-body takes a JSON object such as '{\"top_p\":1}', but this is none: %1. Correct it.")
                .arg(error.error == QJsonParseError::NoError ? Texts::tr("it is another kind of value")
                                                             : error.errorString()));
    body = document.object();
    for (const QString &ours : {QStringLiteral("stream"), QStringLiteral("messages"), QStringLiteral("prompt")}) {
        if (body.contains(ours))
            return usage(Texts::tr(
                "--extra-body must leave “%1” alone, because the measurement itself depends on it. Take it out.")
                             .arg(ours));
    }
    return std::nullopt;
}

std::optional<Refusal> readAuthorities(const QString &path, probe::TlsTrust &trust)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return Refusal{exitInputRefused,
            Texts::tr("The CA file %1 cannot be read: %2. Check its name and its permissions.")
                .arg(path, file.errorString())};
    trust.authorities = QSslCertificate::fromDevice(&file, QSsl::Pem);
    if (trust.authorities.isEmpty())
        return Refusal{exitInputRefused,
            Texts::tr(
                "The CA file %1 holds no certificate in PEM form (-----BEGIN CERTIFICATE-----). Name another file.")
                .arg(path)};
    return std::nullopt;
}

std::optional<Refusal> readSweep(const QString &text, QList<int> &lengths)
{
    for (const QString &part : text.split(QLatin1Char(','))) {
        bool isNumber = false;
        const int length = part.trimmed().toInt(&isNumber);
        if (!isNumber || length < 1 || lengths.contains(length))
            return usage(
                Texts::tr("--sweep takes different lengths in tokens, such as 256,512,1024, not “%1”.").arg(text));
        lengths.append(length);
    }
    if (lengths.size() < 2)
        return usage(Texts::tr("--sweep takes at least two lengths, such as 256,512,1024, not “%1”.").arg(text));
    return std::nullopt;
}

std::optional<Refusal> readHandout(const QCommandLineParser &parser, const RequestFlags &flags, RequestOrder &order)
{
    const QString part = parser.value(flags.handout);
    if (part != QLatin1String("2") && part != QLatin1String("3"))
        return usage(Texts::tr("--handout takes 2 or 3, the parts that measure, not “%1”.").arg(part));
    if (parser.isSet(flags.sweep))
        return usage(Texts::tr("--handout and --sweep measure different things; leave one out."));
    order.handout = part.toInt();
    return std::nullopt;
}

std::optional<Refusal> readKeeps(const QCommandLineParser &parser, const RequestFlags &flags, RequestOrder &order)
{
    if (parser.isSet(flags.handout) || parser.isSet(flags.sweep))
        return usage(Texts::tr("--keeps, --handout and --sweep measure different things; name one of them."));
    bool isNumber = false;
    order.fill_tokens = parser.value(flags.fillTokens).toLongLong(&isNumber);
    if (!isNumber || order.fill_tokens < 0 || order.fill_tokens > 1'000'000'000)
        return usage(Texts::tr("--fill-tokens takes a whole number up to 1000000000, not “%1”.")
                         .arg(parser.value(flags.fillTokens)));
    order.keeps = true;
    return std::nullopt;
}

} // namespace

RequestFlags::RequestFlags()
    : endpoint(option(
        "endpoint", Texts::tr("Route that the prompts take: chat or completions."), "ROUTE", QStringLiteral("chat")))
    , header(option("header",
          Texts::tr("Header for every request, 'Name: value'; may be given several times. A key belongs into "
                    "--key-env, where no list of processes shows it."),
          "HEADER"))
    , extraBody(option("extra-body",
          Texts::tr("JSON object to merge into the body of every timed request; null takes a field out."), "JSON"))
    , caCert(option("cacert", Texts::tr("PEM file with certificates of authorities to trust."), "FILE"))
    , sweep(option("sweep",
          Texts::tr("Measure cold and warm for several lengths of the shared prefix, such as 256,512,1024."), "LIST"))
    , transport(
          option("transport", Texts::tr("low-delay, or qnam for Qt's stock manager, which holds larger requests back."),
              "NAME", QStringLiteral("low-delay")))
    , handout(option("handout", Texts::tr("Run Part 2 or 3 of the course handout as it is, each flaw marked."), "PART"))
    , keeps(QStringLiteral("keeps"),
          Texts::tr("Find out what the server keeps: block size, shortest prefix, generated tokens, room."))
    , fillTokens(option("fill-tokens", Texts::tr("Most prompt tokens that --keeps spends on filling the cache."), "N",
          QStringLiteral("60000")))
{
}

std::optional<Refusal> readRequestOptions(
    const QCommandLineParser &parser, const RequestFlags &flags, RequestOrder &order)
{
    const auto endpoint = experiment::endpointFromName(parser.value(flags.endpoint));
    if (!endpoint)
        return usage(Texts::tr("--endpoint takes chat or completions, not “%1”.").arg(parser.value(flags.endpoint)));
    order.endpoint = *endpoint;
    const auto transport = experiment::transportFromName(parser.value(flags.transport));
    if (!transport)
        return usage(Texts::tr("--transport takes low-delay or qnam, not “%1”.").arg(parser.value(flags.transport)));
    order.transport = *transport;
    std::optional<Refusal> refusal = readHeaders(parser.values(flags.header), order.headers);
    if (!refusal && parser.isSet(flags.extraBody))
        refusal = readExtraBody(parser.value(flags.extraBody), order.extra_body);
    if (!refusal && parser.isSet(flags.caCert))
        refusal = readAuthorities(parser.value(flags.caCert), order.trust);
    if (!refusal && parser.isSet(flags.keeps))
        refusal = readKeeps(parser, flags, order);
    if (!refusal && parser.isSet(flags.handout))
        refusal = readHandout(parser, flags, order);
    if (!refusal && parser.isSet(flags.sweep))
        refusal = readSweep(parser.value(flags.sweep), order.sweep);
    return refusal;
}

} // namespace kvlab::cli
