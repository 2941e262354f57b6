// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/keeps.h"

#include "experiment/keeps_study.h"

#include <QCoreApplication>
#include <QLocale>
#include <QTimer>

namespace kvlab::experiment {

namespace {

struct Texts
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::experiment::Keeps)
};

QString number(qint64 value)
{
    return QLocale().toString(value);
}

QString blockSentence(qint64 block)
{
    return block == 1 ? Texts::tr("It reuses prefixes token by token.")
                      : Texts::tr("It reuses prefixes in blocks of %1 tokens.").arg(number(block));
}

QString shortestSentence(const KeepsResult &result)
{
    const QString tokens = number(*result.shortest_prefix);
    return result.shortest_is_bound ? Texts::tr(
               "The shortest prefix that counts has at most %1 tokens: that many of the chat template are found in "
               "every prompt.")
                                          .arg(tokens)
                                    : Texts::tr("The shortest prefix that counts has %1 tokens.").arg(tokens);
}

QString generatedSentence(std::optional<bool> kept)
{
    if (!kept)
        return Texts::tr("Whether generated tokens are kept could not be told: the text does not come back as the same "
                         "tokens.");
    return *kept ? Texts::tr("Generated tokens are kept: an answer that is sent back is found as part of the prefix.")
                 : Texts::tr("Generated tokens are not kept: only what was in a prompt is found again.");
}

QString poolSentence(const KeepsResult &result)
{
    if (result.prompts_kept == 1)
        return Texts::tr("It keeps the last prompt only: any other prompt in between takes its place.");
    if (result.prompts_kept)
        return Texts::tr("It keeps the last %1 prompts, however long they are.").arg(number(*result.prompts_kept));
    if (result.pool_tokens)
        return Texts::tr("%1 tokens fit before the oldest prefix is lost.").arg(number(*result.pool_tokens));
    if (result.pool_at_least)
        return Texts::tr("At least %1 tokens fit; more was not tried, so as not to take too long.")
            .arg(number(*result.pool_at_least));
    return {};
}

} // namespace

QString keepsPurposeName(KeepsStep::Purpose purpose)
{
    switch (purpose) {
    case KeepsStep::Purpose::prime:
        return QStringLiteral("prime");
    case KeepsStep::Purpose::floor:
        return QStringLiteral("floor");
    case KeepsStep::Purpose::block:
        return QStringLiteral("block");
    case KeepsStep::Purpose::shortest:
        return QStringLiteral("shortest");
    case KeepsStep::Purpose::generated:
        return QStringLiteral("generated");
    case KeepsStep::Purpose::fill:
        return QStringLiteral("fill");
    case KeepsStep::Purpose::survivor:
        return QStringLiteral("survivor");
    }
    return {};
}

KeepsResult studyKeeps(const ServerTarget &target, const KeepsPlan &plan,
    const std::function<bool(qsizetype done)> &goOn, const std::function<void(const KeepsStep &step)> &onStep)
{
    ServerLink link(target);
    KeepsStudy study(link, target, plan);
    qsizetype told = 0;
    const auto tellSteps = [&] {
        for (; onStep && told < study.result().steps.size(); ++told)
            onStep(study.result().steps.at(told));
    };
    QTimer watch;
    watch.setInterval(50);
    QObject::connect(&watch, &QTimer::timeout, &watch, [&] {
        tellSteps();
        if (!goOn(study.result().steps.size()))
            study.stop();
    });
    watch.start();
    study.run();
    tellSteps();
    KeepsResult result = study.result();
    result.stopped = link.isStopped();
    return result;
}

QStringList keepsReport(const KeepsResult &result)
{
    if (!result.reports_hits)
        return {Texts::tr(
            "The server does not say how many prompt tokens came from its cache, so nothing can be found out. "
            "Start vLLM with --enable-prompt-tokens-details (SGLang: --enable-cache-report).")};
    if (!result.keeps_anything)
        return {Texts::tr(
            "It keeps nothing: no repeated prompt was found again. Check that prefix caching is switched on.")};
    QStringList sentences;
    if (result.block_size)
        sentences << blockSentence(*result.block_size);
    if (result.shortest_prefix)
        sentences << shortestSentence(result);
    sentences << generatedSentence(result.keeps_generated) << poolSentence(result);
    if (result.stores_late)
        sentences << Texts::tr("It stores behind the answer: a prompt is found only a second or two later.");
    sentences.removeAll(QString());
    return sentences;
}

} // namespace kvlab::experiment
