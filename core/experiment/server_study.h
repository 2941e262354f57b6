// SPDX-License-Identifier: GPL-3.0-or-later
// What must be known about a server before the first sample: model, context, block size, whether it reports hits, what
// its chat template makes common to all prompts, and how a prompt is made cold. Everything is found out at run time.
#pragma once

#include "experiment/chat_sender.h"
#include "experiment/prompt_book.h"
#include "experiment/token_counter.h"

namespace kvlab::experiment {

/// Why a run cannot go on: a sentence (what, why, what to do), and the server's own words.
struct Failure
{
    QString message;
    QString details;
};

class ServerStudy
{
public:
    ServerStudy(
        ServerLink &link, ChatSender &sender, PromptBook &book, const ServerTarget &target, const ExperimentPlan &plan);

    /// A failure, or nothing; when the link was stopped meanwhile the result means nothing.
    std::optional<Failure> run();
    /// Only what any request needs: model, metrics, the shape of requests, the way to count tokens.
    std::optional<Failure> learnBasics();

    const ServerFacts &facts() const { return m_facts; }
    TokenCounter &counter() { return m_counter; }

private:
    std::optional<Failure> findModel();
    std::optional<Failure> chooseModel(const QList<OfferedModel> &models);
    Failure noModelList(const HttpAnswer &answer) const;
    void readMetrics();
    void readProperties(); ///< llama.cpp's /props
    std::optional<Failure> findRequestShape();
    std::optional<Failure> learnLengths();
    void learnTemplateFloor();
    void chooseColdMethod();
    /// An empty string when the server keeps prompts with different salts apart, else why that is not certain.
    QString saltProblem();
    QString resetProblem();
    QString noCacheProblem();
    Prompt repeatable(); ///< long enough for a hit of several blocks
    void noteLimits();
    QString place() const;

    ServerLink &m_link;
    ChatSender &m_sender;
    PromptBook &m_book;
    const ServerTarget &m_target;
    const ExperimentPlan &m_plan;
    TokenCounter m_counter;
    ServerFacts m_facts;
};

/// The sentence for a prompt that does not fit, when `sample` was refused for that; nullopt otherwise.
std::optional<Failure> contextFailure(const probe::ProbeSample &sample);

} // namespace kvlab::experiment
