// SPDX-License-Identifier: GPL-3.0-or-later
#include "prefix/radix_tree.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <unordered_map>

namespace kvlab::prefix {

namespace {

struct Node
{
    Node *parent = nullptr;
    std::vector<Token> key; ///< whole pages
    std::map<std::vector<Token>, std::unique_ptr<Node>> children; ///< by their first page
    int locks = 0; ///< running requests whose hit reaches this node
    std::uint64_t used = 0; ///< when last matched
};

} // namespace

class RadixTree::Private
{
public:
    struct Running
    {
        std::string space;
        std::size_t hit = 0; ///< tokens; its nodes are locked
        std::vector<Token> prompt;
        int reserved = 0; ///< tokens
    };

    std::size_t wholePages(std::size_t tokens) const { return tokens / page() * page(); }
    std::size_t page() const { return std::size_t(options.page_size); }
    std::size_t commonPages(const Node &node, std::span<const Token> rest) const;
    Node *child(const Node &node, std::span<const Token> rest) const;
    Node *split(Node *node, std::size_t length);
    Node *walk(std::span<const Token> tokens, const std::string &space, std::size_t &matched);
    void insert(std::span<const Token> tokens, const std::string &space);
    void lock(Node *deepest, int change);
    Node *oldestLeaf(Node &from) const;
    bool makeRoom(int tokens);

    Options options;
    std::map<std::string, Node> roots; ///< by space
    std::map<int, Running> running;
    int cached = 0;
    int locked = 0;
    int reserved = 0; ///< for what running requests compute
    int lastId = 0;
    std::uint64_t clock = 0;
};

/// Equal tokens at the start of a node's key and of `rest`, in whole pages.
std::size_t RadixTree::Private::commonPages(const Node &node, std::span<const Token> rest) const
{
    const auto [end, ignored] = std::mismatch(node.key.begin(), node.key.end(), rest.begin(), rest.end());
    return wholePages(std::size_t(end - node.key.begin()));
}

Node *RadixTree::Private::child(const Node &node, std::span<const Token> rest) const
{
    if (rest.size() < page()) {
        return nullptr;
    }
    const auto found = node.children.find({rest.begin(), rest.begin() + std::ptrdiff_t(page())});
    return found == node.children.end() ? nullptr : found->second.get();
}

/// Cuts a node after `length` tokens; returns the front part.
Node *RadixTree::Private::split(Node *node, std::size_t length)
{
    const auto cut = std::ptrdiff_t(length);
    const std::vector<Token> nameInParent(node->key.begin(), node->key.begin() + std::ptrdiff_t(page()));
    auto &place = node->parent->children.at(nameInParent);
    auto front = std::make_unique<Node>();
    front->parent = node->parent;
    front->key.assign(node->key.begin(), node->key.begin() + cut);
    front->locks = node->locks;
    front->used = node->used;
    node->key.erase(node->key.begin(), node->key.begin() + cut);
    node->parent = front.get();
    const std::vector<Token> nameInFront(node->key.begin(), node->key.begin() + std::ptrdiff_t(page()));
    front->children.emplace(nameInFront, std::move(place));
    place = std::move(front);
    return place.get();
}

/// Follows the tokens as far as they are cached, marks the way as used, and splits the last node where they end.
Node *RadixTree::Private::walk(std::span<const Token> tokens, const std::string &space, std::size_t &matched)
{
    Node *node = &roots[space];
    ++clock;
    matched = 0;
    while (Node *next = child(*node, tokens.subspan(matched))) {
        const std::size_t common = commonPages(*next, tokens.subspan(matched));
        node = common < next->key.size() ? split(next, common) : next;
        node->used = clock;
        matched += common;
    }
    return node;
}

void RadixTree::Private::insert(std::span<const Token> tokens, const std::string &space)
{
    tokens = tokens.first(wholePages(tokens.size()));
    std::size_t matched = 0;
    Node *node = walk(tokens, space, matched);
    const auto rest = tokens.subspan(matched);
    if (rest.empty()) {
        return;
    }
    auto leaf = std::make_unique<Node>();
    leaf->parent = node;
    leaf->key.assign(rest.begin(), rest.end());
    leaf->used = clock;
    cached += int(rest.size());
    node->children.emplace(std::vector<Token>(rest.begin(), rest.begin() + std::ptrdiff_t(page())), std::move(leaf));
}

void RadixTree::Private::lock(Node *deepest, int change)
{
    for (Node *node = deepest; node->parent; node = node->parent) {
        const bool wasLocked = node->locks > 0;
        node->locks += change;
        locked += (int(node->locks > 0) - int(wasLocked)) * int(node->key.size());
    }
}

Node *RadixTree::Private::oldestLeaf(Node &from) const
{
    Node *oldest = nullptr;
    for (auto &[name, next] : from.children) {
        Node *candidate = next->children.empty() ? next.get() : oldestLeaf(*next);
        if (candidate && candidate->locks == 0 && (!oldest || candidate->used < oldest->used)) {
            oldest = candidate;
        }
    }
    return oldest;
}

/// Evicts whole leaves until so many tokens fit; a parent that loses its last child is the next leaf.
bool RadixTree::Private::makeRoom(int tokens)
{
    if (locked + reserved + tokens > options.capacity) {
        return false;
    }
    while (cached + reserved + tokens > options.capacity) {
        Node *oldest = nullptr;
        for (auto &[space, root] : roots) {
            Node *leaf = oldestLeaf(root);
            oldest = leaf && (!oldest || leaf->used < oldest->used) ? leaf : oldest;
        }
        cached -= int(oldest->key.size());
        oldest->parent->children.erase({oldest->key.begin(), oldest->key.begin() + std::ptrdiff_t(page())});
    }
    return true;
}

RadixTree::RadixTree(const Options &options)
    : d(std::make_unique<Private>())
{
    if (options.page_size < 1 || options.capacity < 1) {
        throw std::invalid_argument("A radix tree needs pages and a capacity of at least one token.");
    }
    d->options = options;
}

RadixTree::~RadixTree() = default;
RadixTree::RadixTree(RadixTree &&) noexcept = default;
RadixTree &RadixTree::operator=(RadixTree &&) noexcept = default;

int RadixTree::match(std::span<const Token> prompt, const std::string &space) const
{
    const auto root = d->roots.find(space);
    if (root == d->roots.end() || prompt.empty()) {
        return 0;
    }
    const auto asked = prompt.first(prompt.size() - 1);
    const Node *node = &root->second;
    std::size_t matched = 0;
    while (const Node *next = d->child(*node, asked.subspan(matched))) {
        const std::size_t common = d->commonPages(*next, asked.subspan(matched));
        matched += common;
        if (common < next->key.size()) {
            break;
        }
        node = next;
    }
    return int(matched);
}

std::optional<RadixTree::Request> RadixTree::start(std::span<const Token> prompt, const std::string &space)
{
    const auto asked = prompt.first(prompt.empty() ? 0 : prompt.size() - 1);
    std::size_t hit = 0;
    Node *node = d->walk(asked, space, hit);
    d->lock(node, 1); // first: making room must not evict the request's own hit
    const int rest = int(d->wholePages(prompt.size()) - hit);
    if (!d->makeRoom(rest)) {
        d->lock(node, -1);
        return std::nullopt;
    }
    d->reserved += rest;
    d->running[++d->lastId] = {space, hit, {prompt.begin(), prompt.end()}, rest};
    return Request{d->lastId, int(hit)};
}

void RadixTree::finish(const Request &request, std::span<const Token> computed)
{
    const auto entry = d->running.extract(request.id);
    const Private::Running &run = entry.mapped();
    d->reserved -= run.reserved;
    const auto pages = computed.first(d->wholePages(computed.size()));
    if (pages.size() > run.hit && d->makeRoom(int(pages.size() - run.hit))) {
        d->insert(pages, run.space);
    }
    // Unlocked last, for making room must not evict the hit. Its last node ends there still, or was split further.
    std::size_t matched = 0;
    d->lock(d->walk(std::span(run.prompt).first(run.hit), run.space, matched), -1);
}

int RadixTree::tokens() const
{
    return d->cached;
}

int RadixTree::lockedTokens() const
{
    return d->locked;
}

bool RadixTree::reset()
{
    if (!d->running.empty()) {
        return false;
    }
    d->roots.clear();
    d->cached = 0;
    return true;
}

} // namespace kvlab::prefix
