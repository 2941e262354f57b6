// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/handout.h"

#include "experiment/server_answers.h"
#include "experiment/server_link.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QLocale>
#include <QTimer>

#include <cmath>

namespace kvlab::experiment {

namespace {

struct Texts
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::experiment::Handout)
};

// The handout's own texts; never translated.
const QString professional
    = QStringLiteral("你是一个专业的AI基础设施专家。\n"
                     "你的知识包括: GPU架构、CUDA编程、容器技术、Kubernetes、大模型推理优化等。\n"
                     "请用专业且简洁的方式回答问题。\n");
const QString poet = QStringLiteral("你是一个诗人。");
const QString expert = QStringLiteral("你是AI专家。");

HandoutRequest part2(HandoutPlace place, const char *label, const QString &system, const QString &user)
{
    return {place, QString::fromLatin1(label), system, user, 50, true, place != HandoutPlace::warm_up};
}

HandoutRequest part3(HandoutPlace place, const char *label, const QString &user)
{
    return {place, QString::fromLatin1(label), expert.repeated(100), user, 100, false, true};
}

QJsonObject bodyOf(const HandoutRequest &request, const QString &model)
{
    const auto message = [](const char *role, const QString &content) {
        return QJsonObject{{QStringLiteral("role"), QLatin1String(role)}, {QStringLiteral("content"), content}};
    };
    QJsonObject body{{QStringLiteral("model"), model}, {QStringLiteral("max_tokens"), request.max_tokens},
        {QStringLiteral("messages"), QJsonArray{message("system", request.system), message("user", request.user)}}};
    if (request.streams) {
        body.insert(QStringLiteral("stream"), true);
        body.insert(QStringLiteral("stream_options"), QJsonObject{{QStringLiteral("include_usage"), true}});
    }
    return body;
}

/// A whole answer is what was asked for in Part 3.
bool isAnswered(const HandoutSample &sample)
{
    const probe::Outcome outcome = sample.probe.outcome;
    if (!sample.request.streams)
        return outcome == probe::Outcome::not_streamed && sample.probe.cause == probe::cause::not_streamed;
    return outcome == probe::Outcome::completed || outcome == probe::Outcome::no_token;
}

std::optional<double> handoutTime(const HandoutSample &sample)
{
    const probe::ProbeStamps &stamps = sample.probe.stamps;
    const auto end = sample.request.streams ? stamps.first_content_ns : stamps.end_ns;
    if (!isAnswered(sample) || !end)
        return std::nullopt;
    return static_cast<double>(*end - stamps.connect_start_ns.value_or(0)) / 1e6;
}

QString firstModel(ServerLink &link)
{
    const auto models = parseModels(link.get(QStringLiteral("/v1/models")).body);
    return models && !models->isEmpty() ? models->first().id : QString();
}

/// Ends the link soon after `goOn` says no.
class Watch
{
public:
    Watch(ServerLink &link, const std::function<bool()> &goOn)
    {
        m_timer.setInterval(50);
        QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [&link, &goOn] {
            if (!goOn())
                link.stop();
        });
        m_timer.start();
    }

private:
    QTimer m_timer;
};

/// False when the run is over.
bool sendOne(ServerLink &link, const HandoutRequest &request, const probe::ProbeLimits &limits, HandoutResult &result)
{
    HandoutSample sample;
    sample.request = request;
    sample.probe = link.ask(Endpoint::chat, bodyOf(request, result.model), limits);
    result.stopped = link.isStopped();
    if (result.stopped)
        return false;
    sample.handout_ms = handoutTime(sample);
    result.samples.append(sample);
    if (isAnswered(sample))
        return true;
    result.message = sample.probe.message;
    result.details = sample.probe.details;
    return false;
}

std::optional<qint64> cachedOf(const HandoutResult &result, HandoutPlace place)
{
    for (const HandoutSample &sample : result.samples) {
        if (sample.request.place == place)
            return sample.probe.evidence.cached_tokens;
    }
    return std::nullopt;
}

} // namespace

QList<HandoutFlaw> handoutFlaws(HandoutPlace place)
{
    QList<HandoutFlaw> flaws = handoutFlaws();
    flaws.removeIf([place](const HandoutFlaw &flaw) { return !flaw.places.contains(place); });
    return flaws;
}

QList<HandoutRequest> handoutRequests(int part)
{
    if (part == 2) {
        const QString system = professional.repeated(30);
        const QString gpu = QStringLiteral("什么是GPU?");
        return {part2(HandoutPlace::warm_up, "WARMUP", system, gpu),
            part2(HandoutPlace::no_cache, "NO CACHE", system, gpu),
            part2(HandoutPlace::cached, "CACHED", system, QStringLiteral("什么是CUDA?")),
            part2(HandoutPlace::different_prefix, "DIFFERENT PREFIX", poet.repeated(500), gpu)};
    }
    if (part == 3)
        return {part3(HandoutPlace::part3_first, "Request 1", QStringLiteral("什么是GPU的Tensor Core?")),
            part3(HandoutPlace::part3_second, "Request 2", QStringLiteral("什么是CPU的SIMD指令?"))};
    return {};
}

HandoutResult runHandout(const ServerTarget &target, int part, const probe::ProbeLimits &limits,
    const std::function<bool()> &goOn, const std::function<void(const HandoutResult &soFar)> &onSample)
{
    HandoutResult result;
    result.part = part;
    auto link = std::make_unique<ServerLink>(target);
    result.server = link->root().toString();
    {
        const Watch watch(*link, goOn);
        result.model = target.model.isEmpty() ? firstModel(*link) : target.model;
        result.stopped = link->isStopped();
    }
    if (result.model.isEmpty() && !result.stopped)
        result.message = Texts::tr("No model list could be had from %1; start the server, correct the address, or name "
                                   "the model.")
                             .arg(result.server);
    if (result.model.isEmpty())
        return result;
    for (const HandoutRequest &request : handoutRequests(part)) {
        if (!request.streams)
            link = std::make_unique<ServerLink>(target); // as the course: a new connection for every request
        const Watch watch(*link, goOn);
        if (!sendOne(*link, request, limits, result))
            break;
        if (onSample)
            onSample(result);
    }
    return result;
}

QString handoutFinding(const HandoutResult &result)
{
    QMap<HandoutPlace, double> times;
    for (const HandoutSample &sample : result.samples) {
        if (sample.handout_ms)
            times.insert(sample.request.place, *sample.handout_ms);
    }
    const double before = times.value(result.part == 3 ? HandoutPlace::part3_first : HandoutPlace::no_cache, 0);
    const double after = times.value(result.part == 3 ? HandoutPlace::part3_second : HandoutPlace::cached, 0);
    if (before <= 0 || after <= 0)
        return {};
    const QString share = QLocale().toString(std::lround(std::abs(after / before - 1) * 100));
    if (result.part == 3)
        return after < before
            ? Texts::tr(
                "The second whole answer took %1 % less time than the first; how much of that is the first token "
                "cannot be seen.")
                  .arg(share)
            : Texts::tr(
                "The second whole answer took %1 % more time than the first; a faster first token cannot be seen.")
                  .arg(share);
    if (after >= before)
        return Texts::tr(
            "It contradicts itself: CACHED is %1 % slower than NO CACHE, but the handout expects it 50 to 80 % "
            "faster.")
            .arg(share);
    const std::optional<qint64> hit = cachedOf(result, HandoutPlace::no_cache);
    if (!hit)
        return Texts::tr(
            "CACHED is %1 % faster than NO CACHE; whether NO CACHE was cached too, as the warm-up sent the same "
            "prompt, the server does not say.")
            .arg(share);
    if (*hit > 0)
        return Texts::tr(
            "CACHED is %1 % faster than NO CACHE, but NO CACHE was cached too: the warm-up sent the same prompt.")
            .arg(share);
    return Texts::tr("CACHED is %1 % faster than NO CACHE, which found nothing in the cache.").arg(share);
}

} // namespace kvlab::experiment
