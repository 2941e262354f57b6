// SPDX-License-Identifier: GPL-3.0-or-later
// How single lines of servers' logs are read; used by server_figures.cpp only.
#pragma once

#include "memory/server_figures.h"

#include <QRegularExpressionMatch>

namespace kvlab::memory {

/// Collects the figures of one text. Each line's reader adds what it found.
class FigureCollector
{
public:
    void setLine(qint64 number, const QString &text);
    void addNumber(ServerKind server, FigureKind kind, const QString &printed, FigureUnit unit = FigureUnit::count);
    void addText(ServerKind server, FigureKind kind, const QString &printed);
    /// Applies to figures added from here to the end of the line.
    void setCache(int cache, bool is_state);
    void setLength(const QString &tokens);
    /// A server starts anew: figures before belong to an earlier start. `later` signs come after the arguments were
    /// printed and count only where there are results already.
    enum class StartSign { first, later };
    void start(ServerKind server, StartSign sign);
    /// How many cache lines of the server there are so far.
    int caches(ServerKind server) const;
    /// Is there a pool with all of these?
    bool hasPool(ServerKind server, const QList<std::pair<FigureKind, QString>> &printed) const;
    bool isFull() const;

    ServerFigures take();

private:
    void add(ServerFigure figure);
    bool isKnown(const ServerFigure &figure) const;
    void findContradictions();

    ServerFigures m_result;
    ServerFigure m_pattern; ///< line, source, cache and length of the figures to come
    QList<ServerKind> m_stale; ///< started anew, nothing printed since
};

/// Reads one line; false when it is none that is known.
void readServerLine(const QString &line, FigureCollector &figures);

/// Could the line be one of those? Cheap, so that megabytes of other lines cost nothing.
bool mayHoldFigures(QByteArrayView line);

/// vLLM's cache_config_info of a /metrics page.
void readCacheConfigInfo(const QString &line, FigureCollector &figures);

/// Ollama's /api/ps, if the text holds it.
void readOllamaProcesses(const QByteArray &text, FigureCollector &figures);

} // namespace kvlab::memory
