// SPDX-License-Identifier: GPL-3.0-or-later
#include "probe/tls_trust.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDateTime>
#include <QLocale>

namespace kvlab::probe {

namespace {

struct Texts
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::probe::TlsTrust)
};

QString joined(const QStringList &parts)
{
    return parts.isEmpty() ? QStringLiteral("-") : parts.join(QStringLiteral(", "));
}

} // namespace

QSslConfiguration tlsConfiguration(const TlsTrust &trust)
{
    QSslConfiguration tls = QSslConfiguration::defaultConfiguration();
    tls.addCaCertificates(trust.authorities);
    tls.setAllowedNextProtocols({QSslConfiguration::NextProtocolHttp1_1});
    return tls;
}

bool isAccepted(const TlsTrust &trust, const QSslCertificate &certificate)
{
    return !trust.accepted_sha256.isEmpty() && !certificate.isNull()
        && certificate.digest(QCryptographicHash::Sha256) == trust.accepted_sha256;
}

QString describeCertificate(const QSslCertificate &certificate)
{
    if (certificate.isNull()) {
        return {};
    }
    const QLocale locale;
    const QStringList names
        = certificate.subjectInfo(QSslCertificate::CommonName) + certificate.subjectAlternativeNames().values();
    return Texts::tr("Issued to: %1\nIssued by: %2\nValid from %3 to %4\nSHA-256: %5")
        .arg(joined(names), joined(certificate.issuerInfo(QSslCertificate::CommonName)),
            locale.toString(certificate.effectiveDate(), QLocale::ShortFormat),
            locale.toString(certificate.expiryDate(), QLocale::ShortFormat),
            QString::fromLatin1(certificate.digest(QCryptographicHash::Sha256).toHex(':')));
}

} // namespace kvlab::probe
