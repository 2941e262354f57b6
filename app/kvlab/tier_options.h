// SPDX-License-Identifier: GPL-3.0-or-later
// The options of `kvlab serve` about what is kept beyond the block pool.
#pragma once

#include "engine/engine.h"

#include <QCommandLineParser>
#include <QCoreApplication>

namespace kvlab::cli {

class TierFlags
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::cli::TierFlags)

public:
    TierFlags();

    QList<QCommandLineOption> all() const;

    /// Into `options`, whose block size must be known; false after a message.
    bool read(const QCommandLineParser &parser, engine::EngineOptions &options) const;

private:
    bool readRam(const QCommandLineParser &parser, engine::TierOptions &tiers) const;
    bool readDisk(const QCommandLineParser &parser, engine::TierOptions &tiers) const;
    bool readPolicy(const QCommandLineParser &parser, engine::TierOptions &tiers) const;
    bool readChunkSize(const QCommandLineParser &parser, engine::EngineOptions &options) const;
    bool readHashSeed(const QCommandLineParser &parser, engine::EngineOptions &options) const;

    QCommandLineOption m_ram;
    QCommandLineOption m_disk;
    QCommandLineOption m_policy;
    QCommandLineOption m_index;
    QCommandLineOption m_chunkSize;
    QCommandLineOption m_hashSeed;
};

} // namespace kvlab::cli
