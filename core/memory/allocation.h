// SPDX-License-Identifier: GPL-3.0-or-later
// What engines set aside for the same sequences: whole blocks, slack beyond windows, padded contexts. Never less than
// the ideal need of memory_estimate.h.
// Sources: vLLM v1/kv_cache_interface.py and models/config.py, llama.cpp src/llama-kv-cache*.cpp and llama-context.cpp.
#pragma once

#include "memory/memory_estimate.h"

namespace kvlab::memory {

enum class Engine { ideal, vllm, sglang, llama_cpp };

QList<Engine> allEngines();
QString engineName(Engine engine); ///< "ideal", "vllm", "sglang", "llama.cpp"
std::optional<Engine> engineFromName(const QString &name);

/// An engine's settings as it starts with them when nothing else is asked.
struct AllocationProfile
{
    Engine engine = Engine::ideal;
    qint64 block_size = 16; ///< tokens per block (vLLM), page (SGLang), or to pad the context to (llama.cpp)
    qint64 max_num_batched_tokens = 2048; ///< vLLM; its default for a server on a GPU below 70 GiB
    qint64 n_ubatch = 512; ///< llama.cpp
    bool kv_unified = false; ///< llama.cpp: one context for all sequences
    bool swa_full = false; ///< llama.cpp: layers with a window hold the whole context
    std::optional<qint64> n_ctx = {}; ///< llama.cpp: context of all sequences together; unset = seq_len × batch
};

AllocationProfile defaultProfile(Engine engine);

/// One CacheSpec's share.
struct AllocatedGroup
{
    QString kind; ///< cacheKindName()
    qint64 layers = 0; ///< with the empty ones that vLLM fills up with
    qint64 tokens = 0; ///< places set aside for one sequence (llama.cpp, unified: for all); 0 for states
    qint64 sequences = 0; ///< how many times
    Bytes bytes;
};

struct Allocated
{
    Bytes bytes; ///< for the whole batch, one rank
    QList<AllocatedGroup> groups; ///< in the model's order, without layers that own no cache
    std::optional<Bytes> pool_block_bytes; ///< vLLM: one block of its pool, all layers of a group together
};

using Allocation = std::variant<Allocated, Refusal>;

/// seq_len is the length the engine must be able to hold (vLLM's max_model_len), batch the number of sequences.
/// vLLM: a sliding layer holds min(window − 1 + max_num_batched_tokens, seq_len) tokens in whole blocks plus one block,
/// a chunked one min(chunk + max_num_batched_tokens, seq_len). Where layers of several kinds share the pool, pages are
/// made equal (longer blocks for smaller layers; at least one state) and kinds are filled up to groups of equally many
/// layers. SGLang: pages; how it splits its two pools is a matter of the budget, not of a sequence. llama.cpp: the
/// context padded, divided into slots unless unified, and padded again; layers with a window hold PAD(min(slot, window
/// × (unified ? batch : 1) + n_ubatch)); where every layer has one, it is ignored; states are f32 and indexer keys f16.
/// Refused with allocation_unknown: compressed attention, and in vLLM sizes that fit no common page.
Allocation allocate(const ModelSpec &model, const MemoryQuery &query, const AllocationProfile &profile);

} // namespace kvlab::memory
