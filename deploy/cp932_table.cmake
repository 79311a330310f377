# Writes the source with the table of code page 932 (base/cp932_table.hpp): which character each pair of bytes is, as
# iconv(1) of the machine that builds knows it. The program asks no iconv: a static one has no converters.
#
#   cmake -DICONV=PROGRAM -DOUTPUT=FILE -P cp932_table.cmake
set(pairs "")
foreach(lead RANGE 129 252)
  if(lead LESS 160 OR lead GREATER 223)
    foreach(trail RANGE 64 252)
      if(NOT trail EQUAL 127)
        string(ASCII ${lead} ${trail} 10 pair)
        string(APPEND pairs "${pair}")
      endif()
    endforeach()
  endif()
endforeach()
file(WRITE "${OUTPUT}.pairs" "${pairs}")
# -c leaves out what is no character; of some such pairs the second byte remains, as a character of its own.
execute_process(COMMAND "${ICONV}" -c -f CP932 -t UTF-16BE "${OUTPUT}.pairs" OUTPUT_FILE "${OUTPUT}.characters"
  ERROR_VARIABLE complaint)
file(READ "${OUTPUT}.characters" characters HEX)
string(REGEX MATCHALL "...." characters "${characters}")
set(table "")
set(count 0)
set(character 0)
foreach(unit IN LISTS characters)
  if(unit STREQUAL "000a")
    string(APPEND table "0x${character},")
    math(EXPR count "${count} + 1")
    set(character 0)
    math(EXPR is_line_end "${count} % 16")
    if(is_line_end EQUAL 0)
      string(APPEND table "\n")
    endif()
  elseif(NOT unit MATCHES "^(00[0-7].|ff[67].|ff8.|ff9.)$")
    set(character ${unit})
  endif()
endforeach()
if(NOT count EQUAL 11280 OR NOT table MATCHES "^0x3000,0x3001,0x3002,.*0x4e9c,0x5516,")
  message(FATAL_ERROR "${ICONV} does not know code page 932 (of glibc; some distributions have its converters in a package of "
                      "their own, such as glibc-gconv-extra): ${complaint}")
endif()
file(WRITE "${OUTPUT}" "#include \"base/cp932_table.hpp\"

constinit const std::array<char16_t, kakehashi::base::cp932_leads * kakehashi::base::cp932_trails>
    kakehashi::base::cp932_pairs{
${table}};
")
file(REMOVE "${OUTPUT}.pairs" "${OUTPUT}.characters")
