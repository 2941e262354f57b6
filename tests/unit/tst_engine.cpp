// SPDX-License-Identifier: GPL-3.0-or-later
// The practice engine: hits against an independent reference, order of requests, cancelling, limits, counters.
#include "engine/engine.h"

#include <QTest>

#include <algorithm>
#include <future>
#include <numeric>
#include <random>
#include <set>

using namespace kvlab::engine;
using Finish = GenerateResult::Finish;

namespace {

constexpr int blockSize = 16;
constexpr std::chrono::seconds patience{60};

const Tokenizer &tokenizer()
{
    static const Tokenizer instance;
    return instance;
}

EngineOptions smallOptions(int poolBlocks = 600)
{
    EngineOptions options;
    options.size = EngineSize::small;
    options.threads = 2;
    options.pool_blocks = poolBlocks;
    return options;
}

std::vector<Token> randomTokens(int count, unsigned seed)
{
    std::mt19937 random(seed);
    std::vector<Token> tokens(static_cast<std::size_t>(count));
    std::generate(tokens.begin(), tokens.end(), [&] { return Token(random() % unsigned(tokenizer().vocabSize())); });
    return tokens;
}

GenerateRequest requestFor(std::vector<Token> prompt, int maxTokens = 1, std::string salt = {})
{
    GenerateRequest request;
    request.prompt = std::move(prompt);
    request.max_tokens = maxTokens;
    request.cache_salt = std::move(salt);
    return request;
}

struct Answer
{
    GenerateResult result;
    std::vector<Token> tokens;
};

Answer ask(Engine &engine, const GenerateRequest &request)
{
    Answer answer;
    answer.result = engine.generate(request, [&answer](Token token) {
        answer.tokens.push_back(token);
        return true;
    });
    return answer;
}

/// What must be cached, by the rule alone: every full block's whole prefix, under its salt. No hashes, no block
/// numbers.
class PrefixList
{
public:
    int hit(const GenerateRequest &request) const
    {
        int length = 0;
        while (length + blockSize < int(request.prompt.size())
            && m_known.contains(entry(request.prompt, length + blockSize, request.cache_salt))) {
            length += blockSize;
        }
        return length;
    }

    void remember(const GenerateRequest &request, const std::vector<Token> &answer)
    {
        std::vector<Token> computed = request.prompt;
        computed.insert(computed.end(), answer.begin(), answer.end() - 1); // the last token was never computed
        for (int length = blockSize; length <= int(computed.size()); length += blockSize) {
            m_known.insert(entry(computed, length, request.cache_salt));
        }
    }

private:
    using Entry = std::pair<std::string, std::vector<Token>>;
    static Entry entry(const std::vector<Token> &tokens, int length, const std::string &salt)
    {
        return {salt, {tokens.begin(), tokens.begin() + length}};
    }
    std::set<Entry> m_known;
};

/// Holds a request inside its first token until it is let go.
class Gate
{
public:
    std::function<bool(Token)> passage()
    {
        return [this](Token) {
            m_reached.set_value();
            return m_opened.get_future().wait_for(patience) == std::future_status::ready;
        };
    }
    bool waitUntilReached() { return m_reached.get_future().wait_for(patience) == std::future_status::ready; }
    void open() { m_opened.set_value(); }

private:
    std::promise<void> m_reached;
    std::promise<void> m_opened;
};

} // namespace

class TestEngine : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void hitsEqualIndependentReference();
    void lastTokenOfAnAnswerIsNotCached();
    void warmAnswerEqualsColdAnswer();
    void answerIsPrintable();
    void temperatureFollowsItsSeed();
    void countersSpeakTokens();
    void cachingCanBeOff();
    void requestsRunInOrderOfArrival();
    void waitingRequestCanBeCancelled();
    void cancelledPrefillKeepsWhatItComputed();
    void stoppedRequestGivesItsBlocksBack();
    void promptThatDoesNotFitIsRefused();
    void fullPoolEndsTheAnswer();
    void resetWaitsForIdle();
    void badRequestsAreRefused();
    void defaultsAreFilledIn();
    void sizesHaveNamesAndGrowFourfold();
    void sizeFollowsSpeed_data();
    void sizeFollowsSpeed();
};

void TestEngine::hitsEqualIndependentReference()
{
    Engine engine(smallOptions(2000), tokenizer());
    PrefixList reference;
    std::mt19937 random(3);
    std::vector<std::vector<Token>> past{randomTokens(200, 1)};
    int hits = 0;
    for (unsigned round = 0; round < 40; ++round) {
        std::vector<Token> prompt = past[random() % past.size()];
        prompt.resize(random() % (prompt.size() + 1));
        const auto rest = randomTokens(1 + int(random() % 60), 100 + round);
        prompt.insert(prompt.end(), rest.begin(), rest.end());
        const auto request = requestFor(prompt, 1 + int(random() % 24), random() % 4 == 0 ? "other" : "");

        const int expected = reference.hit(request);
        const Answer answer = ask(engine, request);
        QCOMPARE(answer.result.cached_tokens, expected);
        QCOMPARE(answer.result.prompt_tokens, int(prompt.size()));
        QCOMPARE(answer.result.completion_tokens, request.max_tokens);
        QCOMPARE(answer.result.finish, Finish::length);
        reference.remember(request, answer.tokens);
        hits += expected > 0 ? 1 : 0;
        // The next turn of a conversation: its answer is part of the prompt.
        prompt.insert(prompt.end(), answer.tokens.begin(), answer.tokens.end());
        past.push_back(prompt);
    }
    QVERIFY(hits > 10);
}

void TestEngine::lastTokenOfAnAnswerIsNotCached()
{
    // 24 + 8 = 32 tokens make two full blocks, but the last one was only sampled: one block is cached, not two.
    Engine engine(smallOptions(), tokenizer());
    auto request = requestFor(randomTokens(24, 2), 8);
    const Answer answer = ask(engine, request);
    request.prompt.insert(request.prompt.end(), answer.tokens.begin(), answer.tokens.end());
    request.prompt.push_back(1);
    QCOMPARE(ask(engine, request).result.cached_tokens, 16);
    QCOMPARE(ask(engine, request).result.cached_tokens, 32);
}

void TestEngine::warmAnswerEqualsColdAnswer()
{
    Engine engine(smallOptions(), tokenizer());
    for (const int tokens : {17, 100, 600}) {
        const auto request = requestFor(randomTokens(tokens, unsigned(tokens)), 20);
        const Answer cold = ask(engine, request);
        const Answer warm = ask(engine, request);
        QCOMPARE(cold.result.cached_tokens, 0);
        QCOMPARE(warm.result.cached_tokens, (tokens - 1) / blockSize * blockSize);
        QCOMPARE(warm.tokens, cold.tokens);
    }
}

void TestEngine::answerIsPrintable()
{
    Engine engine(smallOptions(), tokenizer());
    auto request = requestFor(randomTokens(40, 5), 60);
    const Answer likeliest = ask(engine, request);
    request.temperature = 2;
    const Answer drawn = ask(engine, request);
    for (const Answer &answer : {likeliest, drawn}) {
        QCOMPARE(int(answer.tokens.size()), 60);
        for (const Token token : answer.tokens) {
            QVERIFY(tokenizer().isPrintable(token));
        }
    }
    // Gibberish, but not one word over and over: the position and what came before must matter.
    const std::set<Token> different(likeliest.tokens.begin(), likeliest.tokens.end());
    QVERIFY(different.size() > 10);
}

void TestEngine::temperatureFollowsItsSeed()
{
    Engine engine(smallOptions(), tokenizer());
    auto request = requestFor(randomTokens(40, 6), 20);
    request.temperature = 1;
    request.seed = 1;
    const Answer first = ask(engine, request);
    const Answer again = ask(engine, request);
    request.seed = 2;
    const Answer other = ask(engine, request);
    QCOMPARE(first.tokens, again.tokens);
    QVERIFY(first.tokens != other.tokens);
}

void TestEngine::countersSpeakTokens()
{
    Engine engine(smallOptions(), tokenizer());
    const auto prompt = randomTokens(100, 7);
    ask(engine, requestFor(prompt, 5));
    ask(engine, requestFor(prompt, 5));

    const EngineCounters counters = engine.counters();
    QCOMPARE(counters.prefix_cache_queries, 200);
    QCOMPARE(counters.prefix_cache_hits, 96);
    QCOMPARE(counters.prompt_tokens, 200);
    QCOMPARE(counters.generation_tokens, 10);
    QCOMPARE(counters.requests_finished, 2);
    QCOMPARE(counters.running, 0);
    QCOMPARE(counters.waiting, 0);
    QCOMPARE(counters.kv_cache_usage, 0.0); // cached, but free
    QCOMPARE(counters.ttft_count, 2);
    QVERIFY(counters.ttft_seconds_sum > 0);
    QCOMPARE(counters.ttft_seconds_buckets.size(), ttftBuckets().size());
    QCOMPARE(std::accumulate(counters.ttft_seconds_buckets.begin(), counters.ttft_seconds_buckets.end(), 0.0), 2.0);
}

void TestEngine::cachingCanBeOff()
{
    auto options = smallOptions();
    options.prefix_caching = false;
    Engine engine(options, tokenizer());
    const auto request = requestFor(randomTokens(100, 8), 3);
    const Answer first = ask(engine, request);
    const Answer second = ask(engine, request);
    QCOMPARE(second.result.cached_tokens, 0);
    QCOMPARE(second.tokens, first.tokens);
    QCOMPARE(engine.counters().prefix_cache_queries, 0);
}

void TestEngine::requestsRunInOrderOfArrival()
{
    Engine engine(smallOptions(), tokenizer());
    Gate gate;
    std::mutex mutex;
    std::vector<int> order;
    std::vector<std::future<GenerateResult>> requests;
    requests.push_back(std::async(
        std::launch::async, [&] { return engine.generate(requestFor(randomTokens(20, 9)), gate.passage()); }));
    QVERIFY(gate.waitUntilReached());
    for (int i = 1; i <= 3; ++i) {
        requests.push_back(std::async(std::launch::async, [&, i] {
            return engine.generate(requestFor(randomTokens(20, unsigned(i))), [&, i](Token) {
                const std::lock_guard lock(mutex);
                order.push_back(i);
                return true;
            });
        }));
        QTRY_COMPARE_WITH_TIMEOUT(engine.counters().waiting, i, 20000);
    }
    QCOMPARE(engine.counters().running, 1);
    QVERIFY(engine.counters().kv_cache_usage > 0);
    gate.open();
    for (auto &request : requests) {
        QCOMPARE(request.get().finish, Finish::length);
    }
    QCOMPARE(order, (std::vector<int>{1, 2, 3}));
    QCOMPARE(engine.counters().running, 0);
}

void TestEngine::waitingRequestCanBeCancelled()
{
    Engine engine(smallOptions(), tokenizer());
    Gate gate;
    auto first = std::async(
        std::launch::async, [&] { return engine.generate(requestFor(randomTokens(20, 10)), gate.passage()); });
    QVERIFY(gate.waitUntilReached());
    std::atomic<bool> cancelled = false;
    auto second = std::async(std::launch::async, [&] {
        return engine.generate(
            requestFor(randomTokens(20, 11)), [](Token) { return true; }, &cancelled);
    });
    QTRY_COMPARE_WITH_TIMEOUT(engine.counters().waiting, 1, 20000);
    cancelled = true;
    QCOMPARE(second.get().finish, Finish::cancelled); // although the first one still runs
    QCOMPARE(engine.counters().waiting, 0);
    gate.open();
    QCOMPARE(first.get().finish, Finish::length);
    QCOMPARE(engine.counters().requests_finished, 1);
}

void TestEngine::cancelledPrefillKeepsWhatItComputed()
{
    Engine engine(smallOptions(), tokenizer());
    const auto request = requestFor(randomTokens(6000, 12), 2);
    std::atomic<bool> cancelled = false;
    auto running = std::async(std::launch::async, [&] {
        return engine.generate(
            request, [](Token) { return true; }, &cancelled);
    });
    while (engine.counters().running == 0) {
        QTest::qSleep(1);
    }
    QTest::qSleep(30);
    cancelled = true;
    const GenerateResult result = running.get();
    QCOMPARE(result.finish, Finish::cancelled);
    QCOMPARE(result.completion_tokens, 0);
    QCOMPARE(result.ttft_ms, 0.0);
    QCOMPARE(engine.counters().kv_cache_usage, 0.0);

    // What the cancelled request left must be usable: the answer is that of an engine that never saw it.
    auto shorter = request;
    shorter.prompt.resize(1000);
    const Answer after = ask(engine, shorter);
    QCOMPARE(after.result.cached_tokens % blockSize, 0);
    Engine fresh(smallOptions(), tokenizer());
    QCOMPARE(after.tokens, ask(fresh, shorter).tokens);
}

void TestEngine::stoppedRequestGivesItsBlocksBack()
{
    Engine engine(smallOptions(), tokenizer());
    const auto request = requestFor(randomTokens(100, 13), 50);
    int tokens = 0;
    const GenerateResult result = engine.generate(request, [&tokens](Token) { return ++tokens < 3; });
    QCOMPARE(result.finish, Finish::stop);
    QCOMPARE(result.completion_tokens, 3);
    QCOMPARE(engine.counters().kv_cache_usage, 0.0);
    QCOMPARE(ask(engine, request).result.cached_tokens, 96);
}

void TestEngine::promptThatDoesNotFitIsRefused()
{
    Engine engine(smallOptions(11), tokenizer()); // ten usable blocks: 160 tokens
    QCOMPARE(ask(engine, requestFor(randomTokens(161, 14))).result.finish, Finish::no_room);
    QCOMPARE(ask(engine, requestFor(randomTokens(160, 14))).result.finish, Finish::length);
    QCOMPARE(engine.counters().prefix_cache_queries, 160);

    Engine wide(smallOptions(2 * maxContext / blockSize), tokenizer());
    const Answer tooLong = ask(wide, requestFor(randomTokens(maxContext, 15)));
    QCOMPARE(tooLong.result.finish, Finish::no_room);
    QCOMPARE(tooLong.result.ttft_ms, 0.0);
    QVERIFY(tooLong.tokens.empty());
}

void TestEngine::fullPoolEndsTheAnswer()
{
    Engine engine(smallOptions(3), tokenizer()); // two usable blocks: 32 tokens
    const Answer answer = ask(engine, requestFor(randomTokens(20, 16), 100));
    QCOMPARE(answer.result.finish, Finish::length);
    QCOMPARE(answer.result.completion_tokens, 13); // 20 + 12 have K and V, one more is only sampled
    QCOMPARE(engine.counters().kv_cache_usage, 0.0);
}

void TestEngine::resetWaitsForIdle()
{
    Engine engine(smallOptions(), tokenizer());
    const auto request = requestFor(randomTokens(100, 17));
    bool whileRunning = true;
    engine.generate(request, [&](Token) {
        whileRunning = engine.resetPrefixCache();
        return true;
    });
    QVERIFY(!whileRunning);
    QCOMPARE(ask(engine, request).result.cached_tokens, 96);
    QVERIFY(engine.resetPrefixCache());
    QCOMPARE(ask(engine, request).result.cached_tokens, 0);
}

void TestEngine::badRequestsAreRefused()
{
    Engine engine(smallOptions(), tokenizer());
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument, ask(engine, requestFor({})));
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument, ask(engine, requestFor({-1})));
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument, ask(engine, requestFor({tokenizer().vocabSize()})));
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument, ask(engine, requestFor({1}, 0)));

    // A caller's own exception passes through and leaves nothing behind.
    const auto fail = [](Token) -> bool { throw std::runtime_error("connection lost"); };
    QVERIFY_THROWS_EXCEPTION(std::runtime_error, engine.generate(requestFor(randomTokens(50, 18)), fail));
    QCOMPARE(engine.counters().kv_cache_usage, 0.0);
    QCOMPARE(engine.counters().running, 0);
    QCOMPARE(ask(engine, requestFor(randomTokens(50, 18))).result.cached_tokens, 48);
}

void TestEngine::defaultsAreFilledIn()
{
    EngineOptions options;
    options.size = EngineSize::small;
    const Engine engine(options, tokenizer());
    QVERIFY(engine.options().threads >= 1 && engine.options().threads <= 4);
    QCOMPARE(engine.options().pool_blocks, 2049); // 4 × 8192 / 16 and the null block
    QCOMPARE(engine.shape().vocab, tokenizer().vocabSize());
}

void TestEngine::sizesHaveNamesAndGrowFourfold()
{
    std::vector<double> parameters;
    for (const EngineSize size : {EngineSize::small, EngineSize::medium, EngineSize::large}) {
        QVERIFY(engineSizeFromName(engineSizeName(size)) == size);
        parameters.push_back(double(shapeOf(size, 0).parameters()));
    }
    QVERIFY(!engineSizeFromName("huge"));
    QVERIFY(parameters[1] / parameters[0] > 3 && parameters[1] / parameters[0] < 5);
    QVERIFY(parameters[2] / parameters[1] > 3 && parameters[2] / parameters[1] < 5);
    // Whatever this machine is, the probe comes to an answer.
    QVERIFY(!engineSizeName(chooseSize(1)).empty());
}

void TestEngine::sizeFollowsSpeed_data()
{
    QTest::addColumn<double>("small");
    QTest::addColumn<double>("medium");
    QTest::addColumn<double>("large");
    QTest::addColumn<int>("expected");
    QTest::newRow("two old cores") << 0.9 << 3.4 << 13.0 << int(EngineSize::small);
    QTest::newRow("two cores") << 0.2 << 0.73 << 2.9 << int(EngineSize::medium);
    QTest::newRow("four fast cores") << 0.06 << 0.2 << 0.8 << int(EngineSize::large);
    QTest::newRow("two fit: nearer to 0.7") << 0.4 << 1.45 << 5.0 << int(EngineSize::small);
    QTest::newRow("inside goes first") << 0.31 << 1.52 << 6.0 << int(EngineSize::small);
    QTest::newRow("all too slow") << 5.0 << 20.0 << 80.0 << int(EngineSize::small);
    QTest::newRow("all too fast") << 0.01 << 0.04 << 0.16 << int(EngineSize::large);
}

void TestEngine::sizeFollowsSpeed()
{
    QFETCH(double, small);
    QFETCH(double, medium);
    QFETCH(double, large);
    QFETCH(int, expected);
    QCOMPARE(int(sizeForTimes({small, medium, large})), expected);
}

QTEST_GUILESS_MAIN(TestEngine)
#include "tst_engine.moc"
