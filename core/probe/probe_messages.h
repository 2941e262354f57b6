// SPDX-License-Identifier: GPL-3.0-or-later
// The sentence for each way a request can end: what happened, why, what to do. Translated; without keys.
#pragma once

#include "probe/probe_sample.h"

#include <QCoreApplication>

namespace kvlab::probe {

/// What a refusal by status code consists of.
struct HttpRefusal
{
    int status = 0;
    QByteArray reason; ///< reason phrase
    QString server_text; ///< the server's own sentence; may be empty
    QByteArray retry_after; ///< header as received: seconds or an HTTP date
    QByteArray location; ///< header as received
    QUrl url; ///< the address asked
};

class ProbeMessages
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::probe::ProbeMessages)

public:
    static QString badUrl(const QUrl &url);
    static QString badHeader(const QByteArray &name);
    static QString cancelled();
    static QString connectRefused(const QUrl &url);
    static QString hostNotFound(const QUrl &url);
    static QString noRoute(const QUrl &url);
    static QString tlsFailed(const QUrl &url, const QString &cause, const QString &why);
    static QString connectFailed(const QUrl &url, const QString &why);
    static QString connectTimeout(const QUrl &url, int limit_ms);
    static QString neverAnswered(int limit_ms);
    static QString firstTokenTimeout(int limit_ms);
    static QString gapTimeout(int limit_ms);
    static QString totalTimeout(int limit_ms);
    static QString refused(const HttpRefusal &refusal);
    /// The server says that the prompt is longer than its context.
    static bool isTooLong(const HttpRefusal &refusal);
    static QString serverError(const QString &server_text);
    static QString aborted();
    static QString wholeAnswer();
    static QString otherFormat(const QByteArray &content_type);
    static QString webPage(const QString &title);
    static QString notJson(const QString &why);
    static QString brokenHttp(const QString &why);
    static QString compressed(const QByteArray &encoding);
    static QString lineTooLong();
    static QString badEvent(const QString &why);
    static QString noAnswer();
    static QString truncated();
    static QString noToken();
    static QString noContent();

    /// host:port of an address, as messages name it.
    static QString place(const QUrl &url);

private:
    static QString seconds(int limit_ms);
    static QString redirected(const HttpRefusal &refusal);
    static QString retryAdvice(const QByteArray &retry_after);
    static QString withServerText(const HttpRefusal &refusal);
    static QString adviceFor(const HttpRefusal &refusal);
};

} // namespace kvlab::probe
