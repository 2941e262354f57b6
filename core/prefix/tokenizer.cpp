// SPDX-License-Identifier: GPL-3.0-or-later
#include "prefix/tokenizer.h"

#include <QFile>
#include <QString>

#include <algorithm>
#include <stdexcept>

namespace kvlab::prefix {

namespace {

constexpr int byteTokens = 256; ///< token b is the single byte b: the fallback that makes encoding lossless
constexpr int specialTokens = 3;
constexpr int expectedVocab = 24576;

std::string unescape(std::string_view line)
{
    std::string piece;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] != '\\') {
            piece += line[i];
            continue;
        }
        switch (++i < line.size() ? line[i] : '\0') {
        case 's':
            piece += ' ';
            break;
        case 'n':
            piece += '\n';
            break;
        case 'r':
            piece += '\r';
            break;
        case 't':
            piece += '\t';
            break;
        case '\\':
            piece += '\\';
            break;
        case 'x': // two digits: one byte of a character
            piece += static_cast<char>(std::stoi(std::string(line.substr(i + 1, 2)), nullptr, 16));
            i += 2;
            break;
        default:
            throw std::runtime_error("The built-in vocabulary is damaged: it holds an unknown escape.");
        }
    }
    return piece;
}

bool isLetter(char character)
{
    return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z');
}

/// True for pieces of several words (" of the", ", and"): such a piece must not end inside a longer word.
bool joinsWords(const std::string &piece)
{
    const std::size_t space = piece.rfind(' ');
    return space != std::string::npos && space > 0 && isLetter(piece.back());
}

std::vector<std::string> readPieces()
{
    QFile file(QStringLiteral(":/kvlab/tokenizer/pieces.txt"));
    if (!file.open(QIODevice::ReadOnly))
        throw std::runtime_error("The built-in vocabulary is missing from the program.");
    const std::string data = file.readAll().toStdString();
    std::vector<std::string> pieces;
    std::size_t begin = 0;
    for (std::size_t end = data.find('\n'); end != std::string::npos; end = data.find('\n', begin)) {
        pieces.push_back(unescape(std::string_view(data).substr(begin, end - begin)));
        begin = end + 1;
    }
    return pieces;
}

bool isVisibleText(const std::string &piece)
{
    const QByteArray bytes = QByteArray::fromStdString(piece);
    const QString text = QString::fromUtf8(bytes);
    if (text.toUtf8() != bytes || text.trimmed().isEmpty())
        return false;
    const QList<uint> characters = text.toUcs4();
    return std::all_of(characters.cbegin(), characters.cend(),
        [](uint character) { return QChar::isPrint(character) && character != QChar::ReplacementCharacter; });
}

} // namespace

Tokenizer::Tokenizer()
{
    m_nodes.emplace_back();
    m_pieces.reserve(expectedVocab);
    for (int byte = 0; byte < byteTokens; ++byte)
        addPiece(std::string(1, static_cast<char>(byte)));
    // Special tokens have a number and a name but no place in the tree: no text can spell them.
    const std::vector<std::string> pieces = readPieces();
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        if (i < specialTokens)
            m_pieces.push_back(pieces[i]);
        else
            addPiece(pieces[i]);
    }
    if (vocabSize() != expectedVocab || piece(imStart()) != "<|im_start|>" || piece(imEnd()) != "<|im_end|>")
        throw std::runtime_error("The built-in vocabulary is damaged: it does not have the pieces it should have.");
    m_printable.resize(m_pieces.size());
    for (std::size_t token = 0; token < m_pieces.size(); ++token) {
        const bool special = token >= byteTokens && token < byteTokens + specialTokens;
        m_printable[token] = !special && isVisibleText(m_pieces[token]);
    }
}

void Tokenizer::addPiece(const std::string &piece)
{
    std::int32_t node = 0;
    for (const char character : piece) {
        const auto byte = static_cast<std::uint8_t>(character);
        std::int32_t next = childOf(node, byte);
        if (next < 0) {
            next = static_cast<std::int32_t>(m_nodes.size());
            m_nodes.push_back({byte, false, -1, -1, m_nodes[static_cast<std::size_t>(node)].child});
            m_nodes[static_cast<std::size_t>(node)].child = next;
        }
        node = next;
    }
    Token &token = m_nodes[static_cast<std::size_t>(node)].token;
    if (piece.empty() || token >= 0)
        throw std::runtime_error("The built-in vocabulary is damaged: a piece is empty or there twice.");
    token = static_cast<Token>(m_pieces.size());
    m_pieces.push_back(piece);
    m_nodes[static_cast<std::size_t>(node)].joins_words = joinsWords(piece);
}

std::int32_t Tokenizer::childOf(std::int32_t node, std::uint8_t byte) const
{
    std::int32_t child = m_nodes[static_cast<std::size_t>(node)].child;
    while (child >= 0 && m_nodes[static_cast<std::size_t>(child)].byte != byte)
        child = m_nodes[static_cast<std::size_t>(child)].sibling;
    return child;
}

Token Tokenizer::longestMatch(std::string_view text) const
{
    Token found = -1;
    std::int32_t place = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        place = childOf(place, static_cast<std::uint8_t>(text[i]));
        if (place < 0)
            break;
        const Node &node = m_nodes[static_cast<std::size_t>(place)];
        const bool cutsWord = node.joins_words && i + 1 < text.size() && isLetter(text[i + 1]);
        if (node.token >= 0 && !cutsWord)
            found = node.token;
    }
    return found;
}

std::vector<Token> Tokenizer::encode(std::string_view text) const
{
    std::vector<Token> tokens;
    while (!text.empty()) {
        Token token = longestMatch(text);
        std::size_t length = piece(token).size();
        // The last space of a run belongs to the word behind it, as in other tokenizers: "   word" is "  " and " word".
        const bool onlySpaces = length > 1 && piece(token).find_first_not_of(' ') == std::string_view::npos;
        if (onlySpaces && length < text.size() && text[length] != ' ' && text[length] != '\n' && text[length] != '\r') {
            --length;
            token = longestMatch(text.substr(0, length));
        }
        tokens.push_back(token);
        text.remove_prefix(length);
    }
    return tokens;
}

std::string Tokenizer::decode(const std::vector<Token> &tokens) const
{
    std::string text;
    for (const Token token : tokens)
        text += piece(token);
    return text;
}

std::string_view Tokenizer::piece(Token token) const
{
    return m_pieces.at(static_cast<std::size_t>(token));
}

int Tokenizer::vocabSize() const
{
    return static_cast<int>(m_pieces.size());
}

Token Tokenizer::imStart() const
{
    return byteTokens + 1;
}

Token Tokenizer::imEnd() const
{
    return byteTokens + 2;
}

bool Tokenizer::isPrintable(Token token) const
{
    return m_printable.at(static_cast<std::size_t>(token));
}

} // namespace kvlab::prefix
