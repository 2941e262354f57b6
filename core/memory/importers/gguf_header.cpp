// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/importers/gguf_header.h"

#include <QCoreApplication>
#include <QtEndian>

#include <array>
#include <cstring>

namespace kvlab::memory {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 maxValues = 100'000; ///< entries of metadata, and numbers in a list that is kept
constexpr qint64 maxTensors = 1'000'000;
constexpr qint64 maxHeaderBytes = qint64(1) << 29; ///< vocabularies take some ten MB
constexpr qint64 maxKeptText = 4096;
constexpr qint64 maxNameBytes = 65'535;
constexpr qint64 maxDimensions = 8; ///< ggml has 4

enum ValueType : quint32 { u8, i8, u16, i16, u32, i32, f32, boolean, text, list, u64, i64, f64 };

/// Bytes of one value; 0 for texts and lists, -1 for what is no type.
qint64 sizeOfValue(quint32 type)
{
    constexpr std::array<qint64, 13> sizes{1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
    return type < sizes.size() ? sizes.at(type) : -1;
}

/// Elements and bytes of one block of a tensor.
struct TensorType
{
    quint32 id;
    qint64 elements;
    qint64 bytes;
};

/// Sizes of ggml's block structs (ggml-common.h).
constexpr std::array tensorTypes{TensorType{0, 1, 4}, TensorType{1, 1, 2}, TensorType{2, 32, 18}, TensorType{3, 32, 20},
    TensorType{6, 32, 22}, TensorType{7, 32, 24}, TensorType{8, 32, 34}, TensorType{9, 32, 40}, TensorType{10, 256, 84},
    TensorType{11, 256, 110}, TensorType{12, 256, 144}, TensorType{13, 256, 176}, TensorType{14, 256, 210},
    TensorType{15, 256, 292}, TensorType{16, 256, 66}, TensorType{17, 256, 74}, TensorType{18, 256, 98},
    TensorType{19, 256, 50}, TensorType{20, 32, 18}, TensorType{21, 256, 110}, TensorType{22, 256, 82},
    TensorType{23, 256, 136}, TensorType{24, 1, 1}, TensorType{25, 1, 2}, TensorType{26, 1, 4}, TensorType{27, 1, 8},
    TensorType{28, 1, 8}, TensorType{29, 256, 56}, TensorType{30, 1, 2}, TensorType{34, 256, 54},
    TensorType{35, 256, 66}, TensorType{39, 32, 17}, TensorType{40, 64, 36}, TensorType{41, 128, 18}};

const TensorType *tensorType(quint32 id)
{
    const auto type = std::find_if(
        tensorTypes.begin(), tensorTypes.end(), [id](const TensorType &candidate) { return candidate.id == id; });
    return type == tensorTypes.end() ? nullptr : &*type;
}

class HeaderReader
{
public:
    explicit HeaderReader(QIODevice &file)
        : m_file(file)
        , m_size(file.size())
    {
    }

    std::variant<GgufHeader, Refusal> read()
    {
        readStart();
        for (qint64 i = 0; i < m_values && !m_refusal; ++i)
            readValue();
        for (qint64 i = 0; i < m_header.tensors && !m_refusal; ++i)
            readTensor();
        if (m_refusal)
            return *m_refusal;
        m_header.is_cut_off = m_header.tensor_bytes && dataStart() + m_data_end > Bytes(m_size);
        return m_header;
    }

private:
    // Bytes

    void refuse(const QString &what)
    {
        if (!m_refusal)
            m_refusal = Refusal{u"bad_header"_s,
                QCoreApplication::translate(
                    "import", "The GGUF file is damaged: %1 (at byte %2 of %3). Download it again.")
                    .arg(what, QString::number(m_file.pos()), QString::number(m_size))};
    }

    qint64 remaining() const { return std::min(m_size, maxHeaderBytes) - m_file.pos(); }

    /// Are there so many bytes left? Refuses when not.
    bool has(quint64 bytes)
    {
        if (!m_refusal && bytes <= static_cast<quint64>(std::max<qint64>(remaining(), 0)))
            return true;
        refuse(QCoreApplication::translate("import", "it ends, or its header is longer than a header can be"));
        return false;
    }

    template <typename Number> Number number()
    {
        std::array<char, sizeof(Number)> bytes{};
        if (!has(bytes.size()) || m_file.read(bytes.data(), bytes.size()) != qint64(bytes.size())) {
            refuse(QCoreApplication::translate("import", "it cannot be read"));
            return {};
        }
        return qFromLittleEndian<Number>(bytes.data());
    }

    void skip(quint64 bytes)
    {
        if (has(bytes) && m_file.skip(static_cast<qint64>(bytes)) != static_cast<qint64>(bytes))
            refuse(QCoreApplication::translate("import", "it cannot be read"));
    }

    /// A count that takes at least `bytes_each` in the file.
    qint64 count(qint64 most, quint64 bytes_each)
    {
        const auto value = number<quint64>();
        if (!m_refusal && (value > static_cast<quint64>(most) || !has(value * bytes_each)))
            refuse(QCoreApplication::translate("import", "a count of %1 is more than it can hold").arg(value));
        return m_refusal ? 0 : static_cast<qint64>(value);
    }

    QString textOf(qint64 most)
    {
        const auto length = number<quint64>();
        if (m_refusal || !has(length))
            return {};
        if (length > static_cast<quint64>(most)) {
            skip(length);
            return {};
        }
        return QString::fromUtf8(m_file.read(static_cast<qint64>(length)));
    }

    // Parts

    void readStart()
    {
        if (!looksLikeGguf(m_file))
            return refuse(QCoreApplication::translate("import", "it does not begin with the letters GGUF"));
        m_file.skip(4);
        m_header.version = number<quint32>();
        if (m_refusal)
            return;
        if (m_header.version >= 0x10000 && (m_header.version & 0xFFFF) == 0) {
            m_refusal = Refusal{u"big_endian"_s,
                QCoreApplication::translate("import",
                    "The GGUF file is big-endian, for machines that store their numbers the other way round; only "
                    "little-endian files are read here. Convert it with gguf-convert-endian.")};
            return;
        }
        if (m_header.version < 2 || m_header.version > 3) {
            m_refusal = Refusal{u"unsupported_version"_s,
                QCoreApplication::translate(
                    "import", "The GGUF file has version %1; versions 2 and 3 are read here. Download a newer one.")
                    .arg(QString::number(m_header.version))};
            return;
        }
        m_header.tensor_bytes = Bytes(0);
        m_header.tensors = count(maxTensors, 24);
        m_values = count(maxValues, 13);
    }

    void readValue()
    {
        const QString key = textOf(maxNameBytes);
        const auto type = number<quint32>();
        if (m_refusal)
            return;
        if (key.isEmpty() || m_header.values.contains(key))
            return refuse(QCoreApplication::translate("import", "a key is empty or stands there twice: “%1”").arg(key));
        const auto value = type == ValueType::list ? listValue(key) : singleValue(type);
        if (value && !m_refusal)
            m_header.values.insert(key, *value);
    }

    std::optional<GgufValue> singleValue(quint32 type)
    {
        switch (type) {
        case ValueType::f32:
            return GgufValue(double(number<float>()));
        case ValueType::f64:
            return GgufValue(number<double>());
        case ValueType::boolean:
            return GgufValue(number<quint8>() != 0);
        case ValueType::text:
            return GgufValue(textOf(maxKeptText));
        default:
            return GgufValue(wholeNumber(type));
        }
    }

    qint64 wholeNumber(quint32 type)
    {
        switch (type) {
        case ValueType::u8:
        case ValueType::boolean:
            return number<quint8>();
        case ValueType::i8:
            return number<qint8>();
        case ValueType::u16:
            return number<quint16>();
        case ValueType::i16:
            return number<qint16>();
        case ValueType::u32:
            return number<quint32>();
        case ValueType::i32:
            return number<qint32>();
        case ValueType::u64:
            return static_cast<qint64>(
                std::min(number<quint64>(), static_cast<quint64>(std::numeric_limits<qint64>::max())));
        case ValueType::i64:
            return number<qint64>();
        default:
            refuse(QCoreApplication::translate("import", "there is no value of type %1").arg(type));
            return 0;
        }
    }

    std::optional<GgufValue> listValue(const QString &key)
    {
        const auto type = number<quint32>();
        const qint64 each = sizeOfValue(type);
        if (!m_refusal && (each < 0 || type == ValueType::list)) {
            refuse(QCoreApplication::translate("import", "there is no list of type %1").arg(type));
            return std::nullopt;
        }
        const qint64 length = count(maxHeaderBytes, each == 0 ? 8 : static_cast<quint64>(each));
        if (type == ValueType::text) {
            for (qint64 i = 0; i < length && !m_refusal; ++i)
                skip(number<quint64>());
            return std::nullopt;
        }
        const bool is_kept = length <= maxValues && type != ValueType::f32 && type != ValueType::f64
            && !key.startsWith("tokenizer."_L1);
        if (!is_kept) {
            skip(static_cast<quint64>(length * each));
            return std::nullopt;
        }
        QList<qint64> numbers;
        for (qint64 i = 0; i < length && !m_refusal; ++i)
            numbers << wholeNumber(type);
        return GgufValue(numbers);
    }

    void readTensor()
    {
        const QString name = textOf(maxNameBytes);
        const auto dimensions = number<quint32>();
        if (!m_refusal && dimensions > maxDimensions)
            return refuse(QCoreApplication::translate("import", "a tensor has %1 dimensions").arg(dimensions));
        Bytes elements = 1;
        qint64 row = 1;
        for (quint32 i = 0; i < dimensions && !m_refusal; ++i) {
            const auto size = number<quint64>();
            if (size == 0 || elements > (Bytes(1) << 62) / size)
                return refuse(QCoreApplication::translate("import", "“%1” has an impossible size").arg(name));
            elements *= size;
            row = i == 0 ? static_cast<qint64>(size) : row;
        }
        const auto type = number<quint32>();
        const auto offset = number<quint64>();
        if (m_refusal)
            return;
        m_header.parameters += elements;
        addTensorBytes(name, type, elements, row, offset);
    }

    void addTensorBytes(const QString &name, quint32 id, const Bytes &elements, qint64 row, quint64 offset)
    {
        const TensorType *type = tensorType(id);
        if (type == nullptr || row % type->elements != 0) {
            m_header.tensor_bytes = std::nullopt;
            if (m_header.unknown_type.isEmpty())
                m_header.unknown_type
                    = QCoreApplication::translate("import", "type %1 of “%2”").arg(QString::number(id), name);
            return;
        }
        const Bytes bytes = elements / type->elements * type->bytes;
        m_data_end = std::max(m_data_end, Bytes(offset) + bytes);
        if (m_header.tensor_bytes)
            *m_header.tensor_bytes += bytes;
    }

    /// The data begins at the next multiple of the alignment.
    Bytes dataStart() const
    {
        const auto value = m_header.values.constFind(u"general.alignment"_s);
        const qint64 *given = value == m_header.values.cend() ? nullptr : std::get_if<qint64>(&*value);
        const qint64 alignment = given != nullptr && *given > 0 && *given <= maxHeaderBytes ? *given : 32;
        return Bytes((m_file.pos() + alignment - 1) / alignment * alignment);
    }

    QIODevice &m_file;
    qint64 m_size;
    GgufHeader m_header;
    qint64 m_values = 0;
    Bytes m_data_end;
    std::optional<Refusal> m_refusal;
};

} // namespace

bool looksLikeGguf(QIODevice &file)
{
    return file.peek(4) == "GGUF";
}

std::variant<GgufHeader, Refusal> readGgufHeader(QIODevice &file)
{
    return HeaderReader(file).read();
}

} // namespace kvlab::memory
