// SPDX-License-Identifier: GPL-3.0-or-later
// What is to be measured: server, arms, prompt, rounds. Plain values; validate() before a run.
#pragma once

#include "probe/probe_sample.h"

#include <QList>
#include <QString>
#include <QUrl>

#include <optional>

namespace kvlab::experiment {

/// The treatments. In data: cold, warm, different; on screen NO CACHE, CACHED, DIFFERENT PREFIX.
enum class Arm { cold, warm, different };

QList<Arm> allArms();
QString armName(Arm arm); ///< "cold", "warm", "different"
std::optional<Arm> armFromName(const QString &name);
QString armTitle(Arm arm); ///< translated, as on screen: NO CACHE, CACHED, DIFFERENT PREFIX

/// How a cold sample is made cold. `automatic` takes cache_salt where the server honours it (verified), else nonce.
enum class ColdMethod { automatic, salt, nonce };
QString coldMethodName(ColdMethod method);
std::optional<ColdMethod> coldMethodFromName(const QString &name);

/// An OpenAI-compatible server. The key lives in memory for this run only.
struct ServerTarget
{
    QUrl base_url; ///< http://127.0.0.1:8000, with or without /v1
    QString model; ///< empty = the first one that /v1/models lists
    QByteArray api_key;
    bool practice_engine = false; ///< our own engine: its text is gibberish, its times and hits are real
    QString label; ///< shown and exported: "practice engine medium", "http://…"
};

struct ExperimentPlan
{
    int rounds = 10; ///< 1 … 1000
    QList<Arm> arms = allArms();
    int shared_tokens
        = 1500; ///< wanted length of the shared prefix; the document is cut to it by the server's own count
    int max_tokens = 16; ///< 1 … 4096
    quint32 seed = 1;
    ColdMethod cold = ColdMethod::automatic;
    QString document; ///< empty = the built-in document
    QString prime_question; ///< empty = built-in; sent unmeasured before each warm and different sample
    QString question; ///< empty = built-in; the measured one
    probe::ProbeLimits limits;
};

/// One sentence for the first field that is out of range or empty; nullopt when the plan can run.
std::optional<QString> validate(const ExperimentPlan &plan);

} // namespace kvlab::experiment
