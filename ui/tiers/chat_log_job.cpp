// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tiers/chat_log_job.h"

#include <QElapsedTimer>
#include <QFile>
#include <QThread>

namespace kvlab::ui {

namespace {

constexpr int progressEvery = 100; ///< ms: more often nobody sees

} // namespace

ChatLogJob::ChatLogJob(QObject *parent)
    : QObject(parent)
{
}

ChatLogJob::~ChatLogJob()
{
    stop();
    if (m_thread) {
        m_thread->wait();
        delete m_thread;
    }
}

void ChatLogJob::start(const QString &path, const prefix::ReplayOptions &options)
{
    if (m_thread)
        return;
    m_stop = false;
    m_result.reset();
    m_problem.clear();
    m_thread = QThread::create([this, path, options] {
        QFile file(path);
        if (!file.open(QIODevice::ReadOnly)) {
            m_problem = tr("“%1” cannot be read: %2. Choose a file that you may read.").arg(path, file.errorString());
            return;
        }
        const prefix::Tokenizer tokenizer;
        QElapsedTimer clock;
        clock.start();
        m_result = prefix::replayChatLog(file, tokenizer, options, [this, &clock](int done, int of) {
            if (clock.elapsed() > progressEvery) {
                clock.restart();
                Q_EMIT progressed(done, of);
            }
            return !m_stop;
        });
    });
    connect(m_thread, &QThread::finished, this, &ChatLogJob::end);
    m_thread->start();
}

void ChatLogJob::stop()
{
    m_stop = true;
}

void ChatLogJob::end()
{
    m_thread->wait();
    m_thread->deleteLater();
    m_thread = nullptr;
    if (m_result)
        Q_EMIT finished(*m_result);
    else
        Q_EMIT failed(m_problem);
}

} // namespace kvlab::ui
