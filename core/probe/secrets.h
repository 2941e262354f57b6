// SPDX-License-Identifier: GPL-3.0-or-later
// The keys of a request, so that they can be taken out of everything a server sends back.
#pragma once

#include "probe/probe_sample.h"

namespace kvlab::probe {

class Secrets
{
public:
    Secrets() = default;

    /// Values of the headers that carry keys or cookies, with and without their scheme ("Bearer").
    explicit Secrets(const QList<ProbeHeader> &headers);

    QByteArray removedFrom(QByteArray text) const; ///< also in JSON's spelling with an escaped slash
    QString removedFrom(QString text) const;

private:
    void add(const QByteArray &value);

    QList<QByteArray> m_values; ///< longest first
};

} // namespace kvlab::probe
