# SPDX-License-Identifier: Apache-2.0
#
# Every dependency: the system's package first, a pinned archive second (refused with
# KLAB_FETCH=OFF). Each archive is pinned by its SHA-256, so a build never depends on what a server
# hands out on the day.
#
# klab_dependency(NAME package TARGET target DEBIAN package URL url SHA256 hash
#                 [OPTIONS "NAME VALUE" ...])
#   NAME     the name that find_package knows
#   TARGET   the target that must exist afterwards
#   DEBIAN   the package that brings it on Debian and Ubuntu (for the message when it is missing)
#   OPTIONS  cache variables that keep the fetched project small
include_guard()
include(FetchContent)

# Names of the dependencies that were built from their archives; they are not installed with klab.
set(KLAB_FETCHED "")

macro(klab_dependency)
  cmake_parse_arguments(DEP "" "NAME;TARGET;DEBIAN;URL;SHA256" "OPTIONS" ${ARGN})
  find_package(${DEP_NAME} QUIET)
  if(NOT TARGET ${DEP_TARGET})
    klab_require_fetch(${DEP_NAME} ${DEP_DEBIAN})
    foreach(_option IN LISTS DEP_OPTIONS)
      separate_arguments(_option)
      list(GET _option 0 _name)
      list(GET _option 1 _value)
      set(${_name} ${_value} CACHE INTERNAL "klab builds only what it needs")
    endforeach()
    FetchContent_Declare(${DEP_NAME} URL ${DEP_URL} URL_HASH SHA256=${DEP_SHA256}
                         DOWNLOAD_EXTRACT_TIMESTAMP OFF)
    FetchContent_MakeAvailable(${DEP_NAME})
    list(APPEND KLAB_FETCHED ${DEP_NAME})
    if(NOT TARGET ${DEP_TARGET})
      message(FATAL_ERROR "the archive of ${DEP_NAME} does not define ${DEP_TARGET}")
    endif()
  endif()
endmacro()

# Ends with the name of the package to install when downloads are forbidden.
function(klab_require_fetch name debian)
  if(NOT KLAB_FETCH)
    message(FATAL_ERROR "${name} is not installed and KLAB_FETCH=OFF forbids the download. "
                        "On Debian or Ubuntu: apt-get install ${debian}")
  endif()
  message(STATUS "${name} is not installed: building it from its pinned archive")
endfunction()

klab_dependency(NAME fmt TARGET fmt::fmt DEBIAN libfmt-dev
  URL https://github.com/fmtlib/fmt/archive/refs/tags/9.1.0.tar.gz
  SHA256 5dea48d1fcddc3ec571ce2058e13910a0d4a6bab4cc09a809d8b1dd1c88ae6f2)

klab_dependency(NAME nlohmann_json TARGET nlohmann_json::nlohmann_json DEBIAN nlohmann-json3-dev
  URL https://github.com/nlohmann/json/archive/refs/tags/v3.11.2.tar.gz
  SHA256 d69f9deb6a75e2580465c6c4c5111b89c4dc2fa94e3a85fcd2ffcd9a143d9273
  OPTIONS "JSON_BuildTests OFF")

klab_dependency(NAME CLI11 TARGET CLI11::CLI11 DEBIAN libcli11-dev
  URL https://github.com/CLIUtils/CLI11/archive/refs/tags/v2.3.2.tar.gz
  SHA256 aac0ab42108131ac5d3344a9db0fdf25c4db652296641955720a4fbe52334e22
  OPTIONS "CLI11_BUILD_TESTS OFF" "CLI11_BUILD_EXAMPLES OFF" "CLI11_BUILD_DOCS OFF"
          "CLI11_INSTALL OFF")

find_package(Threads REQUIRED)

# xxHash is used as a header (the trace hash is on the hot path) and has no package file on Debian.
find_path(XXHASH_INCLUDE_DIR xxhash.h)
if(NOT XXHASH_INCLUDE_DIR)
  klab_require_fetch(xxHash libxxhash-dev)
  FetchContent_Declare(xxhash
    URL https://github.com/Cyan4973/xxHash/archive/refs/tags/v0.8.2.tar.gz
    URL_HASH SHA256=baee0c6afd4f03165de7a4e67988d16f0f2b257b51d0e3cb91909302a26a79c4
    SOURCE_SUBDIR header_only DOWNLOAD_EXTRACT_TIMESTAMP OFF)  # no CMakeLists.txt there: sources only
  FetchContent_MakeAvailable(xxhash)
  set(XXHASH_INCLUDE_DIR ${xxhash_SOURCE_DIR})
  list(APPEND KLAB_FETCHED xxhash)
endif()
add_library(klab_xxhash INTERFACE)
add_library(klab::klab_xxhash ALIAS klab_xxhash)
target_include_directories(klab_xxhash SYSTEM INTERFACE $<BUILD_INTERFACE:${XXHASH_INCLUDE_DIR}>)
target_compile_definitions(klab_xxhash INTERFACE XXH_INLINE_ALL)

include(KlabCodecs)

if(KLAB_TESTS)
  klab_dependency(NAME GTest TARGET GTest::gmock DEBIAN "libgtest-dev libgmock-dev"
    URL https://github.com/google/googletest/archive/refs/tags/release-1.12.1.tar.gz
    SHA256 81964fe578e9bd7c94dfdb09c8e4d6e6759e19967e397dbea48d1c10e45d0df2
    OPTIONS "INSTALL_GTEST OFF")
  klab_dependency(NAME rapidcheck TARGET rapidcheck_gtest DEBIAN librapidcheck-dev
    URL https://github.com/emil-e/rapidcheck/archive/ff6af6fc683159deb51c543b065eba14dfcf329b.zip
    SHA256 60951dbc4de162622f51a4a34117c269a9921833a51dddce36f4cc80a5f7cf9f
    OPTIONS "RC_ENABLE_GTEST ON")
  include(GoogleTest)
endif()
if(KLAB_BENCH)
  klab_dependency(NAME benchmark TARGET benchmark::benchmark DEBIAN libbenchmark-dev
    URL https://github.com/google/benchmark/archive/refs/tags/v1.7.1.tar.gz
    SHA256 6430e4092653380d9dc4ccb45a1e2dc9259d581f4866dc0759713126056bc1d7
    OPTIONS "BENCHMARK_ENABLE_TESTING OFF" "BENCHMARK_ENABLE_INSTALL OFF")
endif()
