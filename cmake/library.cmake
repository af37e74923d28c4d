# libpawl: every module but the command's own in one static library, and the CMake package that finds it:
#
#   find_package(pawl REQUIRED)
#   target_link_libraries(app PRIVATE pawl::pawl)
#
# Users see include/pawl/ only.
include(CMakePackageConfigHelpers)

get_property(modules GLOBAL PROPERTY PAWL_MODULES)
list(REMOVE_ITEM modules cases cli)  # the command's own
list(REMOVE_ITEM modules durable)    # a library of its own, below
list(TRANSFORM modules REPLACE "(.+)" "$<TARGET_OBJECTS:pawl_\\1>" OUTPUT_VARIABLE objects)
add_library(libpawl STATIC ${objects})
add_library(pawl::pawl ALIAS libpawl)
set_target_properties(libpawl PROPERTIES OUTPUT_NAME pawl EXPORT_NAME pawl LINKER_LANGUAGE CXX)
target_include_directories(libpawl INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(libpawl INTERFACE cxx_std_20)
target_link_libraries(libpawl INTERFACE
  OpenSSL::SSL OpenSSL::Crypto PkgConfig::PCRE2 PkgConfig::FYAML PkgConfig::SQLITE Threads::Threads $<BUILD_INTERFACE:pawl_settings>)

# libpawl_durable: the SDK for durable functions, for programs that need nothing else of Pawl:
#
#   target_link_libraries(order PRIVATE pawl::durable)
add_library(libpawl_durable STATIC $<TARGET_OBJECTS:pawl_durable>)
add_library(pawl::durable ALIAS libpawl_durable)
set_target_properties(libpawl_durable PROPERTIES OUTPUT_NAME pawl_durable EXPORT_NAME durable LINKER_LANGUAGE CXX)
target_include_directories(libpawl_durable INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(libpawl_durable INTERFACE cxx_std_20)
target_link_libraries(libpawl_durable INTERFACE OpenSSL::SSL OpenSSL::Crypto Threads::Threads $<BUILD_INTERFACE:pawl_settings>)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/pawl)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/pawl-config.cmake.in ${PROJECT_BINARY_DIR}/pawl-config.cmake
  INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/pawl-config-version.cmake COMPATIBILITY SameMinorVersion)

install(TARGETS libpawl libpawl_durable EXPORT pawl-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT pawl-targets NAMESPACE pawl:: DESTINATION ${package_folder})
install(FILES ${PROJECT_BINARY_DIR}/pawl-config.cmake ${PROJECT_BINARY_DIR}/pawl-config-version.cmake
  DESTINATION ${package_folder})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/pawl DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(TARGET pawl)
  install(TARGETS pawl RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  if(GRPC_FOUND)
    install(TARGETS pawl_grpc_library LIBRARY DESTINATION lib/pawl)
  endif()
endif()
