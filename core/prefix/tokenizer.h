// SPDX-License-Identifier: GPL-3.0-or-later
// Lossless tokenizer of the practice engine: text → token ids → the same text, for any byte sequence.
// Its vocabulary (resources/tokenizer/pieces.txt) is made so that counts lie near those of Qwen2.5's tokenizer.
// It lies with the rules, not in the engine, so that a forecast can count tokens without the engine.
#pragma once

#include "prefix/block_hash.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kvlab::prefix {

class Tokenizer
{
public:
    /// Loads the built-in vocabulary; throws std::runtime_error when it is damaged.
    Tokenizer();

    /// Never emits special tokens, whatever the text says.
    std::vector<Token> encode(std::string_view text) const;
    /// Special tokens decode to their names (<|im_start|>). Tokens outside the vocabulary throw std::out_of_range.
    std::string decode(const std::vector<Token> &tokens) const;
    std::string_view piece(Token token) const; ///< bytes of one token

    int vocabSize() const;
    Token imStart() const; ///< <|im_start|>
    Token imEnd() const; ///< <|im_end|>, ends an answer
    /// True for tokens that are whole characters of printable text: only these may be generated, so that an answer
    /// never holds special or partial characters. Pieces of nothing but space are left out too: a token that is
    /// generated is seen.
    bool isPrintable(Token token) const;

private:
    /// A place in the tree of all pieces; the places that follow it hang on `child` as a list.
    struct Node
    {
        std::uint8_t byte = 0;
        bool joins_words
            = false; ///< the piece that ends here is of several words and counts only where the last one ends
        Token token = -1; ///< the piece that ends here; -1 when none does
        std::int32_t child = -1;
        std::int32_t sibling = -1;
    };

    void addPiece(const std::string &piece);
    std::int32_t childOf(std::int32_t node, std::uint8_t byte) const;
    Token longestMatch(std::string_view text) const;

    std::vector<std::string> m_pieces;
    std::vector<bool> m_printable;
    std::vector<Node> m_nodes;
};

} // namespace kvlab::prefix
