// SPDX-License-Identifier: GPL-3.0-or-later
#include "probe/http_response_parser.h"

#include <boost/asio/buffer.hpp>
#if defined(__GNUC__) && !defined(__clang__)
// GCC 12 with sanitizers takes an empty boost::optional in there for an uninitialised one.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#include <limits>
#include <optional>

namespace kvlab::probe {

namespace beast = boost::beast;
namespace http = boost::beast::http;

namespace {

constexpr std::uint32_t headLimit = 64 * 1024;
/// Beast keeps nothing itself; what it has not consumed (part of a head or of a chunk size line) must be fed again.
constexpr qsizetype pendingLimit = 2 * headLimit;

QByteArray bytesOf(beast::string_view text)
{
    return QByteArray(text.data(), static_cast<qsizetype>(text.size()));
}

/// Collects what the parser reports; a new one for every message, so that 1xx answers leave nothing behind.
class Message : public http::basic_parser<false>
{
public:
    Message()
    {
        eager(true);
        header_limit(headLimit);
        body_limit((std::numeric_limits<std::uint64_t>::max)());
    }

    int status = 0;
    QByteArray reason;
    QList<ProbeHeader> headers;
    bool head_done = false;
    bool chunk_seen = false;
    QByteArray body;

protected:
    void on_request_impl(http::verb, beast::string_view, beast::string_view, int, beast::error_code &) override { }
    void on_response_impl(int code, beast::string_view text, int, beast::error_code &) override
    {
        status = code;
        reason = bytesOf(text);
    }
    void on_field_impl(http::field, beast::string_view name, beast::string_view value, beast::error_code &) override
    {
        if (!head_done) { // later ones are trailers
            headers.append({bytesOf(name), bytesOf(value)});
        }
    }
    void on_header_impl(beast::error_code &) override { head_done = true; }
    void on_body_init_impl(const boost::optional<std::uint64_t> &, beast::error_code &) override { }
    std::size_t on_body_impl(beast::string_view part, beast::error_code &) override { return take(part); }
    void on_chunk_header_impl(std::uint64_t, beast::string_view, beast::error_code &) override { chunk_seen = true; }
    std::size_t on_chunk_body_impl(std::uint64_t, beast::string_view part, beast::error_code &) override
    {
        return take(part);
    }
    void on_finish_impl(beast::error_code &) override { }

private:
    std::size_t take(beast::string_view part)
    {
        body.append(part.data(), static_cast<qsizetype>(part.size()));
        return part.size();
    }
};

} // namespace

class HttpResponseParser::Beast
{
public:
    Beast() { message.emplace(); }

    void put()
    {
        if (atFirstChunk() && pending.size() < shortestChunkedBody) {
            return;
        }
        qsizetype used = 0;
        while (used < pending.size() && state != State::complete && state != State::broken) {
            if (!message->head_done && !wholeHead(QByteArrayView(pending).sliced(used))) {
                break;
            }
            beast::error_code error;
            const std::size_t taken = message->put(
                boost::asio::buffer(pending.constData() + used, static_cast<std::size_t>(pending.size() - used)),
                error);
            used += static_cast<qsizetype>(taken);
            if (error == http::error::need_more) {
                break;
            }
            if (error) {
                fail(error.message());
            } else {
                advance();
            }
        }
        pending.remove(0, used);
        if (state == State::head && message->head_done) {
            state = State::body;
        }
        if (state != State::complete && pending.size() > pendingLimit) {
            fail("line too long");
        }
    }

    /// Beast 1.74 asserts that the end of a chunked body without chunks does not come in smaller pieces than this.
    static constexpr qsizetype shortestChunkedBody = 5; // "0\r\n\r\n"

    bool atFirstChunk() const { return message->head_done && message->chunked() && !message->chunk_seen; }

    /// A head is parsed in one go, so that a damaged one is judged alike in whatever pieces it came.
    bool wholeHead(QByteArrayView bytes)
    {
        constexpr QByteArrayView start("HTTP/");
        if (!bytes.startsWith(start.first(qMin(start.size(), bytes.size())))) {
            fail("not HTTP");
            return false;
        }
        return bytes.contains("\r\n\r\n");
    }

    void advance()
    {
        if (message->is_done() && message->status / 100 == 1) {
            message.emplace();
        } else if (message->is_done()) {
            state = State::complete;
        }
    }

    void fail(const std::string &why)
    {
        state = State::broken;
        problem = QString::fromStdString(why);
    }

    std::optional<Message> message;
    QByteArray pending;
    State state = State::head;
    QString problem;
};

HttpResponseParser::HttpResponseParser()
    : d(std::make_unique<Beast>())
{
}

HttpResponseParser::~HttpResponseParser() = default;

QByteArray HttpResponseParser::feed(QByteArrayView bytes)
{
    if (d->state == State::truncated || d->state == State::broken) {
        return {};
    }
    d->pending.append(bytes.data(), bytes.size());
    if (d->state != State::complete) {
        d->put();
    }
    return std::exchange(d->message->body, {});
}

void HttpResponseParser::finish()
{
    if (d->state != State::head && d->state != State::body) {
        return;
    }
    if (!d->message->got_some()) {
        d->state = State::truncated;
        return;
    }
    beast::error_code error;
    d->message->put_eof(error);
    d->state = error ? State::truncated : State::complete;
}

HttpResponseParser::State HttpResponseParser::state() const
{
    return d->state;
}

QString HttpResponseParser::problem() const
{
    return d->problem;
}

int HttpResponseParser::status() const
{
    return d->message->head_done ? d->message->status : 0;
}

QByteArray HttpResponseParser::reason() const
{
    return d->message->reason;
}

QList<ProbeHeader> HttpResponseParser::headers() const
{
    return d->message->headers;
}

QByteArray HttpResponseParser::header(QByteArrayView name) const
{
    for (const ProbeHeader &header : d->message->headers) {
        if (QByteArrayView(header.name).compare(name, Qt::CaseInsensitive) == 0) {
            return header.value;
        }
    }
    return {};
}

bool HttpResponseParser::headComplete() const
{
    return d->message->head_done;
}

bool HttpResponseParser::mayBeKept() const
{
    return d->state == State::complete && d->message->keep_alive() && d->pending.isEmpty();
}

} // namespace kvlab::probe
