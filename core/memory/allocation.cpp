// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/allocation.h"

#include "memory/cache_parts.h"

#include <QCoreApplication>

#include <array>

namespace kvlab::memory {

namespace {

struct EngineName
{
    Engine engine;
    const char *name;
};

constexpr std::array engineNames{EngineName{Engine::ideal, "ideal"}, EngineName{Engine::vllm, "vllm"},
    EngineName{Engine::sglang, "sglang"}, EngineName{Engine::llama_cpp, "llama.cpp"}};

Product roundUp(const Product &value, qint64 unit)
{
    return (value + unit - 1) / unit * unit;
}

Refusal unknownAllocation(const ModelSpec &model, Engine engine)
{
    return {QStringLiteral("allocation_unknown"),
        QCoreApplication::translate("memory",
            "How %2 lays out the caches of %1 is not known exactly, so only what the model needs can be given. Choose "
            "the engine “ideal”.")
            .arg(model.name, engineName(engine))};
}

/// The model as the engine stores it, whatever the question says.
std::pair<ModelSpec, MemoryQuery> asStored(const ModelSpec &model, const MemoryQuery &query, Engine engine)
{
    std::pair stored{model, query};
    stored.second.batch = sequencesPerRank(query);
    if (engine != Engine::llama_cpp)
        return stored;
    stored.second.conv_dtype = StateFormat::f32;
    stored.second.recurrent_dtype = StateFormat::f32;
    for (CacheSpec &cache : stored.first.caches) {
        if (auto *indexer = std::get_if<Indexer>(&cache))
            indexer->entry_bytes = std::max(indexer->entry_bytes, indexer->index_head_dim * 2);
    }
    return stored;
}

/// How many places each kind of layer gets, and for how many sequences.
struct Places
{
    Product tokens;
    qint64 sequences = 0;
};

/// llama.cpp: cells of one slot and number of slots.
Places llamaSlots(const MemoryQuery &query, const AllocationProfile &profile)
{
    const Product asked = profile.n_ctx ? Product(*profile.n_ctx) : Product(query.seq_len) * query.batch;
    const Product n_ctx = roundUp(asked, profile.block_size);
    if (profile.kv_unified || query.batch == 0)
        return {n_ctx, query.batch == 0 ? 0 : 1};
    return {roundUp(n_ctx / query.batch, profile.block_size), query.batch};
}

struct PlacesOf
{
    const MemoryQuery &query;
    const AllocationProfile &profile;
    bool ignores_window = false;

    Product vllm(const Entries &entries, qint64 block_size) const
    {
        const Product all = query.seq_len;
        switch (entries.kind) {
        case Entries::Kind::window:
            return roundUp(std::min(Product(entries.size) - 1 + profile.max_num_batched_tokens, all), block_size)
                + block_size;
        case Entries::Kind::chunk:
            return roundUp(std::min(Product(entries.size) + profile.max_num_batched_tokens, all), block_size);
        case Entries::Kind::per_sequence:
            return entries.size == 1 ? Product(1) : roundUp(entries.size, block_size);
        default:
            return roundUp(all, block_size);
        }
    }

    Product paged(const Entries &entries, qint64 block_size) const
    {
        return entries.isFixed() ? Product(entries.size) : roundUp(entries.of(query.seq_len), block_size);
    }

    Places llama(const Entries &entries, qint64 block_size) const
    {
        if (entries.isFixed())
            return {entries.size, query.batch};
        Places slots = llamaSlots(query, profile);
        if (entries.stopsGrowing() && !ignores_window && !profile.swa_full) {
            const Product held = Product(entries.size) * (profile.kv_unified ? query.batch : 1) + profile.n_ubatch;
            slots.tokens = std::min(slots.tokens, roundUp(std::min(slots.tokens, held), block_size));
        }
        return slots;
    }

    Places operator()(const Entries &entries, qint64 block_size) const
    {
        // A sequence without tokens has no place yet; a server's context stands there from the start.
        if (query.seq_len == 0 && !profile.n_ctx)
            return {0, query.batch};
        switch (profile.engine) {
        case Engine::vllm:
            return {vllm(entries, block_size), query.batch};
        case Engine::sglang:
            return {paged(entries, block_size), query.batch};
        case Engine::llama_cpp:
            return llama(entries, block_size);
        case Engine::ideal:
            break;
        }
        return {entries.of(query.seq_len), query.batch};
    }
};

/// A group that owns a cache, and the engine's block for it.
struct Stored
{
    CacheGroup group;
    qint64 block_size = 1;

    bool isState() const { return group.kind == QLatin1String("state"); }
    const Entries &entries() const { return group.parts.constFirst().entries; }

    /// Bytes of one layer: of a state, or of one token.
    Product layerBytes() const
    {
        Product bytes;
        for (const CachePart &part : group.parts)
            bytes += part.entry_bytes;
        return bytes / group.layers;
    }
};

/// Layers that all hold every token share blocks as they are; anything else is vLLM's hybrid case.
bool isHybrid(const QList<Stored> &groups)
{
    return groups.size() > 1 && std::any_of(groups.cbegin(), groups.cend(), [](const Stored &stored) {
        return stored.entries().kind != Entries::Kind::every_token;
    });
}

/// vLLM's common page: as large as the largest attention block, and at least as one state; smaller layers get longer
/// blocks, states are padded to the page. False when a block would not come out even.
bool unifyPages(QList<Stored> &groups)
{
    Product state;
    Product token;
    for (const Stored &stored : groups) {
        Product &largest = stored.isState() ? state : token;
        largest = std::max(largest, stored.layerBytes());
    }
    if (token == 0)
        return true;
    const qint64 block_size = groups.constFirst().block_size;
    const Product blocks = std::max(Product(1), (state + block_size * token - 1) / (block_size * token));
    const Product page = blocks * block_size * token;
    for (Stored &stored : groups) {
        if (stored.isState()) {
            stored.group.parts.resize(1);
            stored.group.parts.first().entry_bytes = page * stored.group.layers;
            continue;
        }
        const Product bytes = stored.layerBytes();
        if (page % bytes != 0 || page / bytes > maxSeqLen)
            return false;
        stored.block_size = (page / bytes).convert_to<qint64>();
    }
    return true;
}

/// vLLM's groups of equally many layers: as many as the smallest kind has, or the largest where that is less than half
/// as many again; what does not come out even is filled with layers that hold nothing.
qint64 padLayers(QList<Stored> &groups)
{
    const auto [fewest, most] = std::minmax_element(groups.cbegin(), groups.cend(),
        [](const Stored &a, const Stored &b) { return a.group.layers < b.group.layers; });
    const qint64 least = fewest->group.layers;
    const qint64 size = 2 * most->group.layers < 3 * least ? most->group.layers : least;
    for (Stored &stored : groups) {
        const qint64 layers = (stored.group.layers + size - 1) / size * size;
        for (CachePart &part : stored.group.parts)
            part.entry_bytes = part.entry_bytes / stored.group.layers * layers;
        stored.group.layers = layers;
    }
    return size;
}

/// One block of vLLM's pool: the page of one layer for each of the `layers` that a group has.
std::optional<Bytes> poolBlock(const QList<Stored> &groups, std::optional<qint64> layers)
{
    Product bytes;
    for (const Stored &stored : groups) {
        const Product page = stored.layerBytes() * stored.block_size;
        if (layers && !stored.isState())
            return Bytes(page * *layers); // the others' pages are as large
        if (stored.entries().isFixed())
            return std::nullopt;
        bytes += page * stored.group.layers;
    }
    return layers || bytes == 0 || bytes > Product(maxBytes()) ? std::nullopt : std::optional(Bytes(bytes));
}

bool hasOnlyWindows(const QList<Stored> &groups)
{
    return std::all_of(groups.cbegin(), groups.cend(),
        [](const Stored &stored) { return stored.entries().isFixed() || stored.entries().stopsGrowing(); });
}

Allocation sum(const QList<Stored> &groups, const PlacesOf &placesOf)
{
    Allocated result;
    Product total;
    for (const Stored &stored : groups) {
        const CacheGroup &group = stored.group;
        Places places;
        Product bytes;
        for (const CachePart &part : group.parts) {
            places = placesOf(part.entries, stored.block_size);
            bytes += part.entry_bytes * places.tokens * places.sequences;
        }
        total += bytes;
        if (total > Product(maxBytes()) || places.tokens > std::numeric_limits<qint64>::max())
            return overflowRefusal();
        const qint64 tokens = stored.isState() ? 0 : places.tokens.convert_to<qint64>();
        result.groups << AllocatedGroup{group.kind, group.layers, tokens, places.sequences, Bytes(bytes)};
    }
    result.bytes = Bytes(total);
    return result;
}

} // namespace

QList<Engine> allEngines()
{
    QList<Engine> engines;
    for (const EngineName &entry : engineNames)
        engines << entry.engine;
    return engines;
}

QString engineName(Engine engine)
{
    return QLatin1String(engineNames.at(static_cast<std::size_t>(engine)).name);
}

std::optional<Engine> engineFromName(const QString &name)
{
    for (const EngineName &entry : engineNames) {
        if (name.trimmed().compare(QLatin1String(entry.name), Qt::CaseInsensitive) == 0)
            return entry.engine;
    }
    return std::nullopt;
}

AllocationProfile defaultProfile(Engine engine)
{
    AllocationProfile profile;
    profile.engine = engine;
    switch (engine) {
    case Engine::ideal:
    case Engine::sglang:
        profile.block_size = 1;
        break;
    case Engine::vllm:
        profile.block_size = 16;
        break;
    case Engine::llama_cpp:
        profile.block_size = 256;
        break;
    }
    return profile;
}

Allocation allocate(const ModelSpec &model, const MemoryQuery &query, const AllocationProfile &profile)
{
    const auto [stored, asked] = asStored(model, query, profile.engine);
    const auto read = cacheGroups(stored, asked, Naming::none);
    if (const auto *refusal = std::get_if<Refusal>(&read))
        return *refusal;
    QList<Stored> groups;
    for (const CacheGroup &group : std::get<QList<CacheGroup>>(read)) {
        if (profile.engine != Engine::ideal && group.kind == QLatin1String("compressed"))
            return unknownAllocation(model, profile.engine);
        if (!group.parts.isEmpty())
            groups << Stored{group, profile.block_size};
    }
    std::optional<qint64> group_layers;
    if (profile.engine == Engine::vllm && isHybrid(groups)) {
        if (!unifyPages(groups))
            return unknownAllocation(model, profile.engine);
        group_layers = padLayers(groups);
    }
    Allocation result = sum(groups, PlacesOf{asked, profile, hasOnlyWindows(groups)});
    if (auto *allocated = std::get_if<Allocated>(&result); allocated != nullptr && profile.engine == Engine::vllm)
        allocated->pool_block_bytes = poolBlock(groups, group_layers);
    return result;
}

} // namespace kvlab::memory
