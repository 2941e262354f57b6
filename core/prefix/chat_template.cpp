// SPDX-License-Identifier: GPL-3.0-or-later
#include "prefix/chat_template.h"

namespace kvlab::prefix {

namespace {

class PromptWriter
{
public:
    explicit PromptWriter(const Tokenizer &tokenizer)
        : m_tokenizer(tokenizer)
    {
    }

    void text(const std::string &text)
    {
        const std::vector<Token> tokens = m_tokenizer.encode(text);
        m_tokens.insert(m_tokens.end(), tokens.begin(), tokens.end());
    }

    void message(const std::string &role, const std::string &content)
    {
        m_tokens.push_back(m_tokenizer.imStart());
        text(role + "\n" + content);
        m_tokens.push_back(m_tokenizer.imEnd());
        text("\n");
    }

    void openAnswer()
    {
        m_tokens.push_back(m_tokenizer.imStart());
        text("assistant\n");
    }

    std::vector<Token> take() { return std::move(m_tokens); }

private:
    const Tokenizer &m_tokenizer;
    std::vector<Token> m_tokens;
};

} // namespace

std::vector<Token> applyChatTemplate(
    const Tokenizer &tokenizer, const std::vector<ChatMessage> &messages, bool addGenerationPrompt)
{
    PromptWriter writer(tokenizer);
    if (messages.empty() || messages.front().role != "system")
        writer.message("system", "You are a helpful assistant.");
    for (const ChatMessage &message : messages)
        writer.message(message.role, message.content);
    if (addGenerationPrompt)
        writer.openAnswer();
    return writer.take();
}

} // namespace kvlab::prefix
