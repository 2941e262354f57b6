// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/server_study.h"

#include <QCoreApplication>
#include <QJsonDocument>
#include <QLocale>
#include <QUuid>

namespace kvlab::experiment {

namespace {

constexpr int shortPromptWords = 24;
constexpr int modelsNamed = 10;

bool isRefusal(const probe::ProbeSample &sample)
{
    return sample.http_status == 400 || sample.http_status == 422 || sample.http_status == 500;
}

/// OpenAI's newer models: "Unsupported parameter: 'max_tokens' … Use 'max_completion_tokens' instead."
bool namesTokenLimit(const probe::ProbeSample &sample)
{
    const QString text = sample.message + sample.details;
    return text.contains(QLatin1String("max_completion_tokens")) || text.contains(QLatin1String("max_tokens"));
}

QString freshSalt()
{
    return QUuid::createUuid().toString(QUuid::WithoutBraces);
}

Failure failureOf(const probe::ProbeSample &sample)
{
    return contextFailure(sample).value_or(Failure{sample.message, sample.details});
}

QString coldConsequence()
{
    return QCoreApplication::translate("experiment",
        "NO CACHE prompts are made cold by a new beginning instead, so they are treated just like DIFFERENT PREFIX.");
}

} // namespace

std::optional<Failure> contextFailure(const probe::ProbeSample &sample)
{
    if (sample.cause != probe::cause::context_exceeded)
        return std::nullopt;
    return Failure{QCoreApplication::translate("experiment",
                       "The server refused the prompt because it is longer than its context. Choose a shorter shared "
                       "prefix, or start the server with a longer context."),
        sample.details.isEmpty() ? sample.message : sample.details};
}

ServerStudy::ServerStudy(
    ServerLink &link, ChatSender &sender, PromptBook &book, const ServerTarget &target, const ExperimentPlan &plan)
    : m_link(link)
    , m_sender(sender)
    , m_book(book)
    , m_target(target)
    , m_plan(plan)
    , m_counter(link)
{
    m_facts.base_url = link.root();
    m_facts.label = target.label.isEmpty() ? link.root().toString() : target.label;
    m_facts.practice_engine = target.practice_engine;
}

QString ServerStudy::place() const
{
    return m_link.root().toString();
}

std::optional<Failure> ServerStudy::learnBasics()
{
    if (const auto failure = findModel())
        return failure;
    m_sender.setModel(m_facts.model);
    readMetrics();
    readProperties();
    if (const auto failure = findRequestShape())
        return failure;
    m_counter.detect(m_facts.model, m_sender.shape().document_role, m_plan.endpoint);
    m_facts.counts_tokens = m_counter.isAvailable();
    return std::nullopt;
}

std::optional<Failure> ServerStudy::run()
{
    if (const auto failure = learnBasics())
        return failure;
    if (const auto failure = learnLengths())
        return failure;
    learnTemplateFloor();
    chooseColdMethod();
    noteLimits();
    return std::nullopt;
}

std::optional<Failure> ServerStudy::findModel()
{
    const HttpAnswer answer = m_link.get(QStringLiteral("/v1/models"));
    const auto models = answer.ok() ? parseModels(answer.body) : std::nullopt;
    if (models)
        return chooseModel(*models);
    const bool hasNoList = answer.status == 404 || answer.status == 405 || answer.status == 501;
    if (hasNoList && !m_target.model.isEmpty()) {
        m_facts.model = m_target.model;
        return std::nullopt;
    }
    return noModelList(answer);
}

std::optional<Failure> ServerStudy::chooseModel(const QList<OfferedModel> &models)
{
    QStringList names;
    for (const OfferedModel &model : models) {
        if (m_target.model.isEmpty() || model.id == m_target.model || model.aliases.contains(m_target.model)) {
            m_facts.model = m_target.model.isEmpty() ? model.id : m_target.model;
            m_facts.context_tokens = model.context_tokens;
            return std::nullopt;
        }
        names << model.id;
    }
    if (names.isEmpty())
        return Failure{
            QCoreApplication::translate("experiment",
                "The server at %1 offers no model, so there is nothing to measure. Load a model and try again.")
                .arg(place()),
            {}};
    const QString more = names.size() > modelsNamed ? QStringLiteral(", …") : QString();
    return Failure{
        QCoreApplication::translate(
            "experiment", "The server at %1 has no model “%2”. It offers: %3. Choose one of these.")
            .arg(place(), m_target.model,
                names.first(std::min<qsizetype>(names.size(), modelsNamed)).join(QStringLiteral(", ")) + more),
        {}};
}

Failure ServerStudy::noModelList(const HttpAnswer &answer) const
{
    const QString details = m_link.withoutKey(errorText(answer.body));
    const auto sentence = [&](const QString &text) { return Failure{text, details}; };
    if (answer.status == 0)
        return {QCoreApplication::translate(
                    "experiment", "No server answers at %1. Start the server, or check the address and the port.")
                    .arg(place()),
            answer.error};
    if (answer.status == 401 || answer.status == 403)
        return sentence(m_link.hasKey() ? QCoreApplication::translate(
                            "experiment", "The server at %1 does not accept this API key. Check the key.")
                                              .arg(place())
                                        : QCoreApplication::translate(
                                            "experiment", "The server at %1 wants an API key. Enter one and try again.")
                                              .arg(place()));
    if (!answer.location.isEmpty())
        return sentence(QCoreApplication::translate("experiment",
            "The server at %1 sends requests on to %2. Use that address, because a request that is sent twice cannot "
            "be timed.")
                            .arg(place(), answer.location.toString(QUrl::RemoveUserInfo | QUrl::RemoveQuery)));
    if (answer.status == 503)
        return sentence(QCoreApplication::translate("experiment",
            "The server at %1 is not ready yet; it may still be loading its model. Wait a moment and try again.")
                            .arg(place()));
    if (answer.ok())
        return sentence(QCoreApplication::translate("experiment",
            "What answers at %1 is not an OpenAI-compatible server: /v1/models is no list of models. Check the address "
            "and the port.")
                            .arg(place()));
    return sentence(QCoreApplication::translate("experiment",
        "The server at %1 does not list its models (status %2). Check the address, or name the model yourself.")
                        .arg(place(), QString::number(answer.status)));
}

void ServerStudy::readMetrics()
{
    const HttpAnswer answer = m_link.get(QStringLiteral("/metrics"));
    if (!answer.ok())
        return;
    const ServerMetrics metrics = parseMetrics(answer.body);
    m_facts.block_size = metrics.block_size;
    m_facts.prefix_caching_off = metrics.prefix_caching == false;
    m_sender.setHasMetrics(metrics.busy || metrics.hits);
}

void ServerStudy::readProperties()
{
    const HttpAnswer answer = m_link.get(QStringLiteral("/props"));
    const QJsonObject settings
        = QJsonDocument::fromJson(answer.body).object().value(QStringLiteral("default_generation_settings")).toObject();
    if (!answer.ok() || settings.isEmpty())
        return;
    m_facts.block_size = 1; // llama.cpp reuses token by token
    const qint64 context = settings.value(QStringLiteral("n_ctx")).toInteger();
    if (context > 0)
        m_facts.context_tokens = context;
}

std::optional<Failure> ServerStudy::findRequestShape()
{
    QList<RequestShape> left{{true, DocumentRole::system}, {false, DocumentRole::system}};
    if (m_plan.endpoint == Endpoint::chat)
        left += {{true, DocumentRole::user}, {false, DocumentRole::user}};
    std::optional<Failure> failure;
    bool renamed = false;
    while (!left.isEmpty()) {
        left.first().max_completion_tokens = renamed;
        m_sender.setShape(left.first());
        const Exchange exchange = m_sender.send(m_book.unrelated(shortPromptWords));
        if (exchange.answered())
            return std::nullopt;
        if (!failure)
            failure = failureOf(exchange.sample);
        if (!isRefusal(exchange.sample))
            return failure;
        if (!renamed && namesTokenLimit(exchange.sample))
            renamed = true;
        else
            left.removeFirst();
    }
    return failure;
}

std::optional<Failure> ServerStudy::learnLengths()
{
    m_book.prepare(m_counter);
    if (!m_book.layout())
        return std::nullopt;
    const PromptLayout &layout = *m_book.layout();
    m_facts.shared_prefix = layout.shared;
    if (!m_facts.context_tokens || layout.total + m_plan.max_tokens <= *m_facts.context_tokens)
        return std::nullopt;
    const QLocale locale;
    return Failure{
        QCoreApplication::translate("experiment",
            "A prompt of %1 tokens and an answer of %2 do not fit into the server's context of %3 tokens. Choose a "
            "shorter shared prefix, or start the server with a longer context.")
            .arg(locale.toString(layout.total), locale.toString(m_plan.max_tokens),
                locale.toString(*m_facts.context_tokens)),
        {}};
}

/// From the tokens of two prompts, or from what the server found of one short chat after another.
void ServerStudy::learnTemplateFloor()
{
    if (m_book.layout()) {
        const qint64 block = m_facts.block_size.value_or(1);
        m_facts.template_floor = m_book.layout()->tag_common / block * block;
        return;
    }
    m_facts.template_floor = m_sender.send(m_book.unrelated(shortPromptWords)).hit();
}

void ServerStudy::chooseColdMethod()
{
    m_facts.cold = ColdMethod::nonce;
    if (!m_plan.arms.contains(Arm::cold))
        return;
    if (m_plan.cold == ColdMethod::nonce) {
        m_facts.notes << QCoreApplication::translate("experiment",
            "NO CACHE prompts are made cold by a new beginning, so they are treated just like DIFFERENT PREFIX.");
        return;
    }
    const ColdMethod wanted = m_plan.cold == ColdMethod::automatic ? ColdMethod::salt : m_plan.cold;
    const QString problem = wanted == ColdMethod::reset ? resetProblem()
        : wanted == ColdMethod::no_cache                ? noCacheProblem()
                                                        : saltProblem();
    if (problem.isEmpty())
        m_facts.cold = wanted;
    else
        m_facts.cold_note
            = problem + QCoreApplication::translate("experiment", " ", "between sentences") + coldConsequence();
}

Prompt ServerStudy::repeatable()
{
    constexpr qint64 unknownBlockWords = 400; // three blocks of 128, the largest common size
    const qint64 block = m_facts.block_size.value_or(0);
    return m_book.unrelated(static_cast<int>(block > 1 ? 3 * block : unknownBlockWords));
}

/// A repeated prompt must be found before the reset and not behind it: the answer to a reset alone proves nothing.
QString ServerStudy::resetProblem()
{
    const Prompt prompt = repeatable();
    m_sender.send(prompt);
    const auto before = m_sender.send(prompt).hit();
    if (!m_link.resetCache())
        return QCoreApplication::translate("experiment",
            "The server does not empty its cache when asked (vLLM: start it with VLLM_SERVER_DEV_MODE=1).");
    const auto after = m_sender.send(prompt).hit();
    const qint64 floor = m_facts.template_floor.value_or(0);
    if (!before || !after || *before <= floor)
        return QCoreApplication::translate("experiment",
            "The server did not report a repeated prompt as cached, so it cannot be checked whether a reset empties "
            "its "
            "cache.");
    if (*after > floor)
        return QCoreApplication::translate("experiment", "The server says that it emptied its cache, but it did not.");
    return {};
}

QString ServerStudy::noCacheProblem()
{
    const Prompt prompt = repeatable();
    m_sender.send(prompt);
    const auto with = m_sender.send(prompt).hit();
    const auto without = m_sender.send(prompt, {}, true).hit();
    if (!with || !without || *with <= m_facts.template_floor.value_or(0))
        return QCoreApplication::translate("experiment",
            "The server did not report a repeated prompt as cached, so it cannot be checked whether it honours "
            "cache_prompt.");
    if (*without > 0)
        return QCoreApplication::translate("experiment", "The server ignores cache_prompt (only llama.cpp knows it).");
    return {};
}

QString ServerStudy::saltProblem()
{
    const Prompt prompt = repeatable();
    const QString salt = freshSalt();
    const Exchange first = m_sender.send(prompt, salt);
    if (isRefusal(first.sample))
        return QCoreApplication::translate("experiment", "The server refuses cache_salt.");
    const auto same = m_sender.send(prompt, salt).hit();
    const auto other = m_sender.send(prompt, freshSalt()).hit();
    if (!same || !other)
        return QCoreApplication::translate("experiment",
            "The server does not report cached tokens, so it cannot be checked whether it honours cache_salt.");
    const qint64 floor = m_facts.template_floor.value_or(0);
    if (*same <= floor)
        return QCoreApplication::translate("experiment",
            "The server did not reuse a repeated prompt, so it cannot be checked whether it honours cache_salt.");
    if (*other > floor)
        return QCoreApplication::translate("experiment", "The server ignores cache_salt.");
    return {};
}

void ServerStudy::noteLimits()
{
    if (m_book.isDocumentShort())
        m_facts.notes << QCoreApplication::translate(
            "experiment", "The document is shorter than the shared prefix asked for, so all of it is used.");
    if (m_plan.transport == probe::Transport::stock)
        m_facts.notes << QCoreApplication::translate("experiment",
            "Measured through the stock QNetworkAccessManager: connecting counts, and larger prompts are held back on "
            "loopback, so these times are not comparable with those of the low-delay transport.");
    if (!m_facts.counts_tokens)
        m_facts.notes << QCoreApplication::translate("experiment",
            "The server does not count tokens (/tokenize), so lengths are estimates and no exact hit can be expected.");
    if (m_facts.prefix_caching_off)
        m_facts.notes << QCoreApplication::translate(
            "experiment", "The server says that its prefix caching is switched off, so CACHED cannot be faster.");
}

} // namespace kvlab::experiment
