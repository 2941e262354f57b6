// SPDX-License-Identifier: GPL-3.0-or-later
// What the memory page computes between two frames: 10,000 rows of the table, and the planner's map of what fits.
#include "memory/capacity.h"
#include "memory/model_list.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QElapsedTimer>
#include <QTextStream>

#include <algorithm>
#include <cmath>
#include <functional>

using namespace kvlab;

namespace {

constexpr int rows = 10'000;

/// Rows of every model, length and batch, as a table that somebody pasted.
QList<memory::MemoryRow> manyRows()
{
    QList<memory::MemoryRow> list;
    const QList<memory::ModelSpec> &models = memory::builtInModels();
    for (int i = 0; i < rows; ++i)
        list << memory::MemoryRow{
            models.at(i % models.size()).name, 512 * (1 + i % 97), 1 + i % 33, memory::CacheFormat::bf16};
    return list;
}

memory::CapacityQuery machine(const QString &model)
{
    memory::CapacityQuery query;
    query.machine.device = QStringLiteral("24 GiB");
    query.machine.capacity = memory::Bytes(24) << 30;
    query.weights
        = memory::modelWeights(*memory::findModel(model), memory::weightFormatFromName(QStringLiteral("q4_0")))
              .value_or(memory::Bytes(8) << 30);
    query.profile = memory::defaultProfile(memory::Engine::vllm);
    return query;
}

void measure(QTextStream &out, const QString &name, int n, const std::function<qint64()> &work)
{
    QList<double> times;
    qint64 kept = 0;
    for (int i = 0; i < n; ++i) {
        QElapsedTimer timer;
        timer.start();
        kept += work();
        times << double(timer.nsecsElapsed()) / 1e6;
    }
    std::sort(times.begin(), times.end());
    const auto percentile = [&](double share) { return times.at(int(std::ceil(share * n)) - 1); };
    out << "| " << name << " | " << n << " | " << QString::number(percentile(0.5), 'f', 3) << " | "
        << QString::number(percentile(0.99), 'f', 3) << " |" << (kept == 0 ? " nothing was computed" : "") << Qt::endl;
}

qint64 map(const QString &model, const memory::CapacityQuery &query)
{
    const auto answer = memory::fitMap(*memory::findModel(model), query);
    const auto *fits = std::get_if<memory::FitMap>(&answer);
    qint64 cells = 0;
    for (qsizetype column = 0; fits != nullptr && column < fits->seq_lens.size(); ++column) {
        for (qsizetype row = 0; row < fits->batches.size(); ++row)
            cells += fits->fits(column, row) ? 1 : 2;
    }
    return cells;
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral("Times of the memory table and of the planner's map."));
    parser.addHelpOption();
    const QCommandLineOption count(
        QStringLiteral("n"), QStringLiteral("Repetitions."), QStringLiteral("count"), QStringLiteral("1000"));
    parser.addOption(count);
    parser.process(application);
    const int n = std::max(1, parser.value(count).toInt());

    QTextStream out(stdout);
    out << "| what | n | median (ms) | p99 (ms) |\n|---|---:|---:|---:|" << Qt::endl;
    const QList<memory::MemoryRow> list = manyRows();
    measure(out, QStringLiteral("10,000 rows, bytes"), std::max(1, n / 10), [&] {
        qint64 numbers = 0;
        for (const memory::MemoryRow &row : list) {
            memory::MemoryQuery query;
            query.seq_len = row.seq_len;
            query.batch = row.batch;
            query.kv_dtype = row.kv_dtype;
            numbers += qint64(memory::estimateBytes(*memory::findModel(row.model), query).index() == 0);
        }
        return numbers;
    });
    measure(out, QStringLiteral("10,000 rows, with their terms"), std::max(1, n / 10), [&] {
        qint64 numbers = 0;
        for (const memory::MemoryRow &row : list)
            numbers += qint64(memory::estimateRow(row).index() == 0);
        return numbers;
    });
    for (const QString &model :
        {QStringLiteral("Qwen2.5-7B"), QStringLiteral("gpt-oss-20b"), QStringLiteral("Gemma-3-27B")}) {
        const memory::CapacityQuery query = machine(model);
        measure(out, QStringLiteral("map of 60 × 24, %1, vLLM").arg(model), n, [&] { return map(model, query); });
        measure(out, QStringLiteral("plan, %1, vLLM").arg(model), n,
            [&] { return qint64(memory::planCapacity(*memory::findModel(model), query).index() + 1); });
    }
    return 0;
}
