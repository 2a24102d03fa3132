# SPDX-License-Identifier: Apache-2.0
#
# `cmake --install`: the klab program, the libraries with their headers, and a package file, so that
# another project can say find_package(klab) and link klab::klab_sim. Included last, when every
# target exists.
include_guard()
include(CMakePackageConfigHelpers)
set(KLAB_PACKAGE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/klab")

install(TARGETS klab_xxhash klab_codecs EXPORT klabTargets)
if(TARGET klab)
  install(TARGETS klab RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()
install(EXPORT klabTargets NAMESPACE klab:: DESTINATION "${KLAB_PACKAGE_DIR}")
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/klabConfig.cmake.in"
                              "${PROJECT_BINARY_DIR}/klabConfig.cmake"
                              INSTALL_DESTINATION "${KLAB_PACKAGE_DIR}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/klabConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/klabConfig.cmake"
              "${PROJECT_BINARY_DIR}/klabConfigVersion.cmake"
        DESTINATION "${KLAB_PACKAGE_DIR}")
