# What the server needs on a machine beside the command: its systemd unit, its user, a first configuration, the operators' pages, and the
# completions of the shells. The unit names where the command lies, so it is written when it is installed.
install(CODE "set(pawl_command \"$<TARGET_FILE:pawl>\")\nset(pawl_source \"${PROJECT_SOURCE_DIR}\")")
install(SCRIPT ${PROJECT_SOURCE_DIR}/cmake/install_service.cmake)
install(FILES ${PROJECT_SOURCE_DIR}/packaging/pawl.yaml.example DESTINATION ${CMAKE_INSTALL_DATADIR}/pawl)
install(FILES ${PROJECT_SOURCE_DIR}/packaging/pawl.sysusers DESTINATION lib/sysusers.d RENAME pawl.conf)
install(FILES ${PROJECT_SOURCE_DIR}/docs/operators.md ${PROJECT_SOURCE_DIR}/docs/configuration.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
