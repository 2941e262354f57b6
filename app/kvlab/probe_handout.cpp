// SPDX-License-Identifier: GPL-3.0-or-later
#include "probe_handout.h"

#include "listing.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QSet>

#include <array>

namespace kvlab::cli {

namespace {

using namespace experiment;

struct Texts
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::cli::ProbeHandout)
};

struct PlaceName
{
    HandoutPlace place;
    const char *name; ///< in JSON
    int part;
};

constexpr std::array places{PlaceName{HandoutPlace::part1_table, "part1_table", 1},
    PlaceName{HandoutPlace::part2_server, "part2_server", 2}, PlaceName{HandoutPlace::part2_script, "part2_script", 2},
    PlaceName{HandoutPlace::warm_up, "warm_up", 2}, PlaceName{HandoutPlace::no_cache, "no_cache", 2},
    PlaceName{HandoutPlace::cached, "cached", 2}, PlaceName{HandoutPlace::different_prefix, "different_prefix", 2},
    PlaceName{HandoutPlace::part3_server, "part3_server", 3}, PlaceName{HandoutPlace::part3_first, "part3_first", 3},
    PlaceName{HandoutPlace::part3_second, "part3_second", 3}};

bool isInPart(const HandoutFlaw &flaw, int part)
{
    return std::any_of(places.begin(), places.end(),
        [&](const PlaceName &entry) { return entry.part == part && flaw.places.contains(entry.place); });
}

QString count(std::optional<qint64> value)
{
    return value ? QString::number(*value) : QString();
}

QString numbersAt(HandoutPlace place)
{
    QStringList numbers;
    for (const HandoutFlaw &flaw : handoutFlaws(place))
        numbers << QString::number(flaw.number);
    return numbers.join(QLatin1Char(' '));
}

QStringList row(const HandoutSample &sample)
{
    const probe::Evidence &evidence = sample.probe.evidence;
    const QString label
        = sample.request.printed ? sample.request.label : Texts::tr("%1 (not printed)").arg(sample.request.label);
    return {label, sample.handout_ms ? QString::number(*sample.handout_ms, 'f', 1) : QString(),
        count(evidence.cached_tokens), count(evidence.prompt_tokens), numbersAt(sample.request.place)};
}

QString flawLines(const QList<HandoutFlaw> &flaws)
{
    QString text;
    for (const HandoutFlaw &flaw : flaws) {
        //: a numbered flaw: its statement, then what it does
        text += Texts::tr("%1. %2 %3").arg(QString::number(flaw.number), flaw.title, flaw.detail) + QLatin1Char('\n');
    }
    return text;
}

QJsonValue json(std::optional<qint64> value)
{
    return value ? QJsonValue(*value) : QJsonValue(QJsonValue::Null);
}

QJsonValue json(std::optional<double> value)
{
    return value ? QJsonValue(*value) : QJsonValue(QJsonValue::Null);
}

QJsonObject sampleJson(const HandoutSample &sample)
{
    QJsonArray flaws;
    for (const HandoutFlaw &flaw : handoutFlaws(sample.request.place))
        flaws.append(flaw.number);
    return {{QStringLiteral("label"), sample.request.label}, {QStringLiteral("printed"), sample.request.printed},
        {QStringLiteral("handout_ms"), json(sample.handout_ms)},
        {QStringLiteral("ttft_ms"), json(sample.probe.ttftMs())},
        {QStringLiteral("connect_ms"), json(sample.probe.connectMs())},
        {QStringLiteral("total_ms"), json(sample.probe.totalMs())},
        {QStringLiteral("prompt_tokens"), json(sample.probe.evidence.prompt_tokens)},
        {QStringLiteral("cached_tokens"), json(sample.probe.evidence.cached_tokens)},
        {QStringLiteral("new_connection"), sample.probe.new_connection},
        {QStringLiteral("max_tokens"), sample.request.max_tokens}, {QStringLiteral("stream"), sample.request.streams},
        {QStringLiteral("text"), sample.probe.text}, {QStringLiteral("flaws"), flaws}};
}

QJsonObject flawJson(const HandoutFlaw &flaw)
{
    QJsonArray names;
    for (const PlaceName &entry : places) {
        if (flaw.places.contains(entry.place))
            names.append(QString::fromLatin1(entry.name));
    }
    return {{QStringLiteral("number"), flaw.number}, {QStringLiteral("places"), names},
        {QStringLiteral("title"), flaw.title}, {QStringLiteral("detail"), flaw.detail}};
}

} // namespace

QString handoutAsTable(const HandoutResult &result)
{
    Listing listing;
    listing.names = {Texts::tr("the handout's figure"), Texts::tr("“TTFT” in ms"), Texts::tr("cached tokens"),
        Texts::tr("prompt tokens"), Texts::tr("spoilt by")};
    listing.is_text = {true, false, false, false, true};
    for (const HandoutSample &sample : result.samples)
        listing.rows << row(sample);
    QString text = listing.table();
    const QString finding = handoutFinding(result);
    if (!finding.isEmpty())
        text += finding + QLatin1Char('\n');
    QList<HandoutFlaw> here;
    QList<HandoutFlaw> elsewhere;
    for (const HandoutFlaw &flaw : handoutFlaws())
        (isInPart(flaw, result.part) ? here : elsewhere).append(flaw);
    text += QLatin1Char('\n') + flawLines(here);
    text += QLatin1Char('\n') + Texts::tr("In the handout's other parts:") + QLatin1Char('\n') + flawLines(elsewhere);
    return text + QLatin1Char('\n') + Texts::tr("kvlab probe without --handout measures it right.") + QLatin1Char('\n');
}

QJsonObject handoutToJson(const HandoutResult &result)
{
    QJsonArray samples;
    for (const HandoutSample &sample : result.samples)
        samples.append(sampleJson(sample));
    QJsonArray flaws;
    for (const HandoutFlaw &flaw : handoutFlaws())
        flaws.append(flawJson(flaw));
    return {{QStringLiteral("handout"),
        QJsonObject{{QStringLiteral("part"), result.part}, {QStringLiteral("server"), result.server},
            {QStringLiteral("model"), result.model}, {QStringLiteral("requests"), samples},
            {QStringLiteral("finding"), handoutFinding(result)}, {QStringLiteral("message"), result.message},
            {QStringLiteral("flaws"), flaws}}}};
}

} // namespace kvlab::cli
