# The keeper for the other kind of machine, which `kakehashi engine install` puts there: lib/kakehashi/kakehashi-keep.MACHINE,
# beside lib's bin. It needs no library, so that the cross compiler (g++-aarch64-linux-gnu, g++-x86-64-linux-gnu) is enough.
if(NOT KAKEHASHI_KEEPERS)
  return()
endif()
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  set(other aarch64)
elseif(CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")
  set(other x86_64)
else()
  message(FATAL_ERROR "KAKEHASHI_KEEPERS knows the keepers of x86_64 and aarch64 only")
endif()
find_program(OTHER_COMPILER ${other}-linux-gnu-g++ REQUIRED)
find_program(OTHER_STRIP ${other}-linux-gnu-strip REQUIRED)
include(ExternalProject)
ExternalProject_Add(other_keeper
  SOURCE_DIR ${PROJECT_SOURCE_DIR}
  BINARY_DIR ${PROJECT_BINARY_DIR}/keeper-${other}
  PREFIX ${PROJECT_BINARY_DIR}/keeper-${other}
  CMAKE_ARGS -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=${other} -DCMAKE_CXX_COMPILER=${OTHER_COMPILER}
    -DCMAKE_BUILD_TYPE=Release -DKAKEHASHI_KEEPER_ONLY=ON
  BUILD_COMMAND ${CMAKE_COMMAND} --build <BINARY_DIR> --target kakehashi-keep
  COMMAND ${OTHER_STRIP} -o ${PROJECT_BINARY_DIR}/kakehashi-keep.${other} <BINARY_DIR>/kakehashi-keep
  INSTALL_COMMAND "" BUILD_ALWAYS ON BUILD_BYPRODUCTS ${PROJECT_BINARY_DIR}/kakehashi-keep.${other})
install(PROGRAMS ${PROJECT_BINARY_DIR}/kakehashi-keep.${other} DESTINATION lib/kakehashi)
