// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/experiment_plan.h"

#include "experiment/experiment_result.h"

#include <QCoreApplication>
#include <QLocale>

#include <array>

namespace kvlab::experiment {

namespace {

template <typename Value> struct Named
{
    Value value;
    const char *name;
};

constexpr std::array armNames{Named<Arm>{Arm::cold, "cold"}, Named<Arm>{Arm::warm, "warm"},
    Named<Arm>{Arm::partial, "partial"}, Named<Arm>{Arm::different, "different"}};
constexpr std::array transportNames{Named<probe::Transport>{probe::Transport::low_delay, "low-delay"},
    Named<probe::Transport>{probe::Transport::stock, "qnam"}};
constexpr std::array endpointNames{
    Named<Endpoint>{Endpoint::chat, "chat"}, Named<Endpoint>{Endpoint::completions, "completions"}};
constexpr std::array coldNames{Named<ColdMethod>{ColdMethod::automatic, "auto"},
    Named<ColdMethod>{ColdMethod::salt, "salt"}, Named<ColdMethod>{ColdMethod::nonce, "nonce"},
    Named<ColdMethod>{ColdMethod::reset, "reset"}, Named<ColdMethod>{ColdMethod::no_cache, "no-cache"}};
constexpr std::array verdictNames{Named<Verdict>{Verdict::confirmed, "confirmed"},
    Named<Verdict>{Verdict::likely, "likely"}, Named<Verdict>{Verdict::unconfirmed, "unconfirmed"},
    Named<Verdict>{Verdict::contradicted, "contradicted"}};

template <typename Table, typename Value> QString nameIn(const Table &table, Value value)
{
    for (const auto &entry : table) {
        if (entry.value == value)
            return QString::fromLatin1(entry.name);
    }
    return {};
}

template <typename Value, typename Table> std::optional<Value> valueIn(const Table &table, const QString &name)
{
    for (const auto &entry : table) {
        if (name == QLatin1String(entry.name))
            return entry.value;
    }
    return std::nullopt;
}

std::optional<QString> outOfRange(const QString &what, qint64 value, qint64 low, qint64 high)
{
    if (value >= low && value <= high)
        return std::nullopt;
    const QLocale locale;
    //: %1 a quantity ("The number of rounds"), %2 what was given, %3 and %4 the limits
    return QCoreApplication::translate(
        "experiment", "%1 is %2, but it must lie between %3 and %4. Choose a value in that range.")
        .arg(what, locale.toString(value), locale.toString(low), locale.toString(high));
}

std::optional<QString> armsProblem(const QList<Arm> &arms)
{
    if (arms.isEmpty())
        return QCoreApplication::translate("experiment",
            "No arm is chosen, so there is nothing to measure. Choose at least one of cold, warm, partial and "
            "different.");
    for (const Arm arm : arms) {
        if (arms.count(arm) > 1)
            return QCoreApplication::translate(
                "experiment", "The arm “%1” is named more than once. Name each arm once.")
                .arg(armName(arm));
    }
    return std::nullopt;
}

std::optional<QString> limitsProblem(const probe::ProbeLimits &limits)
{
    constexpr qint64 day = 86'400'000;
    if (const auto problem = outOfRange(
            QCoreApplication::translate("experiment", "The time limit for connecting (ms)"), limits.connect_ms, 1, day))
        return problem;
    if (const auto problem
        = outOfRange(QCoreApplication::translate("experiment", "The time limit for the first token (ms)"),
            limits.first_token_ms, 1, day))
        return problem;
    if (const auto problem = outOfRange(
            QCoreApplication::translate("experiment", "The time limit between two tokens (ms)"), limits.gap_ms, 1, day))
        return problem;
    return outOfRange(
        QCoreApplication::translate("experiment", "The time limit for a whole request (ms)"), limits.total_ms, 1, day);
}

} // namespace

QList<Arm> allArms()
{
    return {Arm::cold, Arm::warm, Arm::partial, Arm::different};
}

QList<Arm> standardArms()
{
    return {Arm::cold, Arm::warm, Arm::different};
}

QString endpointName(Endpoint endpoint)
{
    return nameIn(endpointNames, endpoint);
}

std::optional<Endpoint> endpointFromName(const QString &name)
{
    return valueIn<Endpoint>(endpointNames, name);
}

QString armName(Arm arm)
{
    return nameIn(armNames, arm);
}

std::optional<Arm> armFromName(const QString &name)
{
    return valueIn<Arm>(armNames, name);
}

QString armTitle(Arm arm)
{
    switch (arm) {
    case Arm::cold:
        //: an arm of the experiment, as in the chart
        return QCoreApplication::translate("experiment", "NO CACHE");
    case Arm::warm:
        //: an arm of the experiment, as in the chart
        return QCoreApplication::translate("experiment", "CACHED");
    case Arm::partial:
        //: an arm of the experiment, as in the chart
        return QCoreApplication::translate("experiment", "PARTIAL");
    case Arm::different:
        //: an arm of the experiment, as in the chart
        return QCoreApplication::translate("experiment", "DIFFERENT PREFIX");
    }
    return {};
}

QString transportName(probe::Transport transport)
{
    return nameIn(transportNames, transport);
}

std::optional<probe::Transport> transportFromName(const QString &name)
{
    return valueIn<probe::Transport>(transportNames, name);
}

QString coldMethodName(ColdMethod method)
{
    return nameIn(coldNames, method);
}

std::optional<ColdMethod> coldMethodFromName(const QString &name)
{
    return valueIn<ColdMethod>(coldNames, name);
}

QString verdictName(Verdict verdict)
{
    return nameIn(verdictNames, verdict);
}

QString verdictTitle(Verdict verdict)
{
    switch (verdict) {
    case Verdict::confirmed:
        return QCoreApplication::translate("experiment", "confirmed", "a verdict");
    case Verdict::likely:
        return QCoreApplication::translate("experiment", "likely", "a verdict");
    case Verdict::unconfirmed:
        return QCoreApplication::translate("experiment", "unconfirmed", "a verdict");
    case Verdict::contradicted:
        return QCoreApplication::translate("experiment", "contradicted", "a verdict");
    }
    return {};
}

std::optional<Verdict> verdictFromName(const QString &name)
{
    return valueIn<Verdict>(verdictNames, name);
}

std::optional<QString> validate(const ExperimentPlan &plan)
{
    if (const auto problem
        = outOfRange(QCoreApplication::translate("experiment", "The number of rounds"), plan.rounds, 1, 1000))
        return problem;
    if (const auto problem = armsProblem(plan.arms))
        return problem;
    if (const auto problem
        = outOfRange(QCoreApplication::translate("experiment", "The length of the shared prefix (tokens)"),
            plan.shared_tokens, 32, 1'000'000))
        return problem;
    if (const auto problem = outOfRange(
            QCoreApplication::translate("experiment", "The longest answer (max_tokens)"), plan.max_tokens, 1, 4096))
        return problem;
    return limitsProblem(plan.limits);
}

} // namespace kvlab::experiment
