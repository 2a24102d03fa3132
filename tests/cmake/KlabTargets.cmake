# SPDX-License-Identifier: Apache-2.0
#
# How a target of klab is made: one function for a library, one for a test, one for folders.
# Warnings are private, so that a consumer keeps its own.
include_guard()
include(GNUInstallDirs)

set(KLAB_WARNINGS -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow
    -Wnon-virtual-dtor -Wold-style-cast -Wimplicit-fallthrough)
# g++ 12 sees writes beyond std::string where there are none (GCC bug 105651), once it inlines.
set(KLAB_DOUBTFUL_WARNINGS $<$<CXX_COMPILER_ID:GNU>:-Wno-error=array-bounds>
    $<$<CXX_COMPILER_ID:GNU>:-Wno-error=restrict>)

# klab_set_options(TARGET): language, warnings and sanitizers, the same for every target.
function(klab_set_options target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  target_compile_options(${target} PRIVATE ${KLAB_WARNINGS} $<$<BOOL:${KLAB_WERROR}>:-Werror>
                         ${KLAB_DOUBTFUL_WARNINGS}
                         $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)  # for ccache
  if(KLAB_SANITIZE)
    target_compile_options(${target} PUBLIC -fsanitize=address,undefined -fno-sanitize-recover=all
                           -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=address,undefined)
  endif()
endfunction()

# klab_add_folders(FOLDER ...): add_subdirectory for each that has a CMakeLists.txt.
function(klab_add_folders)
  foreach(folder IN LISTS ARGN)
    if(EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/CMakeLists.txt")
      add_subdirectory(${folder})
    endif()
  endforeach()
endfunction()

# klab_add_library(NAME name SOURCES ... HEADERS ... DEPS ... [PRECOMPILE header ...])
# One static library of one layer, also known as klab::name. Each header must compile on its own:
# the target all_verify_interface_header_sets tries it. PRECOMPILE names headers that most of its
# sources need and that take long to read; sources still include what they use.
function(klab_add_library)
  cmake_parse_arguments(ARG "" "NAME" "SOURCES;HEADERS;DEPS;PRECOMPILE" ${ARGN})
  add_library(${ARG_NAME} STATIC ${ARG_SOURCES})
  add_library(klab::${ARG_NAME} ALIAS ${ARG_NAME})
  target_sources(${ARG_NAME} PUBLIC FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}"
                 FILES ${ARG_HEADERS})
  target_link_libraries(${ARG_NAME} PUBLIC ${ARG_DEPS})
  set_target_properties(${ARG_NAME} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
  klab_set_options(${ARG_NAME})
  if(ARG_PRECOMPILE)
    target_precompile_headers(${ARG_NAME} PRIVATE ${ARG_PRECOMPILE})
  endif()
  if(KLAB_INSTALL)
    install(TARGETS ${ARG_NAME} EXPORT klabTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
            FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/klab")
  endif()
endfunction()

# klab_add_test(NAME name SOURCES ... DEPS ... [LABELS fast|slow])
# One GoogleTest program. RapidCheck runs with a fixed seed: sweeps are where seeds roam. Tests are
# compiled with little optimization, since most of them run far shorter than they compile; what
# they test is optimized as the preset says.
function(klab_add_test)
  cmake_parse_arguments(ARG "" "NAME;LABELS" "SOURCES;DEPS" ${ARGN})
  if(NOT ARG_LABELS)
    set(ARG_LABELS fast)
  endif()
  klab_test_headers()
  add_executable(${ARG_NAME} ${ARG_SOURCES})
  target_link_libraries(${ARG_NAME} PRIVATE ${ARG_DEPS} GTest::gtest_main)
  klab_set_test_options(${ARG_NAME})
  target_precompile_headers(${ARG_NAME} REUSE_FROM klab_test_headers)
  gtest_discover_tests(${ARG_NAME} DISCOVERY_TIMEOUT 60
                       PROPERTIES LABELS ${ARG_LABELS} TIMEOUT 600 ENVIRONMENT "RC_PARAMS=seed=7")
endfunction()

function(klab_set_test_options target)
  target_link_libraries(${target} PRIVATE GTest::gtest GTest::gmock rapidcheck rapidcheck_gtest)
  klab_set_options(${target})
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  target_compile_definitions(${target} PRIVATE KLAB_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                             KLAB_BINARY_DIR="${PROJECT_BINARY_DIR}")
endfunction()

# The headers that every test reads, compiled once for all of them.
function(klab_test_headers)
  if(TARGET klab_test_headers)
    return()
  endif()
  set(source "${PROJECT_BINARY_DIR}/generated/test_headers.cc")
  file(CONFIGURE OUTPUT "${source}" CONTENT "// Empty: the target is its precompiled headers.\n")
  add_library(klab_test_headers OBJECT "${source}")
  target_link_libraries(klab_test_headers PRIVATE klab_sim)
  klab_set_test_options(klab_test_headers)
  target_precompile_headers(klab_test_headers PRIVATE <gtest/gtest.h> <rapidcheck.h>
                            <rapidcheck/gtest.h>)
endfunction()
