// SPDX-License-Identifier: GPL-3.0-or-later
// What a running server says of itself, in words: one line a figure, with what it means. A figure that the server does
// not offer says so; it is never 0.
#pragma once

#include "servers/server_status.h"

#include <QList>

namespace kvlab::ui {

/// Part 1's own figure for the chosen row of the memory table.
struct TableFigure
{
    QString model;
    double bytes_per_token = 0;
};

/// Two readings and the time between them.
struct ServerFigures
{
    servers::ServerStatus now;
    std::optional<servers::CacheTraffic> recent; ///< of the prefix cache, between the two
    double seconds = 0;
    std::optional<TableFigure> table;
};

struct ServerLine
{
    QString name;
    QString value;
    QString meaning; ///< a whole sentence
};

QList<ServerLine> serverLines(const ServerFigures &figures);

} // namespace kvlab::ui
