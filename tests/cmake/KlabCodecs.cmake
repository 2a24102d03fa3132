# SPDX-License-Identifier: Apache-2.0
#
# The target klab_codecs: the four libraries that read (and, outside of runs, write) compressed
# record batches. Header and library of the system first, a pinned archive second. Only two of the
# four have a package file for CMake on Debian, so none is asked for: all are found by name.
include_guard()

add_library(klab_codecs INTERFACE)
add_library(klab::klab_codecs ALIAS klab_codecs)

# klab_codec(NAME name HEADER header LIBRARY library DEBIAN package URL url SHA256 hash
#            SUBDIR folder TARGET target INCLUDE folder [OPTIONS "NAME VALUE" ...])
#   SUBDIR   where the archive's CMakeLists.txt is
#   TARGET   the static library it makes
#   INCLUDE  where its header is
macro(klab_codec)
  cmake_parse_arguments(CODEC "" "NAME;HEADER;LIBRARY;DEBIAN;URL;SHA256;SUBDIR;TARGET;INCLUDE"
                        "OPTIONS" ${ARGN})
  find_path(${CODEC_NAME}_INCLUDE_DIR ${CODEC_HEADER})
  find_library(${CODEC_NAME}_LIBRARY ${CODEC_LIBRARY})
  if(${CODEC_NAME}_INCLUDE_DIR AND ${CODEC_NAME}_LIBRARY)
    target_include_directories(klab_codecs SYSTEM
                               INTERFACE $<BUILD_INTERFACE:${${CODEC_NAME}_INCLUDE_DIR}>)
    target_link_libraries(klab_codecs INTERFACE $<BUILD_INTERFACE:${${CODEC_NAME}_LIBRARY}>
                                                $<INSTALL_INTERFACE:${CODEC_LIBRARY}>)
  else()
    klab_fetch_codec()
  endif()
endmacro()

macro(klab_fetch_codec)
  klab_require_fetch(${CODEC_NAME} ${CODEC_DEBIAN})
  foreach(_option IN LISTS CODEC_OPTIONS)
    separate_arguments(_option)
    list(GET _option 0 _name)
    list(GET _option 1 _value)
    set(${_name} ${_value} CACHE INTERNAL "klab builds only what it needs")
  endforeach()
  FetchContent_Declare(${CODEC_NAME} URL ${CODEC_URL} URL_HASH SHA256=${CODEC_SHA256}
                       SOURCE_SUBDIR ${CODEC_SUBDIR} DOWNLOAD_EXTRACT_TIMESTAMP OFF)
  FetchContent_MakeAvailable(${CODEC_NAME})
  list(APPEND KLAB_FETCHED ${CODEC_NAME})
  target_include_directories(klab_codecs SYSTEM INTERFACE
    "${${CODEC_NAME}_SOURCE_DIR}/${CODEC_INCLUDE}" "${${CODEC_NAME}_BINARY_DIR}")
  target_link_libraries(klab_codecs INTERFACE ${CODEC_TARGET})
endmacro()

klab_codec(NAME zlib HEADER zlib.h LIBRARY z DEBIAN zlib1g-dev
  URL https://github.com/madler/zlib/archive/refs/tags/v1.3.1.tar.gz
  SHA256 17e88863f3600672ab49182f217281b6fc4d3c762bde361935e436a95214d05c
  SUBDIR . TARGET zlibstatic INCLUDE . OPTIONS "ZLIB_BUILD_EXAMPLES OFF" "SKIP_INSTALL_ALL ON")

klab_codec(NAME snappy HEADER snappy-c.h LIBRARY snappy DEBIAN libsnappy-dev
  URL https://github.com/google/snappy/archive/refs/tags/1.1.10.tar.gz
  SHA256 49d831bffcc5f3d01482340fe5af59852ca2fe76c3e05df0e67203ebbe0f1d90
  SUBDIR . TARGET snappy INCLUDE .
  OPTIONS "SNAPPY_BUILD_TESTS OFF" "SNAPPY_BUILD_BENCHMARKS OFF" "SNAPPY_INSTALL OFF")

klab_codec(NAME lz4 HEADER lz4.h LIBRARY lz4 DEBIAN liblz4-dev
  URL https://github.com/lz4/lz4/archive/refs/tags/v1.9.4.tar.gz
  SHA256 0b0e3aa07c8c063ddf40b082bdf7e37a1562bda40a0ff5272957f3e987e0e54b
  SUBDIR build/cmake TARGET lz4_static INCLUDE lib
  OPTIONS "LZ4_BUILD_CLI OFF" "LZ4_BUILD_LEGACY_LZ4C OFF" "LZ4_BUNDLED_MODE ON")

klab_codec(NAME zstd HEADER zstd.h LIBRARY zstd DEBIAN libzstd-dev
  URL https://github.com/facebook/zstd/archive/refs/tags/v1.5.5.tar.gz
  SHA256 98e9c3d949d1b924e28e01eccb7deed865eefebf25c2f21c702e5cd5b63b85e1
  SUBDIR build/cmake TARGET libzstd_static INCLUDE lib
  OPTIONS "ZSTD_BUILD_PROGRAMS OFF" "ZSTD_BUILD_SHARED OFF" "ZSTD_BUILD_TESTS OFF")
