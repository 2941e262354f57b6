// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/server_check_steps.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace kvlab::memory {

namespace {

Bytes unitSize(FigureUnit unit)
{
    switch (unit) {
    case FigureUnit::mib:
        return Bytes(1) << 20;
    case FigureUnit::gib:
        return Bytes(1) << 30;
    default:
        return Bytes(1);
    }
}

/// Python's round(x, 2) prints 1.1 and 2.0, which stand for two decimals.
int decimalsMeant(const ServerFigure &figure)
{
    return figure.unit == FigureUnit::gib ? std::max(figure.decimals, 2) : figure.decimals;
}

/// As printf("%.*f") does in the C locale.
QString fixed(double value, int decimals)
{
    std::array<char, 400> text{};
    const auto [end, error]
        = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, decimals);
    return error == std::errc() ? QString::fromLatin1(text.data(), end - text.data()) : QString();
}

/// The digits of a number with so many decimals, at least one before the point: 5, 2 → "005".
QString fixedDigits(const Bytes &digits, int decimals)
{
    const bool is_negative = digits < 0;
    const QString text = toDecimalString(is_negative ? Bytes(-digits) : digits).rightJustified(decimals + 1, u'0');
    return is_negative ? u'-' + text : text;
}

double inUnit(const Quantity &quantity, const ServerFigure &figure)
{
    if (figure.unit == FigureUnit::mib) // llama.cpp computes in single precision
        return double(float(quantity.toDouble())) / unitSize(figure.unit).convert_to<double>();
    return quantity.toDouble() / unitSize(figure.unit).convert_to<double>();
}

void keepKeys(AttentionShape &shape)
{
    shape.v_head_dim = shape.head_dim;
}

void keepValues(AttentionShape &shape)
{
    shape.head_dim = shape.v_head_dim;
}

/// The same question with two of the wanted halves, so that half its bytes are that piece.
CheckState pieceOf(const CheckState &state, CachePiece piece)
{
    CheckState changed = state;
    if (piece == CachePiece::v)
        changed.query.kv_dtype = state.query.v_dtype.value_or(state.query.kv_dtype);
    changed.query.v_dtype = std::nullopt;
    for (CacheSpec &cache : changed.model.caches) {
        const auto keep = piece == CachePiece::v ? keepValues : keepKeys;
        if (auto *full = std::get_if<FullAttention>(&cache))
            keep(full->shape);
        if (auto *sliding = std::get_if<SlidingWindow>(&cache))
            keep(sliding->shape);
        if (auto *chunked = std::get_if<ChunkedAttention>(&cache))
            keep(chunked->shape);
        if (auto *fixedState = std::get_if<FixedState>(&cache)) {
            qint64 &other = piece == CachePiece::conv ? fixedState->recurrent_elements : fixedState->conv_elements;
            if (piece == CachePiece::conv || piece == CachePiece::recurrent)
                other = 0;
        }
    }
    return changed;
}

/// Bytes of a group that are the piece, of bytes computed with pieceOf().
Bytes shareOf(const AllocatedGroup &group, CachePiece piece)
{
    const bool is_pair = group.kind != QLatin1String("mla") && group.kind != QLatin1String("indexer");
    switch (piece) {
    case CachePiece::k:
        return is_pair ? Bytes(group.bytes / 2) : group.bytes;
    case CachePiece::v:
        return is_pair ? Bytes(group.bytes / 2) : Bytes(0);
    default:
        return group.bytes;
    }
}

} // namespace

double Quantity::toDouble() const
{
    return numerator.convert_to<double>() / denominator.convert_to<double>();
}

bool operator==(const Quantity &a, const Quantity &b)
{
    using Wide = boost::multiprecision::int512_t;
    return Wide(a.numerator) * Wide(b.denominator) == Wide(b.numerator) * Wide(a.denominator);
}

Quantity quantityOf(const ServerFigure &figure)
{
    Bytes scale = 1;
    for (int i = 0; i < figure.decimals; ++i)
        scale *= 10;
    return {Bytes(figure.digits * unitSize(figure.unit)), scale};
}

bool prints(const Quantity &quantity, const ServerFigure &figure)
{
    if (quantity == quantityOf(figure))
        return true;
    constexpr int longest = 6; // more decimals are a whole double, printed to tell it from all others
    if (figure.decimals > longest)
        return inUnit(quantity, figure) == QString(figure.printed).remove(u',').toDouble();
    if (figure.unit == FigureUnit::bytes || (figure.unit == FigureUnit::count && figure.decimals == 0))
        return false;
    const int decimals = decimalsMeant(figure);
    Bytes digits = figure.digits;
    for (int i = figure.decimals; i < decimals; ++i)
        digits *= 10;
    return fixed(inUnit(quantity, figure), decimals).remove(u'.') == fixedDigits(digits, decimals);
}

QString quantityText(const Quantity &quantity, const ServerFigure &figure, int more)
{
    return fixed(quantity.toDouble() / unitSize(figure.unit).convert_to<double>(), decimalsMeant(figure) + more);
}

Walk walk(const CheckState &start, const QList<CheckStep> &steps, const Evaluate &evaluate)
{
    Walk result;
    result.state = start;
    result.first = evaluate(start);
    result.last = result.first;
    for (const CheckStep &step : steps) {
        step.apply(result.state);
        const auto value = evaluate(result.state);
        if (value != result.last && !result.reasons.contains(step.reason))
            result.reasons << step.reason;
        result.last = value;
    }
    return result;
}

FigureCheck judge(const ServerFigure &figure, const Walk &walked)
{
    return judge(figure, walked, {});
}

FigureCheck judge(const ServerFigure &figure, const Walk &walked, const QList<Alternative> &alternatives)
{
    FigureCheck check{figure, Verdict::unexplained, {}, quantityOf(figure), walked.first, {}};
    const auto explain = [&check](const Quantity &value, QList<CheckReason> reasons) {
        if (!(value == *check.theirs) && !reasons.contains(CheckReason::printed_digits))
            reasons << CheckReason::printed_digits;
        check.reasons = reasons;
        check.verdict = reasons.isEmpty() ? Verdict::equal : Verdict::explained;
    };
    QList<Alternative> ways{{walked.last, {}}};
    ways << alternatives;
    const auto way = std::find_if(ways.cbegin(), ways.cend(),
        [&figure](const Alternative &other) { return other.value && prints(*other.value, figure); });
    // Equal to the row, but not to what the text says of itself: that is no agreement.
    if (way != ways.cend() && walked.first && prints(*walked.first, figure))
        explain(*walked.first, {});
    else if (way != ways.cend())
        explain(*way->value, walked.reasons + way->reasons);
    else if (!walked.first && !walked.last)
        check.verdict = Verdict::not_comparable;
    return check;
}

FigureCheck checkSetting(const ServerFigure &figure, qint64 ours, CheckReason reason, bool is_possible)
{
    FigureCheck check{figure, Verdict::equal, {}, quantityOf(figure), Quantity{ours}, {}};
    if (*check.theirs == *check.ours)
        return check;
    check.verdict = is_possible ? Verdict::explained : Verdict::unexplained;
    if (is_possible)
        check.reasons << reason;
    return check;
}

FigureCheck checkDtype(const ServerFigure &figure, CacheFormat ours, CheckReason reason)
{
    FigureCheck check{figure, Verdict::unexplained, {}, {}, {}, cacheFormatName(ours)};
    const auto format = cacheFormatFromName(figure.printed);
    if (!format)
        return check;
    check.verdict = *format == ours ? Verdict::equal : Verdict::explained;
    if (*format != ours)
        check.reasons << reason;
    return check;
}

FigureCheck taken(const ServerFigure &figure)
{
    return {figure, Verdict::taken, {}, quantityOf(figure), {}, {}};
}

QList<ServerFigure> ServerText::all() const
{
    QList<ServerFigure> own;
    for (const ServerFigure &figure : figures.figures) {
        if (figure.server == server)
            own << figure;
    }
    return own;
}

std::optional<ServerFigure> ServerText::find(FigureKind kind, int cache) const
{
    return figures.find(server, kind, cache);
}

std::optional<ServerFigure> ServerText::last(FigureKind kind) const
{
    const QList<ServerFigure> own = all();
    const auto found = std::find_if(own.crbegin(), own.crend(),
        [kind](const ServerFigure &figure) { return figure.kind == kind && !figure.is_state; });
    return found == own.crend() ? std::nullopt : std::optional(*found);
}

std::optional<qint64> ServerText::number(FigureKind kind) const
{
    const auto figure = last(kind);
    return figure && figure->decimals == 0 ? std::optional(figure->digits) : std::nullopt;
}

std::optional<qint64> ServerText::numberUpTo(FigureKind kind, qint64 largest) const
{
    const auto value = number(kind);
    return value && *value >= 1 && *value <= largest ? value : std::nullopt;
}

std::optional<CacheFormat> ServerText::format(FigureKind kind) const
{
    const auto figure = last(kind);
    return figure ? cacheFormatFromName(figure->printed) : std::nullopt;
}

LayerClass classOf(const QString &kind)
{
    if (kind == QLatin1String("sliding") || kind == QLatin1String("chunked"))
        return LayerClass::windowed;
    if (kind == QLatin1String("indexer"))
        return LayerClass::indexer;
    return kind == QLatin1String("state") ? LayerClass::state : LayerClass::base;
}

bool hasClass(const ModelSpec &model, LayerClass layers)
{
    return std::any_of(model.caches.cbegin(), model.caches.cend(), [layers](const CacheSpec &cache) {
        return !std::holds_alternative<NoCache>(cache) && classOf(cacheKindName(cache)) == layers;
    });
}

std::optional<ClassShare> classShare(const CheckState &state, LayerClass layers, CachePiece piece)
{
    const CheckState asked = piece == CachePiece::both ? state : pieceOf(state, piece);
    const Allocation allocation = allocate(asked.model, asked.query, asked.profile);
    const auto *allocated = std::get_if<Allocated>(&allocation);
    if (allocated == nullptr)
        return std::nullopt;
    ClassShare share;
    for (const AllocatedGroup &group : allocated->groups) {
        if (layers != LayerClass::all && classOf(group.kind) != layers)
            continue;
        share.bytes += shareOf(group, piece);
        share.tokens = std::max(share.tokens, group.tokens);
        share.layers += group.layers;
        share.sequences = std::max(share.sequences, group.sequences);
    }
    return share;
}

QList<CheckStep> commonSteps(const CheckState &start, const ServerText &text, Engine engine)
{
    QList<CheckStep> steps;
    if (start.profile.engine != Engine::ideal && start.profile.engine != engine)
        steps << CheckStep{
            CheckReason::other_engine, [](CheckState &state) { state.profile = defaultProfile(Engine::ideal); }};
    const auto tp = text.numberUpTo(FigureKind::tensor_parallel, maxRanks);
    const auto pp = text.numberUpTo(FigureKind::pipeline_parallel, maxRanks);
    if (tp || pp)
        steps << CheckStep{CheckReason::other_parallelism, [tp, pp](CheckState &state) {
                               state.query.tp = tp.value_or(state.query.tp);
                               state.query.pp = pp.value_or(state.query.pp);
                           }};
    if (const auto format = text.format(FigureKind::cache_dtype))
        steps << CheckStep{CheckReason::other_cache_dtype, [format](CheckState &state) {
                               state.query.kv_dtype = *format;
                               state.query.v_dtype = std::nullopt;
                           }};
    return steps;
}

} // namespace kvlab::memory
