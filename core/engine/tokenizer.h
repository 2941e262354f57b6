// SPDX-License-Identifier: GPL-3.0-or-later
// Lossless tokenizer of the practice engine: text → token ids → the same text, for any byte sequence.
// Its vocabulary (resources/tokenizer/pieces.txt) is made so that counts lie near those of Qwen2.5's tokenizer.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kvlab::engine {

using Token = std::int32_t;

class Tokenizer
{
public:
    /// Loads the built-in vocabulary; throws std::runtime_error when it is damaged.
    Tokenizer();

    /// Never emits special tokens, whatever the text says.
    std::vector<Token> encode(std::string_view text) const;
    /// Special tokens decode to their names (<|im_start|>).
    std::string decode(const std::vector<Token> &tokens) const;
    std::string_view piece(Token token) const; ///< bytes of one token

    int vocabSize() const;
    Token imStart() const; ///< <|im_start|>
    Token imEnd() const; ///< <|im_end|>, ends an answer
    /// True for tokens that are whole characters of printable text: only these may be generated, so that an answer never
    /// holds special or partial characters.
    bool isPrintable(Token token) const;

private:
    std::vector<std::string> m_pieces;
    // further members belong to the implementation
};

} // namespace kvlab::engine
