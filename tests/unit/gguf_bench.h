// SPDX-License-Identifier: GPL-3.0-or-later
// Writes small GGUF files for tests: header, metadata and tensor infos as ggml's docs/gguf.md lays them down.
#pragma once

#include <QByteArray>
#include <QFile>
#include <QStringList>
#include <QtEndian>

namespace kvlab::test {

class GgufBuilder
{
public:
    explicit GgufBuilder(const QByteArray &architecture = "llama")
    {
        text("general.architecture", architecture);
        m_prefix = architecture + '.';
    }

    /// Keys that begin with a dot belong to the architecture.
    GgufBuilder &number(const QByteArray &key, quint32 value) { return entry(key, 4, little(value)); }
    GgufBuilder &small(const QByteArray &key, quint16 value) { return entry(key, 2, little(value)); }
    GgufBuilder &large(const QByteArray &key, quint64 value) { return entry(key, 10, little(value)); }
    GgufBuilder &negative(const QByteArray &key, qint32 value) { return entry(key, 5, little(value)); }
    GgufBuilder &real(const QByteArray &key, float value) { return entry(key, 6, little(value)); }
    GgufBuilder &flag(const QByteArray &key, bool value) { return entry(key, 7, QByteArray(1, char(value ? 1 : 0))); }
    GgufBuilder &text(const QByteArray &key, const QByteArray &value) { return entry(key, 8, sized(value)); }
    GgufBuilder &texts(const QByteArray &key, const QList<QByteArray> &values)
    {
        QByteArray bytes = little(quint32(8)) + little(quint64(values.size()));
        for (const QByteArray &value : values)
            bytes += sized(value);
        return entry(key, 9, bytes);
    }
    GgufBuilder &numbers(const QByteArray &key, const QList<quint32> &values)
    {
        QByteArray bytes = little(quint32(4)) + little(quint64(values.size()));
        for (const quint32 value : values)
            bytes += little(value);
        return entry(key, 9, bytes);
    }
    GgufBuilder &flags(const QByteArray &key, const QList<bool> &values)
    {
        QByteArray bytes = little(quint32(7)) + little(quint64(values.size()));
        for (const bool value : values)
            bytes += char(value ? 1 : 0);
        return entry(key, 9, bytes);
    }
    /// A value as it stands in the file.
    GgufBuilder &entry(const QByteArray &key, quint32 type, const QByteArray &value)
    {
        m_entries << sized(key.startsWith('.') ? m_prefix + key.mid(1) : key) + little(type) + value;
        return *this;
    }
    GgufBuilder &tensor(const QByteArray &name, const QList<quint64> &dims, quint32 type, quint64 offset = 0)
    {
        QByteArray info = sized(name) + little(quint32(dims.size()));
        for (const quint64 dim : dims)
            info += little(dim);
        m_tensors << info + little(type) + little(offset);
        return *this;
    }
    GgufBuilder &version(quint32 version)
    {
        m_version = version;
        return *this;
    }

    QByteArray header() const
    {
        return "GGUF" + little(m_version) + little(quint64(m_tensors.size())) + little(quint64(m_entries.size()))
            + m_entries.join() + m_tensors.join();
    }
    /// With so many bytes of data after the padding.
    QByteArray file(qint64 data = 0) const
    {
        QByteArray bytes = header();
        bytes += QByteArray((32 - bytes.size() % 32) % 32, '\0');
        return bytes + QByteArray(data, '\0');
    }

    template <typename Number> static QByteArray little(Number value)
    {
        QByteArray bytes(sizeof value, '\0');
        qToLittleEndian(value, bytes.data());
        return bytes;
    }
    static QByteArray sized(const QByteArray &text) { return little(quint64(text.size())) + text; }

private:
    QByteArray m_prefix;
    quint32 m_version = 3;
    QByteArrayList m_entries;
    QByteArrayList m_tensors;
};

/// 4 layers, 8 heads of 64, 2 KV heads.
inline GgufBuilder smallGguf(const QByteArray &architecture = "llama")
{
    GgufBuilder builder(architecture);
    builder.number(".block_count", 4).number(".embedding_length", 512).number(".context_length", 4096);
    return builder.number(".attention.head_count", 8).number(".attention.head_count_kv", 2);
}

} // namespace kvlab::test
