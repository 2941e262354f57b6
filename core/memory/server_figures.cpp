// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/server_figures.h"

#include "memory/server_lines.h"

#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <cmath>

namespace kvlab::memory {

namespace {

constexpr qsizetype maxFigures = 2000;
constexpr qsizetype maxLine = 16 * 1024; ///< vLLM's configuration takes up to 6 kB; beyond it is no log
constexpr qsizetype shortestLine = 10; ///< shorter than every line that is known
constexpr qsizetype maxSource = 300;

constexpr std::array serverNames{"vLLM", "SGLang", "llama.cpp", "Ollama"};

constexpr std::array kindNames{"kv_cache_tokens", "available_kv_bytes", "num_gpu_blocks", "num_gpu_blocks_override",
    "block_size", "max_concurrency", "max_model_len", "max_num_batched_tokens", "cache_dtype", "needed_kv_bytes",
    "estimated_max_len", "tensor_parallel", "pipeline_parallel", "k_bytes", "v_bytes", "kv_bytes", "conv_state_bytes",
    "recurrent_state_bytes", "state_slots", "rs_seq", "kv_cells", "kv_layers", "kv_streams", "k_dtype", "v_dtype",
    "n_ctx", "n_ctx_seq", "n_seq_max", "n_ubatch", "kv_unified", "swa_full", "loaded_bytes"};

static_assert(kindNames.size() == std::size_t(FigureKind::loaded_bytes) + 1);

/// Without colour codes (ESC [ … letter) and other control characters.
QByteArray plain(QByteArrayView line)
{
    QByteArray text;
    text.reserve(line.size());
    for (qsizetype i = 0; i < line.size(); ++i) {
        const auto c = static_cast<unsigned char>(line.at(i));
        if (c == 0x1b && i + 1 < line.size() && line.at(i + 1) == '[') {
            i += 2;
            while (i < line.size() && (line.at(i) < '@' || line.at(i) > '~'))
                ++i;
            continue;
        }
        if (c == '\t')
            text += ' ';
        else if (c >= 0x20 && c != 0x7f)
            text += char(c);
    }
    return text;
}

/// Servers print their arguments, keys among them; those are not shown again.
QString withoutKeys(QString line)
{
    static const QRegularExpression key(
        QStringLiteral("((?:api[_-]?keys?|token|secret|password|authorization)['\"]?\\s*[:=]\\s*)"
                       "(\\[[^\\]]*\\]?|'[^']*'?|\"[^\"]*\"?|[^\\s,)]+)"),
        QRegularExpression::CaseInsensitiveOption);
    return line.replace(key, QStringLiteral("\\1…"));
}

/// Digits and decimals of "174,720", "-0.94", "42.66"; nullopt when it is no number or longer than 18 digits.
std::optional<std::pair<qint64, int>> readDecimal(QString printed)
{
    printed.remove(u',');
    const qsizetype point = printed.indexOf(u'.');
    const int decimals = point < 0 ? 0 : int(printed.size() - point - 1);
    printed.remove(u'.');
    if (printed.isEmpty() || printed.size() > 18)
        return std::nullopt;
    bool is_number = false;
    const qint64 digits = printed.toLongLong(&is_number);
    return is_number ? std::optional(std::pair(digits, decimals)) : std::nullopt;
}

bool sameThing(const ServerFigure &a, const ServerFigure &b)
{
    return a.kind == b.kind && a.server == b.server && a.cache == b.cache && a.at_length == b.at_length;
}

/// Equal to the digits that both have: a log prints 21.33 where /metrics says 21.328125.
bool sameValue(const ServerFigure &a, const ServerFigure &b)
{
    if (a.unit == FigureUnit::text)
        return a.printed == b.printed;
    if (a.unit != b.unit)
        return true; // GiB of a log and bytes of /metrics: left to the comparison
    const auto value
        = [](const ServerFigure &figure) { return double(figure.digits) / std::pow(10.0, figure.decimals); };
    const double step = std::pow(10.0, -std::min(a.decimals, b.decimals));
    return a.decimals == b.decimals ? a.digits == b.digits : std::abs(value(a) - value(b)) <= 0.5000001 * step;
}

/// Devices may have different room; that is no contradiction.
bool mayDiffer(FigureKind kind)
{
    return kind == FigureKind::available_kv_bytes || kind == FigureKind::block_size || kind == FigureKind::loaded_bytes;
}

/// What a server prints only once its cache is laid out, or cannot be.
bool isResult(FigureKind kind)
{
    constexpr std::array results{FigureKind::kv_cache_tokens, FigureKind::available_kv_bytes,
        FigureKind::num_gpu_blocks, FigureKind::kv_bytes, FigureKind::k_bytes};
    return std::find(results.begin(), results.end(), kind) != results.end();
}

} // namespace

QString serverKindName(ServerKind kind)
{
    return QLatin1String(serverNames.at(static_cast<std::size_t>(kind)));
}

QString figureKindName(FigureKind kind)
{
    return QLatin1String(kindNames.at(static_cast<std::size_t>(kind)));
}

std::optional<ServerFigure> ServerFigures::find(ServerKind server, FigureKind kind, int cache) const
{
    for (const ServerFigure &figure : figures) {
        if (figure.server == server && figure.kind == kind && figure.cache == cache)
            return figure;
    }
    return std::nullopt;
}

bool ServerFigures::isContradicted(const ServerFigure &figure) const
{
    return std::any_of(contradictions.cbegin(), contradictions.cend(),
        [&figure](const Contradiction &pair) { return sameThing(pair.first, figure); });
}

void FigureCollector::setLine(qint64 number, const QString &text)
{
    m_pattern = {};
    m_pattern.line = number;
    m_pattern.source = withoutKeys(text.trimmed()).left(maxSource);
}

void FigureCollector::setCache(int cache, bool is_state)
{
    m_pattern.cache = cache;
    m_pattern.is_state = is_state;
}

void FigureCollector::setLength(const QString &tokens)
{
    if (const auto number = readDecimal(tokens); number && number->second == 0)
        m_pattern.at_length = number->first;
}

void FigureCollector::addNumber(ServerKind server, FigureKind kind, const QString &printed, FigureUnit unit)
{
    const auto number = readDecimal(printed);
    if (!number)
        return;
    ServerFigure figure = m_pattern;
    figure.server = server;
    figure.kind = kind;
    figure.printed = printed;
    std::tie(figure.digits, figure.decimals) = *number;
    figure.unit = unit;
    add(figure);
}

void FigureCollector::addText(ServerKind server, FigureKind kind, const QString &printed)
{
    ServerFigure figure = m_pattern;
    figure.server = server;
    figure.kind = kind;
    figure.printed = printed;
    figure.unit = FigureUnit::text;
    add(figure);
}

void FigureCollector::start(ServerKind server, StartSign sign)
{
    const bool is_done = std::any_of(m_result.figures.cbegin(), m_result.figures.cend(),
        [server](const ServerFigure &figure) { return figure.server == server && isResult(figure.kind); });
    if ((sign == StartSign::first || is_done) && !m_stale.contains(server))
        m_stale << server;
}

bool FigureCollector::isKnown(const ServerFigure &figure) const
{
    return std::any_of(m_result.figures.cbegin(), m_result.figures.cend(), [&figure](const ServerFigure &known) {
        return sameThing(known, figure) && known.unit == figure.unit && known.digits == figure.digits
            && known.decimals == figure.decimals
            && (figure.unit != FigureUnit::text || known.printed == figure.printed);
    });
}

void FigureCollector::add(ServerFigure figure)
{
    if (!m_result.servers.contains(figure.server))
        m_result.servers << figure.server;
    if (m_stale.removeOne(figure.server)) {
        const auto removed
            = m_result.figures.removeIf([&figure](const ServerFigure &known) { return known.server == figure.server; });
        m_result.earlier_starts += removed > 0 ? 1 : 0;
    }
    if (!isFull() && !isKnown(figure))
        m_result.figures << figure;
}

int FigureCollector::caches(ServerKind server) const
{
    if (m_stale.contains(server))
        return 0;
    int count = 0;
    for (const ServerFigure &figure : m_result.figures) {
        if (figure.server == server)
            count = std::max(count, figure.cache);
    }
    return count;
}

bool FigureCollector::hasPool(ServerKind server, const QList<std::pair<FigureKind, QString>> &printed) const
{
    for (int cache = 1; cache <= caches(server); ++cache) {
        const bool is_same = std::all_of(printed.cbegin(), printed.cend(), [&](const auto &entry) {
            const auto known = m_result.find(server, entry.first, cache);
            return known && known->printed == entry.second;
        });
        if (is_same)
            return true;
    }
    return false;
}

bool FigureCollector::isFull() const
{
    return m_result.figures.size() >= maxFigures;
}

void FigureCollector::findContradictions()
{
    const QList<ServerFigure> &figures = m_result.figures;
    for (qsizetype i = 0; i < figures.size(); ++i) {
        const auto other = std::find_if(figures.cbegin() + i + 1, figures.cend(), [&](const ServerFigure &figure) {
            return sameThing(figures.at(i), figure) && !sameValue(figures.at(i), figure);
        });
        if (other != figures.cend() && !mayDiffer(other->kind))
            m_result.contradictions << Contradiction{figures.at(i), *other};
    }
}

ServerFigures FigureCollector::take()
{
    findContradictions();
    return std::move(m_result);
}

ServerFigures readServerFigures(const QByteArray &text)
{
    FigureCollector figures;
    QByteArrayView rest = QByteArrayView(text).first(std::min(text.size(), maxServerText));
    for (qint64 number = 1; !rest.isEmpty() && !figures.isFull(); ++number) {
        const auto end = std::find_if(rest.cbegin(), rest.cend(), [](char c) { return c == '\n' || c == '\r'; });
        const qsizetype length = end - rest.cbegin();
        const QByteArrayView raw = rest.first(length);
        const bool is_crlf = rest.sliced(length).startsWith("\r\n");
        rest = rest.sliced(std::min(length + (is_crlf ? 2 : 1), rest.size()));
        if (raw.size() < shortestLine || raw.size() > maxLine)
            continue;
        const QByteArray cleaned = raw.contains('\x1b') ? plain(raw) : QByteArray();
        if (!mayHoldFigures(cleaned.isEmpty() ? raw : QByteArrayView(cleaned)))
            continue;
        const QString line = QString::fromUtf8(plain(raw));
        figures.setLine(number, line);
        readServerLine(line, figures);
    }
    figures.setLine(0, {});
    readOllamaProcesses(text, figures);
    const bool is_full = figures.isFull();
    ServerFigures result = figures.take();
    result.truncated = is_full || text.size() > maxServerText;
    return result;
}

} // namespace kvlab::memory
