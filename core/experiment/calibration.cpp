// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/calibration.h"

#include "experiment/known_delay_server.h"
#include "experiment/seeded_random.h"
#include "experiment/statistics.h"
#include "probe/probe_client.h"

#include <QCoreApplication>
#include <QEventLoop>

namespace kvlab::experiment {

namespace {

struct Texts
{
    Q_DECLARE_TR_FUNCTIONS(kvlab::experiment::Calibration)
};

struct Cell
{
    CalibrationRow row;
    QList<double> errors_ms;
};

/// Exactly as many bytes as asked, or a few more when that is less than a request needs.
QByteArray bodyOf(int bytes)
{
    const QByteArray start = R"({"stream":true,"messages":[{"role":"user","content":")";
    const QByteArray end = R"("}]})";
    return start + QByteArray(std::max<qsizetype>(1, bytes - start.size() - end.size()), 'x') + end;
}

probe::ProbeSample measure(probe::ProbeClient &client, const probe::ProbeRequest &request)
{
    probe::ProbeSample result;
    QEventLoop loop;
    QObject::connect(&client, &probe::ProbeClient::finished, &loop, [&](const probe::ProbeSample &sample) {
        result = sample;
        loop.quit();
    });
    client.send(request);
    loop.exec();
    return result;
}

/// What a kept connection needs: one that is open already.
void openConnection(probe::ProbeClient &client, KnownDelayServer &server, const probe::ProbeRequest &request)
{
    server.setCloses(false);
    measure(client, request);
}

void describe(Cell &cell)
{
    CalibrationRow &row = cell.row;
    row.samples = static_cast<int>(cell.errors_ms.size());
    if (row.samples == 0)
        return;
    row.median_ms = median(cell.errors_ms);
    if (row.samples >= 20)
        row.p95_ms = percentile(cell.errors_ms, 95);
    if (row.samples >= 200)
        row.p99_ms = percentile(cell.errors_ms, 99);
}

QList<Cell> cellsOf(const CalibrationPlan &plan)
{
    QList<Cell> cells;
    for (const int bytes : plan.body_bytes) {
        for (const bool isNew : {false, true}) {
            Cell cell;
            cell.row.body_bytes = bytes;
            cell.row.new_connection = isNew;
            cells.append(cell);
        }
    }
    return cells;
}

/// One sample. A new connection is had by letting the server end the one before.
void sampleOnce(
    Cell &cell, probe::ProbeClient &client, KnownDelayServer &server, const probe::ProbeRequest &base, QString &message)
{
    probe::ProbeRequest request = base;
    request.body = bodyOf(cell.row.body_bytes);
    probe::ProbeRequest small = base;
    small.body = bodyOf(0);
    if (cell.row.new_connection) {
        server.setCloses(true);
        measure(client, small);
    } else {
        openConnection(client, server, small);
    }
    server.setCloses(false);
    const probe::ProbeSample sample = measure(client, request);
    const auto ttft = sample.ttftMs();
    if (ttft && sample.new_connection == cell.row.new_connection) {
        cell.errors_ms.append(*ttft - static_cast<double>(server.lastDelayNs()) / 1e6);
    } else {
        ++cell.row.failed;
        if (message.isEmpty())
            message = sample.message;
    }
}

} // namespace

CalibrationResult calibrate(const CalibrationPlan &plan, const std::function<bool(int, int)> &goOn)
{
    CalibrationResult result;
    result.plan = plan;
    KnownDelayServer server(plan.delay_ms);
    if (server.port() == 0) {
        result.message = Texts::tr("No port of this computer could be opened to measure against; check its firewall.");
        return result;
    }
    probe::ProbeClient client;
    probe::ProbeRequest base;
    base.url = QUrl(QStringLiteral("http://127.0.0.1:%1/v1/chat/completions").arg(QString::number(server.port())));
    base.transport = plan.transport;
    QList<Cell> cells = cellsOf(plan);
    SeededRandom random(plan.seed);
    const int total = plan.rounds * static_cast<int>(cells.size());
    int done = 0;
    for (int round = 0; round < plan.rounds && !result.stopped; ++round) {
        QList<qsizetype> order;
        for (qsizetype i = 0; i < cells.size(); ++i)
            order.append(i);
        random.shuffle(order);
        for (const qsizetype i : std::as_const(order)) {
            if (!goOn(done++, total)) {
                result.stopped = true;
                break;
            }
            sampleOnce(cells[i], client, server, base, result.message);
        }
    }
    for (Cell &cell : cells) {
        describe(cell);
        result.rows.append(cell.row);
    }
    return result;
}

} // namespace kvlab::experiment
