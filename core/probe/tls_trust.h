// SPDX-License-Identifier: GPL-3.0-or-later
// Which certificates a server may show besides those that the system trusts.
#pragma once

#include <QSslCertificate>
#include <QSslConfiguration>

namespace kvlab::probe {

struct TlsTrust
{
    QList<QSslCertificate> authorities; ///< beside the system's
    /// SHA-256 of one certificate that the user accepts for this server although it is expired, self-signed or made out
    /// to another host; empty = none.
    QByteArray accepted_sha256;
};

QSslConfiguration tlsConfiguration(const TlsTrust &trust);

/// The exception holds for exactly that certificate.
bool isAccepted(const TlsTrust &trust, const QSslCertificate &certificate);

/// What people need to decide about a certificate: its names, validity, SHA-256. Several lines.
QString describeCertificate(const QSslCertificate &certificate);

} // namespace kvlab::probe
