// SPDX-License-Identifier: GPL-3.0-or-later
#include "prefix/chat_request.h"

#include <QCoreApplication>
#include <QLocale>

#include <rapidjson/document.h>
#include <rapidjson/error/en.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>

namespace kvlab::prefix {

namespace {

/// Context of this file's texts.
struct RequestText
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::prefix::RequestText)
};

using Json = rapidjson::Value;

constexpr int deepest = 100; ///< nested brackets; deeper ones would exhaust the stack

bool isTooDeep(const QByteArray &json)
{
    int depth = 0;
    bool inText = false;
    for (qsizetype i = 0; i < json.size(); ++i) {
        const char c = json[i];
        if (inText) {
            i += c == '\\' ? 1 : 0;
            inText = c != '"';
        } else if (c == '"') {
            inText = true;
        } else if (c == '{' || c == '[') {
            if (++depth > deepest)
                return true;
        } else if (c == '}' || c == ']') {
            --depth;
        }
    }
    return false;
}

std::string textOf(const Json &value)
{
    return {value.GetString(), value.GetStringLength()};
}

std::string compact(const Json &value)
{
    rapidjson::StringBuffer buffer;
    rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
    value.Accept(writer);
    return {buffer.GetString(), buffer.GetSize()};
}

const Json *member(const Json &object, const char *name)
{
    const auto found = object.FindMember(name);
    return found == object.MemberEnd() || found->value.IsNull() ? nullptr : &found->value;
}

/// Text, or a list of parts of which those of text count.
std::string contentOf(const Json &message, QStringList &notes)
{
    const Json *content = member(message, "content");
    std::string text;
    if (content && content->IsString())
        text = textOf(*content);
    if (content && content->IsArray()) {
        for (const Json &part : content->GetArray()) {
            const Json *words = part.IsObject() ? member(part, "text") : nullptr;
            if (words && words->IsString())
                text += textOf(*words);
            else
                notes << RequestText::tr("A part of a message that is no text is left out.");
        }
    }
    if (const Json *calls = member(message, "tool_calls"); calls && calls->IsArray()) {
        for (const Json &call : calls->GetArray())
            text += "\n<tool_call>\n" + compact(call) + "\n</tool_call>";
    }
    return text;
}

std::optional<QString> readMessages(const Json &list, ChatRequest &request)
{
    for (const Json &message : list.GetArray()) {
        const Json *role = message.IsObject() ? member(message, "role") : nullptr;
        if (!role || !role->IsString())
            return RequestText::tr("Message %1 has no role.").arg(QLocale().toString(int(request.messages.size()) + 1));
        request.messages.push_back({textOf(*role), contentOf(message, request.notes)});
    }
    if (request.messages.empty())
        return RequestText::tr("The list of messages is empty.");
    return std::nullopt;
}

/// The request itself, where a log wraps it.
const Json &unwrapped(const Json &object)
{
    for (const char *name : {"request", "body"}) {
        const Json *inner = member(object, name);
        if (inner && inner->IsObject() && !member(object, "messages") && !member(object, "prompt"))
            return *inner;
    }
    return object;
}

std::optional<QString> readObject(const Json &object, ChatRequest &request)
{
    if (const Json *salt = member(object, "cache_salt"); salt && salt->IsString())
        request.keys.salt = textOf(*salt);
    if (const Json *tools = member(object, "tools"); tools && tools->IsArray()) {
        for (const Json &tool : tools->GetArray())
            request.tools.push_back(compact(tool));
    }
    const Json *messages = member(object, "messages");
    if (messages && messages->IsArray())
        return readMessages(*messages, request);
    const Json *prompt = member(object, "prompt");
    if (!prompt || !prompt->IsString())
        return RequestText::tr("It holds neither “messages” nor “prompt”.");
    request.prompt = textOf(*prompt);
    return std::nullopt;
}

/// The shape of Qwen2.5's template.
std::string toolsText(const std::vector<std::string> &tools)
{
    std::string text = "\n\n# Tools\n\nYou may call one or more functions to assist with the user query.\n\n"
                       "You are provided with function signatures within <tools></tools> XML tags:\n<tools>";
    for (const std::string &tool : tools)
        text += "\n" + tool;
    return text + "\n</tools>";
}

class Renderer
{
public:
    explicit Renderer(const Tokenizer &tokenizer)
        : m_tokenizer(tokenizer)
    {
    }

    void part(PromptPart::Kind kind, int message, const QString &role)
    {
        m_read.parts.push_back({kind, int(m_tokens.size()), message, role});
    }
    void text(const std::string &text)
    {
        const auto tokens = m_tokenizer.encode(text);
        m_tokens.insert(m_tokens.end(), tokens.begin(), tokens.end());
    }
    void message(int number, const ChatMessage &message, const std::string &tools)
    {
        part(PromptPart::Kind::message, number, QString::fromStdString(message.role));
        m_tokens.push_back(m_tokenizer.imStart());
        const std::string head = message.role + "\n" + message.content;
        if (!tools.empty()) {
            const int begin = int(m_tokens.size() + m_tokenizer.encode(head).size());
            m_read.parts.push_back({PromptPart::Kind::tools, begin, number, QString::fromStdString(message.role)});
        }
        text(head + tools);
        m_tokens.push_back(m_tokenizer.imEnd());
        text("\n");
    }
    void openAnswer()
    {
        m_tokens.push_back(m_tokenizer.imStart());
        text("assistant\n");
    }
    ReadPrompt take(const ExtraKeys &keys)
    {
        for (const Token token : m_tokens)
            m_read.prompt.pieces.emplace_back(m_tokenizer.piece(token));
        m_read.prompt.tokens = std::move(m_tokens);
        m_read.prompt.keys = keys;
        return std::move(m_read);
    }

private:
    const Tokenizer &m_tokenizer;
    std::vector<Token> m_tokens;
    ReadPrompt m_read;
};

} // namespace

std::variant<ChatRequest, QString> parseChatRequest(const QByteArray &json)
{
    if (isTooDeep(json))
        return RequestText::tr("It is nested too deeply.");
    rapidjson::Document document;
    document.Parse<rapidjson::kParseIterativeFlag>(json.constData(), std::size_t(json.size()));
    if (document.HasParseError()) {
        return RequestText::tr("It is no JSON from character %1 on.")
            .arg(QLocale().toString(qulonglong(document.GetErrorOffset()) + 1));
    }
    ChatRequest request;
    std::optional<QString> problem = RequestText::tr("It is no request: neither an object nor a list of messages.");
    if (document.IsObject())
        problem = readObject(unwrapped(document), request);
    else if (document.IsArray())
        problem = readMessages(document, request);
    if (problem)
        return *problem;
    request.notes.removeDuplicates();
    return request;
}

ChatRequest requestFromPasted(const QByteArray &text)
{
    const QByteArray trimmed = text.trimmed();
    ChatRequest plain;
    plain.prompt = text.toStdString();
    if (!trimmed.startsWith('{') && !trimmed.startsWith('['))
        return plain;
    auto parsed = parseChatRequest(trimmed);
    if (auto *request = std::get_if<ChatRequest>(&parsed))
        return std::move(*request);
    plain.notes << RequestText::tr("It is taken as plain text, not as a request. %1").arg(std::get<QString>(parsed));
    return plain;
}

QString ReadPrompt::text() const
{
    std::string bytes;
    for (const std::string &piece : prompt.pieces)
        bytes += piece;
    return QString::fromUtf8(QByteArray::fromStdString(bytes));
}

qsizetype ReadPrompt::characterOf(int token) const
{
    std::string bytes;
    for (int i = 0; i < std::min(token, int(prompt.pieces.size())); ++i)
        bytes += prompt.pieces[std::size_t(i)];
    QString before = QString::fromUtf8(QByteArray::fromStdString(bytes));
    // A character that the token begins within counts as its own.
    while (before.endsWith(QChar::ReplacementCharacter))
        before.chop(1);
    return before.size();
}

const PromptPart *ReadPrompt::partAt(int token) const
{
    const PromptPart *found = nullptr;
    for (const PromptPart &part : parts)
        found = part.first_token <= token ? &part : found;
    return found;
}

ReadPrompt renderRequest(const ChatRequest &request, const Tokenizer &tokenizer)
{
    Renderer renderer(tokenizer);
    if (request.messages.empty()) {
        renderer.part(PromptPart::Kind::text, 0, {});
        renderer.text(request.prompt);
        return renderer.take(request.keys);
    }
    const std::string tools = request.tools.empty() ? std::string() : toolsText(request.tools);
    const bool hasSystem = request.messages.front().role == "system";
    if (!hasSystem)
        renderer.message(0, {"system", "You are a helpful assistant."}, tools);
    for (std::size_t i = 0; i < request.messages.size(); ++i)
        renderer.message(int(i) + 1, request.messages[i], hasSystem && i == 0 ? tools : std::string());
    renderer.openAnswer();
    return renderer.take(request.keys);
}

} // namespace kvlab::prefix
