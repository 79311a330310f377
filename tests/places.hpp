// Where the tests find what lies outside their programs. One source is told (tests/places.cpp), and
// no other has the path of a tree in its command line: all the others are compiled once for all
// trees that share a ccache.
#pragma once

#include <string>

namespace kakehashi::test {

const std::string& source_dir();
const std::string& tests_dir();

const std::string& binary();  ///< kakehashi
const std::string& keeper_binary();
const std::string& fake_engine_binary();
const std::string& fairy_stockfish();

/// What is loaded before the C library (tests/faults).
const std::string& clock_shift();
const std::string& full_buffers();
const std::string& heap_watch();
const std::string& no_memory();
const std::string& poison();
const std::string& slow_disk();

}  // namespace kakehashi::test
