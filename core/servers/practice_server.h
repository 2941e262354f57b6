// SPDX-License-Identifier: GPL-3.0-or-later
// Starts the practice engine (`kvlab serve`) as a child process and tells when it answers; ends it with its owner.
#pragma once

#include <QJsonObject>
#include <QObject>
#include <QUrl>

#include <memory>

namespace kvlab::servers {

class PracticeServer : public QObject
{
    Q_OBJECT
public:
    enum class State { stopped, starting, ready };

    explicit PracticeServer(QObject *parent = nullptr);
    ~PracticeServer() override; ///< the child never outlives this object

    /// Starts the engine if it is not running; ready() or failed() follows, never from inside this call.
    /// `size`: auto, small, medium, large. `options`: more arguments of `kvlab serve`, such as tiers.
    void start(const QString &size = QStringLiteral("auto"), const QStringList &options = {});
    void stop();

    State state() const;
    QUrl baseUrl() const; ///< empty unless ready
    QString description() const; ///< "medium, 25 M parameters, untrained"; in the language in use; empty unless ready
    qint64 processId() const; ///< 0 unless running
    QJsonObject facts() const; ///< the engine's own line: size, block_size, kv_bytes_per_token, …; empty unless ready

Q_SIGNALS:
    void stateChanged();
    void ready();
    /// It could not start, or it died: a sentence (what, why, what to do) and the last lines of its output.
    void failed(const QString &message, const QString &details);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace kvlab::servers
