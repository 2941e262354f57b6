// SPDX-License-Identifier: GPL-3.0-or-later
// 10,000 rows of the memory table in their model and their view: set anew, and recomputed for a change of unit.
#include "memory/model_list.h"
#include "ui/memory/memory_table_model.h"
#include "ui/memory/memory_table_view.h"
#include "ui/widgets/appearance.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QElapsedTimer>
#include <QTextStream>
#include <QUndoStack>

#include <algorithm>
#include <cmath>
#include <functional>

using namespace kvlab;

namespace {

QList<memory::MemoryRow> manyRows()
{
    constexpr int rows = 10'000;
    QList<memory::MemoryRow> list;
    const QList<memory::ModelSpec> &models = memory::builtInModels();
    for (int i = 0; i < rows; ++i)
        list << memory::MemoryRow{
            models.at(i % models.size()).name, 512 * (1 + i % 97), 1 + i % 33, memory::CacheFormat::bf16};
    return list;
}

void measure(QTextStream &out, const QString &name, int n, const std::function<void()> &work)
{
    QList<double> times;
    for (int i = 0; i < n; ++i) {
        QElapsedTimer timer;
        timer.start();
        work();
        times << double(timer.nsecsElapsed()) / 1e6;
    }
    std::sort(times.begin(), times.end());
    const auto percentile = [&](double share) { return times.at(int(std::ceil(share * n)) - 1); };
    out << "| " << name << " | " << n << " | " << QString::number(percentile(0.5), 'f', 3) << " | "
        << QString::number(percentile(0.99), 'f', 3) << " |" << Qt::endl;
}

} // namespace

int main(int argc, char **argv)
{
    QApplication application(argc, argv);
    ui::applyAppearance(ui::Theme::light, 1.0);
    const int n = argc > 1 ? std::max(1, QString::fromLocal8Bit(argv[1]).toInt()) : 100;
    QTextStream out(stdout);
    QUndoStack stack;
    ui::MemoryTableModel model(&stack);
    const QList<memory::MemoryRow> rows = manyRows();
    out << "| what | n | median (ms) | p99 (ms) |\n|---|---:|---:|---:|" << Qt::endl;
    measure(out, QStringLiteral("10,000 rows into the model"), n, [&] { model.setRows(rows); });
    bool gb = false;
    measure(out, QStringLiteral("10,000 rows recomputed in the model"), n, [&] {
        gb = !gb;
        model.setUnit(gb ? ui::SizeUnit::gb : ui::SizeUnit::gib);
    });
    ui::MemoryTableView view(&model);
    view.resize(560, 600);
    view.show();
    measure(
        out, QStringLiteral("10,000 rows into the model, view measuring its columns"), n, [&] { model.setRows(rows); });
    return 0;
}
