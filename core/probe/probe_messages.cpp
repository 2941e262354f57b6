// SPDX-License-Identifier: GPL-3.0-or-later
#include "probe/probe_messages.h"

#include <QLocale>

#include <algorithm>

namespace kvlab::probe {

QString ProbeMessages::place(const QUrl &url)
{
    const bool plain = url.scheme() != QLatin1String("https");
    const QString host = url.host().contains(u':') ? u'[' + url.host() + u']' : url.host();
    return host + u':' + QString::number(url.port(plain ? 80 : 443));
}

QString ProbeMessages::seconds(int limit_ms)
{
    return QLocale().toString(limit_ms / 1000.0, 'g', 6);
}

QString ProbeMessages::badUrl(const QUrl &url)
{
    return tr(
        "The address \"%1\" cannot be used; enter one that starts with http:// or https:// and names a host, such "
        "as http://127.0.0.1:8000.")
        .arg(url.toDisplayString(QUrl::RemoveUserInfo | QUrl::RemoveQuery));
}

QString ProbeMessages::badHeader(const QByteArray &name)
{
    return tr("The value of the header %1 contains a line break or another control character, so nothing was sent; "
              "enter it again without.")
        .arg(QString::fromLatin1(name));
}

QString ProbeMessages::cancelled()
{
    return tr("The request was stopped before its answer ended; measure again for a complete sample.");
}

QString ProbeMessages::connectRefused(const QUrl &url)
{
    return tr("No server answers at %1 (connection refused); start it, or correct the address and port.")
        .arg(place(url));
}

QString ProbeMessages::hostNotFound(const QUrl &url)
{
    return tr("The host \"%1\" could not be found; correct the address, or check the network.").arg(url.host());
}

QString ProbeMessages::noRoute(const QUrl &url)
{
    return tr("The network of %1 cannot be reached from here (no route); check the address, the network and any VPN.")
        .arg(place(url));
}

QString ProbeMessages::tlsFailed(const QUrl &url, const QString &cause, const QString &why)
{
    if (cause == cause::tls_self_signed) {
        return tr("No secure connection to %1 could be made, because its certificate is self-signed; name that "
                  "certificate as an authority to trust it (CA file), or give the server one that is trusted.")
            .arg(place(url));
    }
    if (cause == cause::tls_expired) {
        return tr("No secure connection to %1 could be made, because its certificate is outside its time of validity; "
                  "renew it, or correct this computer's clock.")
            .arg(place(url));
    }
    if (cause == cause::tls_wrong_host) {
        return tr("No secure connection to %1 could be made, because its certificate was issued for another host; use "
                  "the name that the certificate carries, or give the server one for this name.")
            .arg(place(url));
    }
    if (cause == cause::tls_untrusted) {
        return tr("No secure connection to %1 could be made, because its certificate is not trusted (%2); name the "
                  "authority that issued it (CA file), or give the server one that is trusted.")
            .arg(place(url), why);
    }
    return tr("No secure connection to %1 could be made (%2); check the server's certificate, or use http:// if the "
              "server does not speak TLS.")
        .arg(place(url), why);
}

QString ProbeMessages::connectFailed(const QUrl &url, const QString &why)
{
    return tr("No connection to %1 could be made (%2); check the address and the network.").arg(place(url), why);
}

QString ProbeMessages::connectTimeout(const QUrl &url, int limit_ms)
{
    return tr(
        "No connection to %1 could be made within %2 s; check the address, the network and any firewall on the way.")
        .arg(place(url), seconds(limit_ms));
}

QString ProbeMessages::neverAnswered(int limit_ms)
{
    return tr(
        "The server took the request but never answered within %1 s; check whether it still works or is busy, use "
        "a shorter prompt, or raise the limit.")
        .arg(seconds(limit_ms));
}

QString ProbeMessages::firstTokenTimeout(int limit_ms)
{
    return tr(
        "The server took the request but sent no token within %1 s; check whether it is busy or still loading its "
        "model, use a shorter prompt, or raise the limit.")
        .arg(seconds(limit_ms));
}

QString ProbeMessages::gapTimeout(int limit_ms)
{
    return tr("The stream went silent: nothing followed for %1 s after the last token; check whether the server still "
              "works, then measure again.")
        .arg(seconds(limit_ms));
}

QString ProbeMessages::totalTimeout(int limit_ms)
{
    return tr("The answer was not complete after %1 s and was given up; ask for fewer tokens, or raise the limit.")
        .arg(seconds(limit_ms));
}

QString ProbeMessages::redirected(const HttpRefusal &refusal)
{
    const QUrl target = refusal.url.resolved(QUrl(QString::fromLatin1(refusal.location)));
    if (refusal.location.isEmpty() || !target.isValid()) {
        return tr(
            "The server redirects elsewhere (HTTP %1) without saying where, and a timed request is never sent twice; "
            "correct the address.")
            .arg(refusal.status);
    }
    QString base = target.toString(QUrl::RemoveUserInfo | QUrl::RemoveQuery | QUrl::RemoveFragment);
    for (const QString &endpoint : {QStringLiteral("/v1/chat/completions"), QStringLiteral("/v1/completions")}) {
        if (base.endsWith(endpoint)) {
            base.chop(endpoint.size() - 1); // the slash stays
        }
    }
    return tr(
        "The server redirects to another address (HTTP %1), and a timed request is never sent twice; use this base "
        "URL instead: %2")
        .arg(refusal.status)
        .arg(base);
}

QString ProbeMessages::retryAdvice(const QByteArray &retry_after)
{
    bool is_number = false;
    const int wait = retry_after.trimmed().toInt(&is_number);
    if (is_number && wait > 0) {
        return tr("wait %1 s, then measure again").arg(QLocale().toString(wait));
    }
    // RFC2822Date knows zones as numbers only; HTTP dates are always in GMT.
    const QByteArray date = QByteArray(retry_after).replace("GMT", "+0000");
    const QDateTime until = QDateTime::fromString(QString::fromLatin1(date), Qt::RFC2822Date);
    if (until.isValid() && until > QDateTime::currentDateTimeUtc()) {
        return tr("wait until %1, then measure again")
            .arg(QLocale().toString(until.toLocalTime(), QLocale::ShortFormat));
    }
    return tr("wait a little, then measure again");
}

QString ProbeMessages::withServerText(const HttpRefusal &refusal)
{
    const QString text
        = refusal.server_text.isEmpty() ? QString::fromLatin1(refusal.reason).simplified() : refusal.server_text;
    const QString status = QString::number(refusal.status);
    //: HTTP status and the server's own words, inside a sentence
    return text.isEmpty() ? tr("HTTP %1").arg(status) : tr("HTTP %1: \"%2\"").arg(status, text);
}

QString ProbeMessages::adviceFor(const HttpRefusal &refusal)
{
    const bool names_model = refusal.server_text.contains(QLatin1String("model"), Qt::CaseInsensitive);
    if (isTooLong(refusal)) {
        return tr("choose a shorter prompt, or start the server with a longer context");
    }
    switch (refusal.status) {
    case 401:
    case 403:
        return tr("enter a key that this server accepts");
    case 404:
        return names_model ? tr("choose a model that this server lists")
                           : tr("correct the address: there is no such path on this server");
    case 405:
        return tr("correct the address: this path takes no requests of this kind");
    case 413:
        return tr("use a shorter prompt");
    case 408:
    case 504:
        return tr("use a shorter prompt, or raise the time limit of the gateway in front of the server");
    case 429:
        return retryAdvice(refusal.retry_after);
    case 502:
        return tr("check whether the server behind this gateway runs");
    case 503:
        return refusal.retry_after.isEmpty() ? tr("wait until it has loaded its model, then measure again")
                                             : retryAdvice(refusal.retry_after);
    default:
        return refusal.status >= 500 ? tr("look into the server's log") : tr("correct the request as the server asks");
    }
}

bool ProbeMessages::isTooLong(const HttpRefusal &refusal)
{
    const bool may_be = refusal.status == 400 || refusal.status == 413 || refusal.status == 422;
    static const QStringList words{QStringLiteral("context"), QStringLiteral("too long"),
        QStringLiteral("maximum model length"), QStringLiteral("input length")};
    return may_be && std::any_of(words.begin(), words.end(), [&refusal](const QString &word) {
        return refusal.server_text.contains(word, Qt::CaseInsensitive);
    });
}

QString ProbeMessages::refused(const HttpRefusal &refusal)
{
    if (refusal.status >= 300 && refusal.status < 400) {
        return redirected(refusal);
    }
    //: %1: status and the server's own words; %2: what to do
    return tr("The server refused the request (%1); %2.").arg(withServerText(refusal), adviceFor(refusal));
}

QString ProbeMessages::serverError(const QString &server_text)
{
    if (server_text.isEmpty()) {
        return tr("The server reported an error inside its answer without saying which; look into the server's log.");
    }
    return tr("The server reported an error inside its answer (\"%1\"); correct the request, or look into the server's "
              "log.")
        .arg(server_text);
}

QString ProbeMessages::aborted()
{
    return tr(
        "The server gave the answer up before its end (finish reason \"abort\"); look into the server's log, then "
        "measure again.");
}

QString ProbeMessages::wholeAnswer()
{
    return tr("The server sent its answer in one piece although a stream was asked for, so there is no first token to "
              "time; switch streaming on in the server or the proxy before it.");
}

QString ProbeMessages::otherFormat(const QByteArray &content_type)
{
    return tr("The server answered with \"%1\" instead of an event stream; use the address of its OpenAI-compatible "
              "route, which ends in /v1.")
        .arg(QString::fromLatin1(content_type.left(100)));
}

QString ProbeMessages::webPage(const QString &title)
{
    return tr(
        "A web page (\"%1\") came instead of an event stream; correct the address, or check the proxy on the way.")
        .arg(title);
}

QString ProbeMessages::notJson(const QString &why)
{
    return tr("The answer claims to be JSON but is not (%1); check that the address belongs to an OpenAI-compatible "
              "server.")
        .arg(why);
}

QString ProbeMessages::brokenHttp(const QString &why)
{
    return tr(
        "The answer breaks the rules of HTTP (%1), so its times cannot be trusted; check that the address belongs "
        "to an OpenAI-compatible server and what lies between.")
        .arg(why);
}

QString ProbeMessages::compressed(const QByteArray &encoding)
{
    return tr(
        "The answer is compressed (%1) although that was declined, which may hold tokens back; switch compression "
        "off in the server or the proxy before it.")
        .arg(QString::fromLatin1(encoding.left(100)));
}

QString ProbeMessages::lineTooLong()
{
    return tr("The stream holds a line of more than 16 MiB and was given up; check that the address belongs to an "
              "OpenAI-compatible server.");
}

QString ProbeMessages::badEvent(const QString &why)
{
    return tr("The stream holds an event that is not valid JSON (%1), so the rest was not read; look into the server's "
              "log, or check the proxy before it.")
        .arg(why);
}

QString ProbeMessages::noAnswer()
{
    return tr("The server closed the connection without an answer; check whether it still runs, then measure again.");
}

QString ProbeMessages::truncated()
{
    return tr(
        "The connection ended before the answer did, so the sample does not count; check whether the server still "
        "runs, then measure again.");
}

QString ProbeMessages::noToken()
{
    return tr("The answer ended without any token, so there is no time to first token; change the prompt, or raise "
              "max_tokens.");
}

QString ProbeMessages::noContent()
{
    return tr(
        "All tokens went into reasoning or tool calls, so there is no first content to time; raise max_tokens, or "
        "switch thinking off.");
}

} // namespace kvlab::probe
