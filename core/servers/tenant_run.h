// SPDX-License-Identifier: GPL-3.0-or-later
// A safe demonstration on a practice engine: tenant A sends one of several long texts; tenant B, who never sees that
// request, sends each of them and finds by the time to the first token alone which one it was. With a cache_salt per
// tenant the texts share nothing and the difference is gone. Both tenants are this program; no other server is asked.
#pragma once

#include "experiment/experiment_result.h"

#include <QObject>

#include <memory>

namespace kvlab::servers {

struct TenantPlan
{
    int candidates = 4; ///< texts of which A sends one; 3 … 8
    int trials = 3; ///< each with fresh texts, once without and once with salts; 1 … 20
    int text_tokens = 1500; ///< 32 … 8000
    QString engine_size = QStringLiteral("small");
    quint32 seed = 1;
};

/// A sentence when the plan cannot be run.
std::optional<QString> validate(const TenantPlan &plan);

/// One request of tenant B.
struct TenantProbe
{
    int trial = 0; ///< from 1
    bool salted = false;
    int candidate = 0; ///< from 0
    bool sent_by_a = false;
    std::optional<double> ttft_ms;
    std::optional<qint64> cached_tokens; ///< as the engine reports; B's guess does not look at it
    std::optional<qint64> expected_hit; ///< by the rule for whole blocks
};

/// The one time below half the median of the others; nullopt when none stands out like that, or one is missing.
std::optional<int> guessByTime(const QList<std::optional<double>> &ttft_ms);

struct TenantTrial
{
    int trial = 0;
    bool salted = false;
    int secret = 0; ///< the candidate that A sent
    std::optional<int> guess; ///< B's, by time alone
    bool found() const { return guess == secret; }
};

struct TenantResult
{
    experiment::RunEnd end = experiment::RunEnd::finished;
    QString message; ///< why it failed: what, why, what to do; empty otherwise
    QString details;
    TenantPlan plan;
    QString engine;
    QList<TenantProbe> probes;
    QList<TenantTrial> trials; ///< whatever was finished

    int found(bool salted) const; ///< how often B was right
    int count(bool salted) const;
};

/// Runs it in a worker thread, as TierRunner does.
class TenantRunner : public QObject
{
    Q_OBJECT
public:
    explicit TenantRunner(QObject *parent = nullptr);
    ~TenantRunner() override; ///< stops a run and joins the worker; its engine ends

    /// Exactly one finished() follows.
    void start(const TenantPlan &plan);
    /// Ends the run at once and keeps what was measured.
    void stop();
    bool isRunning() const;

Q_SIGNALS:
    void probed(const kvlab::servers::TenantProbe &probe, int done, int total);
    void finished(const kvlab::servers::TenantResult &result);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace kvlab::servers

Q_DECLARE_METATYPE(kvlab::servers::TenantProbe)
Q_DECLARE_METATYPE(kvlab::servers::TenantResult)
