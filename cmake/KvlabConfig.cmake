# SPDX-License-Identifier: GPL-3.0-or-later
# One interface target carries the language standard, the warnings and the Qt guards; every target links it.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "Build type" FORCE)
endif()

find_program(KVLAB_CCACHE ccache)
if(KVLAB_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    # Precompiled headers are only cached when the launcher may ignore their time stamps.
    set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env
        CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime "CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}"
        CCACHE_NOHASHDIR=true "${KVLAB_CCACHE}")
endif()

add_library(kvlab_config INTERFACE)
target_compile_features(kvlab_config INTERFACE cxx_std_20)
target_compile_definitions(kvlab_config INTERFACE
    QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII QT_NO_URL_CAST_FROM_STRING QT_NO_FOREACH QT_NO_KEYWORDS
    QT_NO_NARROWING_CONVERSIONS_IN_CONNECT QT_NO_CONTEXTLESS_CONNECT QT_STRICT_ITERATORS
    QT_DISABLE_DEPRECATED_BEFORE=0x060400)
if(MSVC)
    target_compile_options(kvlab_config INTERFACE /W4 /permissive- /utf-8)
else()
    target_compile_options(kvlab_config INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual)
    # Less debug information: a third of the link time and of the disk.
    set(KVLAB_OPTIMIZATION "-O2 -g1" CACHE STRING "Optimisation and debug information of RelWithDebInfo")
    set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "${KVLAB_OPTIMIZATION}")
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        # Lets ccache store objects that use a precompiled header.
        target_compile_options(kvlab_config INTERFACE -fpch-preprocess)
    endif()
endif()
if(KVLAB_WERROR)
    target_compile_options(kvlab_config INTERFACE $<IF:$<CXX_COMPILER_ID:MSVC>,/WX,-Werror>)
endif()
if(KVLAB_SANITIZE)
    target_compile_options(kvlab_config INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
    target_link_options(kvlab_config INTERFACE -fsanitize=address,undefined)
endif()
