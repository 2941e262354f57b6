// SPDX-License-Identifier: GPL-3.0-or-later
// What is to be measured: server, arms, prompt, rounds. Plain values; validate() before a run.
#pragma once

#include "probe/probe_sample.h"

#include <QJsonObject>
#include <QList>
#include <QString>
#include <QUrl>

#include <optional>

namespace kvlab::experiment {

/// The treatments. In data: cold, warm, partial, different; on screen NO CACHE, CACHED, PARTIAL, DIFFERENT PREFIX.
/// PARTIAL is the document of CACHED with a change in its middle: only what stands before the change can be reused.
enum class Arm { cold, warm, partial, different };

QList<Arm> allArms(); ///< in the order of tables and charts
QList<Arm> standardArms(); ///< cold, warm, different
QString armName(Arm arm); ///< "cold", "warm", "partial", "different"
std::optional<Arm> armFromName(const QString &name);
QString armTitle(Arm arm); ///< translated, as on screen: NO CACHE, CACHED, PARTIAL, DIFFERENT PREFIX

/// Which route the prompts take: /v1/chat/completions, or /v1/completions, which knows no roles and no template.
enum class Endpoint { chat, completions };
QString endpointName(Endpoint endpoint);
std::optional<Endpoint> endpointFromName(const QString &name);

/// How a cold sample is made cold. `automatic` takes cache_salt where the server honours it (verified), else nonce.
enum class ColdMethod {
    automatic,
    salt,
    nonce,
    reset, ///< the server's cache is emptied before each cold sample (vLLM in development mode, SGLang), for all its
           ///< users
    no_cache, ///< llama.cpp's cache_prompt: false
};
QString coldMethodName(ColdMethod method);
std::optional<ColdMethod> coldMethodFromName(const QString &name);

/// An OpenAI-compatible server. The key lives in memory for this run only.
struct ServerTarget
{
    QUrl base_url; ///< http://127.0.0.1:8000, with or without /v1
    QString model; ///< empty = the first one that /v1/models lists
    QByteArray api_key;
    QList<probe::ProbeHeader> headers; ///< sent with every request; never exported
    probe::TlsTrust trust;
    bool practice_engine = false; ///< our own engine: its text is gibberish, its times and hits are real
    QString label; ///< shown and exported: "practice engine medium", "http://…"
};

struct ExperimentPlan
{
    int rounds = 10; ///< 1 … 1000
    QList<Arm> arms = standardArms();
    Endpoint endpoint = Endpoint::chat;
    QJsonObject extra_body; ///< merged into the body of every timed request; null takes a field out
    int shared_tokens
        = 1500; ///< wanted length of the shared prefix; the document is cut to it by the server's own count
    int max_tokens = 16; ///< 1 … 4096
    quint32 seed = 1;
    ColdMethod cold = ColdMethod::automatic;
    QString document; ///< empty = the built-in document
    QString prime_question; ///< empty = built-in; sent unmeasured before each warm and different sample
    QString question; ///< empty = built-in; the measured one
    probe::ProbeLimits limits;
    probe::Transport transport = probe::Transport::low_delay;
};

QString transportName(probe::Transport transport); ///< "low-delay", "qnam"
std::optional<probe::Transport> transportFromName(const QString &name);

/// One sentence for the first field that is out of range or empty; nullopt when the plan can run.
std::optional<QString> validate(const ExperimentPlan &plan);

} // namespace kvlab::experiment
