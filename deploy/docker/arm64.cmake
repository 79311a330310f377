# Cross-compiles for 64-bit ARM on another machine, with Debian's g++-aarch64-linux-gnu:
#   cmake --preset static -B build/arm64 --toolchain deploy/docker/arm64.cmake \
#     -DCMAKE_CXX_COMPILER=aarch64-linux-gnu-g++ -DCMAKE_SYSROOT=TREE
# The preset names a compiler of its own, which only the command line overrules. TREE is a Debian 12 for
# arm64 with the -dev packages that the Dockerfile names; tests/packaging/check_arm64.sh makes one.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
