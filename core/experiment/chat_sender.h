// SPDX-License-Identifier: GPL-3.0-or-later
// Sends the prompts of a run as streamed chat requests, all in the same shape, and gathers what proves a hit.
#pragma once

#include "experiment/experiment_result.h"
#include "experiment/prompts.h"
#include "experiment/server_answers.h"
#include "experiment/server_link.h"

namespace kvlab::experiment {

/// What is asked of a server besides the prompt. Some refuse stream_options, a system message, or max_tokens.
struct RequestShape
{
    bool include_usage = true;
    DocumentRole document_role = DocumentRole::system;
    bool max_completion_tokens = false; ///< instead of max_tokens, which some models refuse
};

struct Exchange
{
    probe::ProbeSample sample;
    std::optional<CounterDelta> counters; ///< only where the server counts and the answer itself reports nothing

    bool answered() const; ///< ended as it should, with or without a token: the server has read the prompt
    std::optional<qint64> hit() const; ///< tokens, from the answer or from counters of an idle server
};

class ChatSender
{
public:
    ChatSender(ServerLink &link, const ExperimentPlan &plan);

    void setModel(const QString &model) { m_model = model; }
    void setShape(const RequestShape &shape) { m_shape = shape; }
    const RequestShape &shape() const { return m_shape; }
    /// The server has counters for running requests or for prefix hits: wait for an idle server before each request.
    void setHasMetrics(bool has) { m_has_metrics = has; }

    /// Waits until the server is idle (at most 5 s, where it can be seen), pauses 50 ms, sends.
    Exchange send(const Prompt &prompt, const QString &salt = {}, bool noCache = false);

    /// Has an answer carried a count of cached tokens? Then a missing count means 0.
    bool serverReports() const { return m_server_reports; }

private:
    QJsonObject body(const Prompt &prompt, const QString &salt, bool noCache) const;
    ServerMetrics readMetrics();
    ServerMetrics waitUntilIdle();
    std::optional<CounterDelta> countersSince(const ServerMetrics &before, std::optional<qint64> promptTokens);

    ServerLink &m_link;
    QString m_model;
    RequestShape m_shape;
    Endpoint m_endpoint;
    QJsonObject m_extra_body;
    int m_max_tokens;
    probe::ProbeLimits m_limits;
    probe::Transport m_transport;
    bool m_has_metrics = false;
    bool m_server_reports = false;
};

} // namespace kvlab::experiment
