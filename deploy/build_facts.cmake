# Writes the source that says which build a program is (base/build_facts.hpp), when it says something new.
# The commit is that of the git clone, or the one that `git archive` wrote into deploy/commit, or KAKEHASHI_COMMIT
# of the environment. No time and no place: the same source gives the same program.
#
#   cmake -DSOURCE=DIRECTORY -DOUTPUT=FILE -DFACTS=TEXT -P build_facts.cmake
file(STRINGS "${SOURCE}/deploy/commit" commit)
if(NOT "$ENV{KAKEHASHI_COMMIT}" STREQUAL "")
  set(commit "$ENV{KAKEHASHI_COMMIT}")
elseif(NOT commit MATCHES "^[0-9a-f]+$")
  set(commit "")
  if(EXISTS "${SOURCE}/.git")
    execute_process(COMMAND git -C "${SOURCE}" describe --always --abbrev=12 --exclude=* --dirty=+changes
      OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
endif()
if(NOT commit MATCHES "^[0-9A-Za-z.+-]+$")
  set(commit unknown)
endif()
if(commit MATCHES "^[0-9a-f]+$")
  string(SUBSTRING "${commit}" 0 12 commit)
endif()
set(text "#include \"base/build_facts.hpp\"

std::string_view kakehashi::base::build_facts() { return \"commit ${commit}, ${FACTS}\"; }
")
set(before "")
if(EXISTS "${OUTPUT}")
  file(READ "${OUTPUT}" before)
endif()
if(NOT text STREQUAL before)
  file(WRITE "${OUTPUT}" "${text}")
endif()
