// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/server_texts.h"

#include <QCoreApplication>
#include <QLocale>

#include <cmath>

namespace kvlab::ui {

using servers::CacheTraffic;
using servers::ServerStatus;

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(ServerPanel)
};

QString count(qint64 number)
{
    return QLocale().toString(number);
}

QString percent(double share)
{
    // The sign must not begin a line.
    return Text::tr("%1 %").arg(QLocale().toString(share * 100, 'f', 1)).replace(u' ', QChar::Nbsp);
}

QString gib(double bytes)
{
    return Text::tr("%1 GiB").arg(QLocale().toString(bytes / (1024.0 * 1024 * 1024), 'f', 3));
}

QString bytesText(double bytes)
{
    return Text::tr("%1 B").arg(QLocale().toString(bytes, 'f', 0));
}

QString notOffered()
{
    return Text::tr("not offered by this server");
}

QString modelValue(const ServerStatus &status)
{
    if (!status.model)
        return notOffered();
    return status.context_tokens
        ? Text::tr("%1 · prompt and answer up to %2 tokens").arg(*status.model, count(*status.context_tokens))
        : *status.model;
}

QString poolValue(const ServerStatus &status)
{
    if (!status.pool_tokens)
        return notOffered();
    QStringList parts{Text::tr("%1 tokens").arg(count(*status.pool_tokens))};
    if (status.pool_blocks)
        parts.append(Text::tr("%1 blocks").arg(count(*status.pool_blocks)));
    if (status.pool_bytes)
        parts.append(gib(double(*status.pool_bytes)));
    return parts.join(QStringLiteral(" · "));
}

QString blockValue(const ServerStatus &status)
{
    if (!status.block_size)
        return notOffered();
    const QString tokens = Text::tr("%1 tokens").arg(count(*status.block_size));
    if (!status.prefix_caching)
        return tokens;
    return *status.prefix_caching ? Text::tr("%1, prefix caching on").arg(tokens)
                                  : Text::tr("%1, prefix caching off").arg(tokens);
}

QString tableValue(const ServerFigures &figures)
{
    if (!figures.now.pool_tokens)
        return notOffered();
    if (!figures.table)
        return Text::tr("choose a row of the memory table");
    const double own = figures.table->bytes_per_token;
    if (const auto said = figures.now.bytesPerToken()) {
        return Text::tr("%1 a token by %2, server %3", "%2 is a model of the table")
            .arg(bytesText(own), figures.table->model, bytesText(*said));
    }
    return Text::tr("%1 at the %2 a token of %3", "%1 is a size, %3 a model of the table")
        .arg(gib(own * double(*figures.now.pool_tokens)), bytesText(own), figures.table->model);
}

QString tableMeaning(const ServerFigures &figures)
{
    const auto said = figures.now.bytesPerToken();
    if (!figures.table || !said)
        return Text::tr("The server's pool at the memory table's own bytes per token, if the chosen row is the model "
                        "that the server runs, with its cache type.");
    const double apart = figures.table->bytes_per_token / *said - 1;
    if (std::abs(apart) < 0.01)
        return Text::tr("Table and server agree.");
    return Text::tr("They differ by %1: the chosen row is another model or cache type than the server's, or the server "
                    "keeps more than keys and values.")
        .arg(percent(std::abs(apart)));
}

QString requestsValue(const ServerStatus &status)
{
    if (!status.running)
        return notOffered();
    return status.waiting ? Text::tr("%1 running, %2 waiting").arg(count(*status.running), count(*status.waiting))
                          : Text::tr("%1 running").arg(count(*status.running));
}

QString trafficValue(const CacheTraffic &traffic)
{
    const QString figures = Text::tr("%1 of %2 tokens found").arg(count(traffic.hits), count(traffic.queries));
    const auto rate = traffic.rate();
    return rate ? QStringLiteral("%1 · %2").arg(figures, percent(*rate)) : figures;
}

QString totalValue(const std::optional<CacheTraffic> &traffic)
{
    return traffic ? trafficValue(*traffic) : notOffered();
}

QString recentValue(const std::optional<CacheTraffic> &total, const std::optional<CacheTraffic> &recent)
{
    if (!total)
        return notOffered();
    if (!recent)
        return Text::tr("known from the second reading on");
    return recent->queries > 0 ? trafficValue(*recent) : Text::tr("no prompt was looked up");
}

} // namespace

QList<ServerLine> serverLines(const ServerFigures &figures)
{
    const ServerStatus &now = figures.now;
    const QString recent = figures.seconds > 0
        ? Text::tr("Last %1 s").arg(QLocale().toString(std::round(figures.seconds), 'f', 0))
        : Text::tr("Last interval");
    return {
        {Text::tr("Model"), modelValue(now), Text::tr("What the server runs, and the longest it takes.")},
        {Text::tr("Block size"), blockValue(now), Text::tr("Prefixes are found again in whole blocks of this length.")},
        {Text::tr("Pool"), poolValue(now),
            Text::tr("Room for keys and values of all requests and of cached prefixes.")},
        {Text::tr("Beside the table"), tableValue(figures), tableMeaning(figures)},
        {Text::tr("Requests"), requestsValue(now),
            Text::tr("Others on the server slow down what is measured; measure when nobody else uses it.")},
        {Text::tr("Pool in use"), now.usage ? percent(*now.usage) : notOffered(),
            Text::tr("Held by running requests. Cached blocks that nobody uses count as free.")},
        {Text::tr("Prefix cache, total"), totalValue(now.prefix_cache),
            Text::tr("Prompt tokens looked up and found since the server started, other users' included.")},
        {recent, recentValue(now.prefix_cache, figures.recent),
            Text::tr("The same between the last two readings; after a run, over the whole run.")},
        {Text::tr("External cache"), totalValue(now.external_cache),
            Text::tr("Found behind a connector (RAM, disk, another machine) and not in the pool.")},
    };
}

} // namespace kvlab::ui
