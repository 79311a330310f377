# What `cmake --install` puts where, and the Debian package (`cpack --preset deb`).
file(GLOB example_configs CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/config/*.example.yaml)
install(FILES ${example_configs} DESTINATION ${CMAKE_INSTALL_DATADIR}/kakehashi/examples)
install(DIRECTORY systemd/ DESTINATION lib/systemd/system FILES_MATCHING PATTERN "*.service"
        PATTERN dropins EXCLUDE)
# Below another prefix than the package's the units start the program that lies there (`cmake --install` only).
install(CODE [[
  foreach(unit kakehashi.service kakehashi@.service)
    set(installed "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/lib/systemd/system/${unit}")
    file(READ "${installed}" text)
    string(REPLACE "/usr/bin/kakehashi" "${CMAKE_INSTALL_PREFIX}/bin/kakehashi" text "${text}")
    file(WRITE "${installed}" "${text}")
  endforeach()
]] COMPONENT local)
install(DIRECTORY systemd/dropins DESTINATION ${CMAKE_INSTALL_DATADIR}/kakehashi FILES_MATCHING PATTERN "*.conf")
file(GLOB doc_pages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/*.md)
file(GLOB internal_pages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/internals/*.md)
install(FILES README.md README.ja.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT license)
install(FILES ${doc_pages} CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs)
install(FILES ${internal_pages} DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs/internals)
install(DIRECTORY docs/images DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs)

foreach(page kakehashi.1 kakehashi-keep.1)
  add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/${page}.gz
    COMMAND gzip -9nc ${PROJECT_SOURCE_DIR}/docs/${page} > ${page}.gz
    DEPENDS docs/${page} WORKING_DIRECTORY ${PROJECT_BINARY_DIR} VERBATIM)
  list(APPEND man_pages ${PROJECT_BINARY_DIR}/${page}.gz)
endforeach()
add_custom_target(man_page ALL DEPENDS ${man_pages})
install(FILES ${man_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)

# The program writes its own completions, so they need one that runs here, under an emulator if need be.
if(NOT CMAKE_CROSSCOMPILING OR CMAKE_CROSSCOMPILING_EMULATOR)
  foreach(shell bash zsh fish)
    add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/completions.${shell}
      COMMAND kakehashi completions ${shell} > completions.${shell}
      DEPENDS kakehashi WORKING_DIRECTORY ${PROJECT_BINARY_DIR} VERBATIM)
    list(APPEND completions ${PROJECT_BINARY_DIR}/completions.${shell})
  endforeach()
  add_custom_target(completions ALL DEPENDS ${completions})
  install(FILES ${PROJECT_BINARY_DIR}/completions.bash
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME kakehashi)
  # Debian's zsh looks there for packages, and for what is installed by hand in site-functions.
  install(CODE "set(zsh_completions \"${PROJECT_BINARY_DIR}/completions.zsh\")")
  install(CODE [[
    set(directory site-functions)
    if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
      set(directory vendor-completions)
    endif()
    file(INSTALL "${zsh_completions}" DESTINATION "${CMAKE_INSTALL_PREFIX}/share/zsh/${directory}" RENAME _kakehashi)
  ]])
  install(FILES ${PROJECT_BINARY_DIR}/completions.fish
          DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d RENAME kakehashi.fish)
endif()

add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/changelog.Debian.gz
  COMMAND gzip -9nc ${PROJECT_SOURCE_DIR}/deploy/debian/changelog > changelog.Debian.gz
  DEPENDS deploy/debian/changelog WORKING_DIRECTORY ${PROJECT_BINARY_DIR} VERBATIM)
add_custom_target(debian_changelog ALL DEPENDS ${PROJECT_BINARY_DIR}/changelog.Debian.gz)
install(FILES ${PROJECT_BINARY_DIR}/changelog.Debian.gz deploy/debian/copyright
        DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT debian EXCLUDE_FROM_ALL)
install(FILES deploy/debian/lintian-overrides DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides
        RENAME kakehashi COMPONENT debian EXCLUDE_FROM_ALL)
install(DIRECTORY DESTINATION /etc/kakehashi/passwords COMPONENT debian EXCLUDE_FROM_ALL
        DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)

set(CPACK_GENERATOR DEB)
# Not "local", and not "license": that stands in Debian's copyright file.
set(CPACK_COMPONENTS_ALL Unspecified debian)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_CONTACT "The Kakehashi developers <maintainers@kakehashi.invalid>")
set(CPACK_DEBIAN_PACKAGE_NAME kakehashi)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION net)
if(CMAKE_CROSSCOMPILING AND CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")
  set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64)
endif()
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS ca-certificates)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS tzdata)  # the zones of schedule.time_zone
set(CPACK_DEBIAN_PACKAGE_SUGGESTS fairy-stockfish)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/deploy/debian/postinst
    ${PROJECT_SOURCE_DIR}/deploy/debian/prerm ${PROJECT_SOURCE_DIR}/deploy/debian/postrm)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "bridge between USI shogi engines and CSA game servers")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"Kakehashi enters shogi engines into games on CSA servers such as floodgate and
the tournament servers of WCSC and Denryu-sen. It checks every move before it
is sent, restarts an engine that dies or hangs in mid-game, and plays a legal
move before the flag falls.")
include(CPack)
