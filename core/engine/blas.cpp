// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/blas.h"

#include <QByteArray>
#include <QLibrary>

#include <cblas.h>

#include <mutex>

namespace kvlab::engine {

namespace {

/// The kernels for the widest vectors of this processor, or nothing when OpenBLAS need not be helped.
QByteArray kernelsForVectors()
{
#if defined(__GNUC__) && defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq")
        && __builtin_cpu_supports("avx512vl")) {
        return QByteArrayLiteral("SkylakeX");
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        return QByteArrayLiteral("Haswell");
    }
#endif
    return {}; // MSVC and other processors: not tried
}

/// OpenBLAS knows processors by their model number. One that is newer than the library gets kernels for the first
/// 64-bit processors, 4 to 6 times slower (OpenBLAS issue 4267; 0.3.21 does so with every Intel model since 2022). The
/// way out that OpenBLAS documents, OPENBLAS_CORETYPE, is read when the library is loaded, before main(); so it is made
/// to read it again. Where it lacks these two functions, the engine is slow but right.
void chooseKernelsAgain()
{
    const std::string chosen = blasKernels();
    if ((chosen != "Prescott" && chosen != "Core2" && chosen != "Nehalem" && chosen != "Barcelona")
        || qEnvironmentVariableIsSet("OPENBLAS_CORETYPE")) {
        return;
    }
    const QByteArray better = kernelsForVectors();
    QLibrary library(QStringLiteral("openblas"), 0); // the one that is loaded already
    const auto forget = library.resolve("gotoblas_dynamic_quit");
    const auto choose = library.resolve("gotoblas_dynamic_init");
    if (better.isEmpty() || !forget || !choose) {
        return;
    }
    qputenv("OPENBLAS_CORETYPE", better);
    forget();
    choose();
    qunsetenv("OPENBLAS_CORETYPE");
}

} // namespace

void prepareBlas()
{
    static std::once_flag once;
    std::call_once(once, [] {
        chooseKernelsAgain();
        // Once and for all: changing it later costs, and a BLAS thread that spins between products takes a core away.
        openblas_set_num_threads(1);
    });
}

std::string blasKernels()
{
    return openblas_get_corename();
}

} // namespace kvlab::engine
