// SPDX-License-Identifier: GPL-3.0-or-later
// A recorded HTTP answer (status line, headers, body with its framing) through the same code as a live one.
#pragma once

#include "probe/response_reader.h"

#include <QJsonObject>

#include <functional>

namespace kvlab::probe {

struct RecordedAnswer
{
    ProbeSample sample; ///< stamps are offsets in the recording: the last byte of the piece that brought the event
    StreamFacts facts;
    /// Offset of the byte that made the first token known; the size of the recording when only its end did.
    std::optional<qint64> first_token_offset;
};

/// Size of the next piece, at least 1; what is left when it is smaller.
using PieceSize = std::function<qsizetype()>;

RecordedAnswer decodeRecording(const QByteArray &raw, const PieceSize &nextSize);

/// As in the reference streams: result, error_kind, text, usage and so on. Unknown is null.
QJsonObject toJson(const RecordedAnswer &answer);

} // namespace kvlab::probe
