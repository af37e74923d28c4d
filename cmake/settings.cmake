# Compiler and linker settings shared by every target.

find_program(PAWL_CCACHE ccache)
if(PAWL_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${PAWL_CCACHE})
endif()

add_library(pawl_settings INTERFACE)
target_compile_options(pawl_settings INTERFACE
  -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wimplicit-fallthrough -Wswitch -Werror=return-type
  -Werror=switch -fno-omit-frame-pointer)

# The code of the tests themselves runs once and is compiled often. Not so under ThreadSanitizer, which keeps no more than
# 65,536 frames of a stack: the inline functions of json::Value, unoptimized, take seven for each level of a value.
add_library(pawl_test_settings INTERFACE)
if(NOT PAWL_SANITIZE STREQUAL "thread")
  target_compile_options(pawl_test_settings INTERFACE -O0)
endif()

find_program(PAWL_MOLD mold)
if(PAWL_MOLD)
  target_link_options(pawl_settings INTERFACE -fuse-ld=mold)
endif()

# An allocator that takes a fifth of the time off the engine, where it is found. For programs that run it: the sanitizers bring their own.
add_library(pawl_allocator INTERFACE)
find_library(PAWL_MIMALLOC mimalloc)
if(PAWL_MIMALLOC AND PAWL_SANITIZE STREQUAL "")
  target_link_libraries(pawl_allocator INTERFACE -Wl,--push-state,--no-as-needed ${PAWL_MIMALLOC} -Wl,--pop-state)
endif()

if(PAWL_SANITIZE STREQUAL "address")
  target_compile_options(pawl_settings INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=undefined)
  target_link_options(pawl_settings INTERFACE -fsanitize=address,undefined)
elseif(PAWL_SANITIZE STREQUAL "thread")
  # The network library has fences that ThreadSanitizer does not model; GCC would say so for each of its templates.
  target_compile_options(pawl_settings INTERFACE -fsanitize=thread -Wno-tsan)
  target_link_options(pawl_settings INTERFACE -fsanitize=thread)
elseif(NOT PAWL_SANITIZE STREQUAL "")
  message(FATAL_ERROR "PAWL_SANITIZE is '${PAWL_SANITIZE}'; it may be empty, address or thread")
endif()

# The fuzzers see which branches of the libraries they reach; only their own programs get libFuzzer's main.
if(PAWL_FUZZERS)
  target_compile_options(pawl_settings INTERFACE -fsanitize=fuzzer-no-link)
endif()
