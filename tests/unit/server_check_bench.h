// SPDX-License-Identifier: GPL-3.0-or-later
// What the tests of server_check.h share: rows, their comparison with a text, and what it says in a few words.
#pragma once

#include "memory/model_list.h"
#include "memory/server_check.h"

#include <QFile>

namespace kvlab::memory {

inline QByteArray testData(const QString &name)
{
    QFile file(QStringLiteral(KVLAB_TEST_DATA "/") + name);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("%s is missing", qPrintable(name));
    return file.readAll();
}

inline const ModelSpec &model(const char *id)
{
    const ModelSpec *found = findModel(QString::fromLatin1(id));
    if (found == nullptr)
        qFatal("no model %s", id);
    return *found;
}

inline ModelSpec modelOf(const QList<CacheSpec> &caches)
{
    ModelSpec spec;
    spec.name = QStringLiteral("Made up");
    spec.caches = caches;
    return spec;
}

/// A row of the table.
struct Row
{
    ModelSpec spec;
    MemoryQuery query;
    AllocationProfile profile;
};

inline Row rowOf(const ModelSpec &spec, qint64 seq_len, qint64 batch, CacheFormat format, Engine engine = Engine::ideal)
{
    MemoryQuery query;
    query.seq_len = seq_len;
    query.batch = batch;
    query.kv_dtype = format;
    return {spec, query, defaultProfile(engine)};
}

inline ServerCheck check(const Row &row, const QByteArray &text)
{
    return checkServer(row.spec, row.query, row.profile, readServerFigures(text));
}

inline FigureCheck figureOf(const ServerCheck &result, FigureKind kind, int cache = 0)
{
    for (const FigureCheck &figure : result.rows) {
        if (figure.figure.kind == kind && figure.figure.cache == cache)
            return figure;
    }
    return {};
}

/// "explained padding other_cache_dtype 20.00", "equal 8.00"; the number is ours.
inline QString told(const FigureCheck &figure)
{
    QString text = verdictName(figure.verdict);
    for (const CheckReason reason : figure.reasons)
        text += u' ' + checkReasonName(reason);
    if (figure.ours)
        text += u' ' + quantityText(*figure.ours, figure.figure);
    return text;
}

inline QString told(const ServerCheck &result, FigureKind kind, int cache = 0)
{
    return told(figureOf(result, kind, cache));
}

inline bool isAccounted(const FigureCheck &figure)
{
    return figure.verdict == Verdict::equal || figure.verdict == Verdict::explained || figure.verdict == Verdict::taken;
}

inline QString unaccounted(const ServerCheck &result)
{
    QStringList bad;
    for (const FigureCheck &figure : result.rows) {
        if (!isAccounted(figure))
            bad << figureKindName(figure.figure.kind) + u' ' + figure.figure.printed + u' ' + told(figure);
    }
    return bad.join(QStringLiteral("; "));
}

inline Row vllmRow(const ModelSpec &spec, CacheFormat format, qint64 block_size, qint64 seq_len = 4096)
{
    Row row = rowOf(spec, seq_len, 1, format, Engine::vllm);
    row.profile.block_size = block_size;
    return row;
}

} // namespace kvlab::memory
