// SPDX-License-Identifier: GPL-3.0-or-later
#include "probe_keeps.h"

#include <QCoreApplication>
#include <QJsonArray>

namespace kvlab::cli {

namespace {

using namespace experiment;

struct Texts
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::cli::ProbeKeeps)
};

QJsonValue json(std::optional<qint64> value)
{
    return value ? QJsonValue(*value) : QJsonValue(QJsonValue::Null);
}

QJsonArray stepsJson(const QList<KeepsStep> &steps)
{
    QJsonArray array;
    for (const KeepsStep &step : steps)
        array.append(QJsonObject{{QStringLiteral("purpose"), keepsPurposeName(step.purpose)},
            {QStringLiteral("prompt_tokens"), json(step.prompt_tokens)}, {QStringLiteral("hit"), json(step.hit)}});
    return array;
}

} // namespace

QString keepsAsTable(const KeepsResult &result)
{
    QString text = Texts::tr("What %1 keeps, by the hits it reported:").arg(result.server.label) + QLatin1Char('\n');
    for (const QString &sentence : keepsReport(result))
        text += sentence + QLatin1Char('\n');
    if (result.server.block_size && result.block_size && result.server.block_size != result.block_size)
        text
            += Texts::tr("The server itself names blocks of %1 tokens.").arg(QString::number(*result.server.block_size))
            + QLatin1Char('\n');
    return text
        + Texts::tr("%1 requests with %2 prompt tokens in all.")
              .arg(QString::number(result.steps.size()), QString::number(result.tokens_sent))
        + QLatin1Char('\n');
}

QJsonObject keepsToJson(const KeepsResult &result)
{
    const QJsonObject keeps{{QStringLiteral("server"), result.server.label},
        {QStringLiteral("model"), result.server.model}, {QStringLiteral("reports_hits"), result.reports_hits},
        {QStringLiteral("keeps_anything"), result.keeps_anything}, {QStringLiteral("floor"), json(result.floor)},
        {QStringLiteral("block_size"), json(result.block_size)},
        {QStringLiteral("block_size_named_by_server"), json(result.server.block_size)},
        {QStringLiteral("shortest_prefix"), json(result.shortest_prefix)},
        {QStringLiteral("shortest_is_bound"), result.shortest_is_bound},
        {QStringLiteral("keeps_generated"),
            result.keeps_generated ? QJsonValue(*result.keeps_generated) : QJsonValue(QJsonValue::Null)},
        {QStringLiteral("pool_tokens"), json(result.pool_tokens)},
        {QStringLiteral("pool_at_least"), json(result.pool_at_least)},
        {QStringLiteral("prompts_kept"),
            result.prompts_kept ? QJsonValue(*result.prompts_kept) : QJsonValue(QJsonValue::Null)},
        {QStringLiteral("stores_late"), result.stores_late}, {QStringLiteral("tokens_sent"), result.tokens_sent},
        {QStringLiteral("message"), result.message},
        {QStringLiteral("report"), QJsonArray::fromStringList(keepsReport(result))},
        {QStringLiteral("steps"), stepsJson(result.steps)}};
    return {{QStringLiteral("keeps"), keeps}};
}

} // namespace kvlab::cli
