// SPDX-License-Identifier: GPL-3.0-or-later
#include "probe/secrets.h"

#include <algorithm>

namespace kvlab::probe {

namespace {

constexpr char replacement[] = "***";

bool carriesKey(const QByteArray &name)
{
    // Own headers of gateways: X-Api-Key, X-Auth-Token, Ocp-Apim-Subscription-Key, CF-Access-Client-Secret, …
    static const QByteArrayList parts{"auth", "key", "token", "secret", "cookie", "password", "credential"};
    const QByteArray lower = name.toLower();
    return std::any_of(parts.begin(), parts.end(), [&lower](const QByteArray &part) { return lower.contains(part); });
}

} // namespace

Secrets::Secrets(const QList<ProbeHeader> &headers)
{
    for (const ProbeHeader &header : headers) {
        if (carriesKey(header.name)) {
            const QByteArray value = header.value.trimmed();
            add(value);
            add(value.mid(value.indexOf(' ') + 1).trimmed());
        }
    }
    std::sort(
        m_values.begin(), m_values.end(), [](const QByteArray &a, const QByteArray &b) { return a.size() > b.size(); });
}

void Secrets::add(const QByteArray &value)
{
    if (value.isEmpty() || m_values.contains(value)) {
        return;
    }
    m_values.append(value);
    QByteArray escaped = value;
    escaped.replace("/", "\\/");
    if (escaped != value) {
        m_values.append(escaped);
    }
}

QByteArray Secrets::removedFrom(QByteArray text) const
{
    for (const QByteArray &value : m_values) {
        text.replace(value, replacement);
    }
    return text;
}

QString Secrets::removedFrom(QString text) const
{
    for (const QByteArray &value : m_values) {
        text.replace(QString::fromUtf8(value), QLatin1String(replacement));
    }
    return text;
}

} // namespace kvlab::probe
