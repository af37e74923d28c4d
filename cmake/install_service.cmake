# Runs at install time; needs pawl_command and pawl_source.
set(root "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}")
configure_file(${pawl_source}/packaging/pawl.service.in ${root}/lib/systemd/system/pawl.service @ONLY)
message(STATUS "Installing: ${root}/lib/systemd/system/pawl.service")

function(install_completion shell folder name)
  file(MAKE_DIRECTORY ${root}/share/${folder})
  execute_process(COMMAND ${pawl_command} completion ${shell} OUTPUT_FILE ${root}/share/${folder}/${name} COMMAND_ERROR_IS_FATAL ANY)
  message(STATUS "Installing: ${root}/share/${folder}/${name}")
endfunction()
install_completion(bash bash-completion/completions pawl)
install_completion(zsh zsh/site-functions _pawl)
install_completion(fish fish/vendor_completions.d pawl.fish)
