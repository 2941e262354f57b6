// SPDX-License-Identifier: GPL-3.0-or-later
#include "prefix/trace_book.h"

#include "prefix/trace_reader.h"

#include <QCoreApplication>
#include <QFile>
#include <QJsonDocument>

#include <stdexcept>

namespace kvlab::prefix {

namespace {

/// Context of this file's texts.
struct BookText
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::prefix::TraceBook)
};

class BookReader
{
public:
    BookReader(const QJsonObject &file, const QString &language, const Tokenizer &tokenizer);
    std::vector<TraceScript> read() const;

private:
    TraceScript script(const TraceNode &node) const;
    TraceAction action(const TraceNode &node) const;
    std::vector<Token> tokens(const TraceNode &node) const;
    QString localized(const TraceNode &node, QLatin1String key) const;

    TraceNode m_file;
    QString m_language;
    std::map<QString, std::vector<Token>> m_texts;
};

BookReader::BookReader(const QJsonObject &file, const QString &language, const Tokenizer &tokenizer)
    : m_file(file, BookText::tr("The file"))
    , m_language(language)
{
    const QJsonObject texts = m_file.child(QLatin1String("texts")).object();
    for (auto text = texts.begin(); text != texts.end(); ++text) {
        auto encoded = tokenizer.encode(text.value().toString().toStdString());
        if (encoded.empty())
            m_file.refuse(BookText::tr("the text “%1” is empty.").arg(text.key()));
        m_texts.emplace(text.key(), std::move(encoded));
    }
}

std::vector<TraceScript> BookReader::read() const
{
    std::vector<TraceScript> scripts;
    for (const QJsonValue &value : m_file.list(QLatin1String("traces"))) {
        const TraceNode unnamed(value.toObject(), m_file.name());
        scripts.push_back(script({value.toObject(), unnamed.text(QLatin1String("id"))}));
    }
    return scripts;
}

TraceScript BookReader::script(const TraceNode &node) const
{
    TraceScript script;
    script.id = node.text(QLatin1String("id"));
    script.title = localized(node, QLatin1String("title"));
    script.note = localized(node, QLatin1String("note"));
    script.options.pool.block_size = node.number(QLatin1String("block_size"), 1, mostTraceTokens);
    script.options.pool.blocks = node.number(QLatin1String("pool_blocks"), 2, mostTraceBlocks);
    if (node.has(QLatin1String("ram_chunks")))
        script.options.ram_chunks = node.number(QLatin1String("ram_chunks"), 0, mostTraceBlocks);
    if (node.has(QLatin1String("disk_chunks")))
        script.options.disk_chunks = node.number(QLatin1String("disk_chunks"), 0, mostTraceBlocks);
    for (const QJsonValue &value : node.list(QLatin1String("steps"))) {
        const TraceNode step(
            value.toObject(), BookText::tr("%1, step %2").arg(node.name()).arg(script.steps.size() + 1));
        TraceStep read{localized(step, QLatin1String("title")), {}};
        for (const QJsonValue &item : step.list(QLatin1String("actions")))
            read.actions.push_back(action({item.toObject(), step.name()}));
        script.steps.push_back(std::move(read));
    }
    return script;
}

TraceAction BookReader::action(const TraceNode &node) const
{
    static const std::map<QString, TraceAction::Kind> kinds{
        {QStringLiteral("request"), TraceAction::Kind::request},
        {QStringLiteral("append"), TraceAction::Kind::append},
        {QStringLiteral("free"), TraceAction::Kind::release},
        {QStringLiteral("reset"), TraceAction::Kind::reset},
        {QStringLiteral("restart"), TraceAction::Kind::restart},
    };
    const QString op = node.text(QLatin1String("op"));
    const auto kind = kinds.find(op);
    if (kind == kinds.end())
        node.refuse(BookText::tr("“%1” is no action; actions are request, append, free, reset and restart.").arg(op));
    TraceAction action;
    action.kind = kind->second;
    action.request = node.optionalText(QLatin1String("id"));
    action.keys = {node.optionalText(QLatin1String("lora")), node.optionalText(QLatin1String("salt"))};
    if (action.kind == TraceAction::Kind::request || action.kind == TraceAction::Kind::append)
        action.tokens = tokens(node);
    return action;
}

std::vector<Token> BookReader::tokens(const TraceNode &node) const
{
    std::vector<Token> result;
    for (const QJsonValue &value : node.object().value(QLatin1String("tokens")).toArray()) {
        const QJsonArray run = value.toArray();
        const auto text = m_texts.find(run[0].toString());
        const int start = run.size() == 3 ? run[1].toInt(-1) : 0;
        const int count = run[run.size() - 1].toInt(-1);
        if (run.size() < 2 || run.size() > 3 || text == m_texts.end() || start < 0 || count < 0
            || count > mostTraceTokens - int(result.size())) {
            node.refuse(BookText::tr("“tokens” must be a list of runs, [text, count] or [text, start, count], each of "
                                     "a text that the file has."));
        }
        for (int i = start; i < start + count; ++i)
            result.push_back(text->second[std::size_t(i) % text->second.size()]);
    }
    return result;
}

QString BookReader::localized(const TraceNode &node, QLatin1String key) const
{
    const TraceNode texts = node.child(key);
    return texts.has(QLatin1String(m_language.toLatin1())) ? texts.text(QLatin1String(m_language.toLatin1()))
                                                           : texts.text(QLatin1String("en"));
}

} // namespace

std::variant<std::vector<TraceScript>, QString> readTraceBook(
    const QJsonObject &file, const QString &language, const Tokenizer &tokenizer)
{
    try {
        return BookReader(file, language, tokenizer).read();
    } catch (const BadTrace &bad) {
        return bad.what;
    }
}

std::vector<TraceScript> builtInTraces(const QString &language, const Tokenizer &tokenizer)
{
    QFile file(QStringLiteral(":/kvlab/traces/teaching.json"));
    if (!file.open(QIODevice::ReadOnly))
        throw std::runtime_error("The built-in scenarios are missing from the program.");
    auto scripts = readTraceBook(QJsonDocument::fromJson(file.readAll()).object(), language, tokenizer);
    if (const QString *problem = std::get_if<QString>(&scripts))
        throw std::runtime_error(problem->toStdString());
    return std::get<std::vector<TraceScript>>(std::move(scripts));
}

} // namespace kvlab::prefix
