// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/importers/json_tree.h"

#include "memory/importers/model_import.h"

#include <QCoreApplication>
#include <QHash>

#include <rapidjson/error/error.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

namespace kvlab::memory {

namespace {

constexpr qsizetype maxValues = 1'000'000; ///< a tree takes some hundred bytes a value; real files hold thousands
constexpr int maxReplacements = 16; ///< numbers beyond a double; each costs another pass

Refusal refusal(const QString &reason, const QString &message)
{
    return {reason, message};
}

/// Byte position of the first byte that is not UTF-8 (RFC 3629); -1 when all is.
qsizetype firstInvalidByte(const QByteArray &bytes)
{
    const auto byteAt = [&bytes](qsizetype i) { return i < bytes.size() ? static_cast<uchar>(bytes.at(i)) : 0; };
    const auto continues = [&byteAt](qsizetype i) { return (byteAt(i) & 0xC0) == 0x80; };
    for (qsizetype i = 0; i < bytes.size();) {
        const int lead = byteAt(i);
        const int next = byteAt(i + 1);
        qsizetype length = 0;
        if (lead < 0x80)
            length = 1;
        else if (lead >= 0xC2 && lead <= 0xDF)
            length = 2;
        else if (lead >= 0xE0 && lead <= 0xEF && (lead != 0xE0 || next >= 0xA0) && (lead != 0xED || next <= 0x9F))
            length = 3;
        else if (lead >= 0xF0 && lead <= 0xF4 && (lead != 0xF0 || next >= 0x90) && (lead != 0xF4 || next <= 0x8F))
            length = 4;
        if (length == 0)
            return i;
        for (qsizetype k = 1; k < length; ++k) {
            if (!continues(i + k))
                return i;
        }
        i += length;
    }
    return -1;
}

/// Beyond 64 bits any large number will do.
qint64 exponentOf(const QByteArray &text)
{
    constexpr qint64 limit = 1'000'000'000'000;
    bool fits = false;
    const qint64 exponent = text.toLongLong(&fits);
    if (fits)
        return std::clamp(exponent, -limit, limit);
    return text.startsWith('-') ? -limit : limit;
}

/// What the text of a JSON number means, without going through a double.
JsonNumber exactNumber(const QByteArray &text)
{
    const qsizetype e = std::max(text.indexOf('e'), text.indexOf('E'));
    const QByteArray mantissa = e < 0 ? text : text.left(e);
    qint64 exponent = e < 0 ? 0 : exponentOf(text.mid(e + 1));
    QByteArray digits = mantissa;
    if (const qsizetype dot = mantissa.indexOf('.'); dot >= 0) {
        exponent -= mantissa.size() - dot - 1;
        digits.remove(dot, 1);
    }
    const bool negative = digits.startsWith('-');
    digits.remove(0, negative ? 1 : 0);
    while (digits.endsWith('0')) {
        digits.chop(1);
        ++exponent;
    }
    while (digits.startsWith('0'))
        digits.remove(0, 1);
    if (digits.isEmpty())
        return {JsonNumber::Kind::whole, 0};
    if (exponent < 0)
        return {JsonNumber::Kind::fraction, 0};
    if (digits.size() + exponent > 18)
        return {JsonNumber::Kind::too_large, 0};
    const qint64 value = (digits + QByteArray(exponent, '0')).toLongLong();
    return {JsonNumber::Kind::whole, negative ? -value : value};
}

/// Receives RapidJSON's events and builds the tree; objects keep the last of duplicate keys.
class TreeBuilder : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, TreeBuilder>
{
public:
    TreeBuilder(const QByteArray &json, const rapidjson::MemoryStream &stream)
        : m_json(json)
        , m_stream(stream)
    {
    }

    bool Null() { return add({}); }
    bool Bool(bool value) { return add({value}); }
    bool Int(int value) { return add({JsonNumber{JsonNumber::Kind::whole, value}}); }
    bool Uint(unsigned value) { return add({JsonNumber{JsonNumber::Kind::whole, value}}); }
    bool Int64(int64_t value) { return add({JsonNumber{JsonNumber::Kind::whole, value}}); }
    bool Uint64(uint64_t value)
    {
        if (value > uint64_t(std::numeric_limits<qint64>::max()))
            return add({JsonNumber{JsonNumber::Kind::too_large, 0}});
        return add({JsonNumber{JsonNumber::Kind::whole, static_cast<qint64>(value)}});
    }
    bool Double(double value)
    {
        if (!std::isfinite(value))
            return add({JsonNumber{JsonNumber::Kind::not_finite, 0}});
        return add({exactNumber(numberText())});
    }
    bool String(const char *text, rapidjson::SizeType length, bool)
    {
        return add({QString::fromUtf8(text, static_cast<qsizetype>(length))});
    }
    bool Key(const char *text, rapidjson::SizeType length, bool)
    {
        m_open.last().key = QString::fromUtf8(text, static_cast<qsizetype>(length));
        return true;
    }
    bool StartObject() { return open({JsonObject{}}); }
    bool StartArray() { return open({JsonArray{}}); }
    bool EndObject(rapidjson::SizeType) { return close(); }
    bool EndArray(rapidjson::SizeType) { return close(); }

    JsonNode takeRoot() { return std::move(m_root); }
    const QStringList &duplicates() const { return m_duplicates; }
    bool isTooDeep() const { return m_too_deep; }
    bool isTooLarge() const { return m_values > maxValues; }

private:
    struct Open
    {
        JsonNode node;
        QString key; ///< of the member that is being read
        QHash<QString, qsizetype> places;
    };

    /// The text that the reader has just taken.
    QByteArray numberText() const
    {
        const auto end = static_cast<qsizetype>(m_stream.Tell());
        qsizetype begin = end;
        while (begin > 0 && QByteArrayView("0123456789+-.eE").contains(m_json.at(begin - 1)))
            --begin;
        return m_json.mid(begin, end - begin);
    }

    bool open(JsonNode node)
    {
        m_too_deep = m_open.size() >= maxConfigNesting;
        if (!m_too_deep)
            m_open.append({std::move(node), {}, {}});
        return !m_too_deep;
    }

    bool close()
    {
        JsonNode node = std::move(m_open.last().node);
        m_open.removeLast();
        return add(std::move(node));
    }

    bool add(JsonNode node)
    {
        if (++m_values > maxValues)
            return false;
        if (m_open.isEmpty())
            m_root = std::move(node);
        else if (auto *array = std::get_if<JsonArray>(&m_open.last().node.value))
            array->items.append(std::move(node));
        else
            addMember(m_open.last(), std::move(node));
        return true;
    }

    void addMember(Open &parent, JsonNode node)
    {
        auto &object = std::get<JsonObject>(parent.node.value);
        const auto place = parent.places.constFind(parent.key);
        if (place != parent.places.cend()) {
            object.values[*place] = std::move(node);
            m_duplicates << path();
            return;
        }
        parent.places.insert(parent.key, object.keys.size());
        object.keys << parent.key;
        object.values.append(std::move(node));
    }

    QString path() const
    {
        QStringList keys;
        for (const Open &level : m_open) {
            if (level.node.object() != nullptr)
                keys << level.key;
        }
        return keys.join(u'.');
    }

    const QByteArray &m_json;
    const rapidjson::MemoryStream &m_stream;
    QList<Open> m_open;
    JsonNode m_root;
    QStringList m_duplicates;
    qsizetype m_values = 0;
    bool m_too_deep = false;
};

Refusal syntaxRefusal(const QByteArray &json, qsizetype offset, const QString &what)
{
    const QByteArray before = json.left(offset);
    const qsizetype line = before.count('\n') + 1;
    const qsizetype column = QString::fromUtf8(before.mid(before.lastIndexOf('\n') + 1)).size() + 1;
    return refusal(QStringLiteral("json_syntax"),
        QCoreApplication::translate("import",
            "The text is not valid JSON: line %1, column %2: %3 Correct that place, or take the file from its source "
            "again.")
            .arg(QString::number(line), QString::number(column), what));
}

/// What the parser did not like, as a sentence.
QString complaintOf(rapidjson::ParseErrorCode code)
{
    switch (code) {
    case rapidjson::kParseErrorDocumentRootNotSingular:
        return QCoreApplication::translate("import", "Something follows the end of the object.");
    case rapidjson::kParseErrorObjectMissName:
        return QCoreApplication::translate("import", "A key in double quotes is needed here.");
    case rapidjson::kParseErrorObjectMissColon:
        return QCoreApplication::translate("import", "A colon is needed after the key.");
    case rapidjson::kParseErrorObjectMissCommaOrCurlyBracket:
        return QCoreApplication::translate("import", "A comma or a closing brace is needed here.");
    case rapidjson::kParseErrorArrayMissCommaOrSquareBracket:
        return QCoreApplication::translate("import", "A comma or a closing bracket is needed here.");
    case rapidjson::kParseErrorStringMissQuotationMark:
        return QCoreApplication::translate("import", "The text that begins here has no closing quote.");
    case rapidjson::kParseErrorStringUnicodeEscapeInvalidHex:
    case rapidjson::kParseErrorStringUnicodeSurrogateInvalid:
    case rapidjson::kParseErrorStringEscapeInvalid:
    case rapidjson::kParseErrorStringInvalidEncoding:
        return QCoreApplication::translate("import", "A character after a backslash is not allowed.");
    case rapidjson::kParseErrorNumberTooBig:
    case rapidjson::kParseErrorNumberMissFraction:
    case rapidjson::kParseErrorNumberMissExponent:
        return QCoreApplication::translate("import", "The number is not complete, or too large.");
    default:
        return QCoreApplication::translate("import", "This is no JSON value.");
    }
}

/// Python reads 1e999 as infinity; RapidJSON stops there. The same place then holds a number that is too large as well.
bool shrinkNumber(QByteArray &json, qsizetype offset)
{
    qsizetype end = offset;
    while (end < json.size() && QByteArrayView("0123456789+-.eE").contains(json.at(end)))
        ++end;
    constexpr QByteArrayView largest("1e308");
    const qsizetype digits = json.at(offset) == '-' ? offset + 1 : offset;
    if (end - digits < largest.size())
        return false;
    json.replace(digits, end - digits, largest.toByteArray().leftJustified(end - digits, ' '));
    return true;
}

std::variant<JsonTree, Refusal> refusalOf(
    const rapidjson::ParseResult &result, const TreeBuilder &builder, const QByteArray &json)
{
    if (builder.isTooDeep())
        return refusal(QStringLiteral("nesting_too_deep"),
            QCoreApplication::translate("import",
                "The nesting of the JSON text is deeper than %1 levels, which no model's configuration is. Check that "
                "this is the right file.")
                .arg(QString::number(maxConfigNesting)));
    if (builder.isTooLarge())
        return refusal(QStringLiteral("file_too_large"),
            QCoreApplication::translate("import",
                "The JSON text holds more than %1 values, which no model's configuration does. Check that this is the "
                "right file.")
                .arg(QString::number(maxValues)));
    return syntaxRefusal(json, static_cast<qsizetype>(result.Offset()), complaintOf(result.Code()));
}

std::variant<JsonTree, Refusal> parseText(QByteArray json)
{
    constexpr unsigned flags
        = rapidjson::kParseIterativeFlag | rapidjson::kParseNanAndInfFlag | rapidjson::kParseFullPrecisionFlag;
    for (int attempt = 0;; ++attempt) {
        rapidjson::MemoryStream stream(json.constData(), static_cast<size_t>(json.size()));
        TreeBuilder builder(json, stream);
        rapidjson::Reader reader;
        const rapidjson::ParseResult result = reader.Parse<flags>(stream, builder);
        if (result.Code() == rapidjson::kParseErrorNumberTooBig && attempt < maxReplacements
            && shrinkNumber(json, static_cast<qsizetype>(result.Offset())))
            continue;
        if (result.IsError())
            return refusalOf(result, builder, json);
        // A zero byte ends the text for RapidJSON.
        if (const auto end = static_cast<qsizetype>(stream.Tell()); end < json.size())
            return syntaxRefusal(json, end, QCoreApplication::translate("import", "There is a zero byte in the text."));
        JsonNode root = builder.takeRoot();
        if (auto *object = std::get_if<JsonObject>(&root.value))
            return JsonTree{std::move(*object), builder.duplicates()};
        return refusal(QStringLiteral("not_an_object"),
            QCoreApplication::translate("import",
                "The JSON text is not an object, but a model's configuration is one: { … }. Choose the model's "
                "config.json."));
    }
}

} // namespace

const JsonNode *JsonObject::find(const QString &key) const
{
    const qsizetype place = keys.indexOf(key);
    return place < 0 ? nullptr : &values.at(place);
}

std::variant<JsonTree, Refusal> parseJson(const QByteArray &bytes)
{
    if (bytes.size() > maxConfigBytes)
        return refusal(QStringLiteral("file_too_large"),
            QCoreApplication::translate("import",
                "The JSON text is larger than %1 MB, which no model's configuration is. Choose the model's "
                "config.json.")
                .arg(QString::number(maxConfigBytes / 1024 / 1024)));
    if (const qsizetype position = firstInvalidByte(bytes); position >= 0)
        return refusal(QStringLiteral("invalid_encoding"),
            QCoreApplication::translate("import",
                "The text is not UTF-8: the byte at position %1 cannot stand there. Save the file as UTF-8, or take it "
                "from its source again.")
                .arg(QString::number(position)));
    QByteArray json = bytes;
    if (json.startsWith("\xEF\xBB\xBF")) // a byte order mark, as some editors write
        json.remove(0, 3);
    if (json.trimmed().isEmpty())
        return refusal(QStringLiteral("empty_file"),
            QCoreApplication::translate(
                "import", "The text is empty. Choose the model's config.json, or paste its whole text."));
    return parseText(json);
}

} // namespace kvlab::memory
