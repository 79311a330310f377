#include "config/io/read_zone.hpp"

#include <cstdlib>

#include "base/text.hpp"
#include "config/io/read_file.hpp"
#include "config/time_zone.hpp"

namespace kakehashi::config::io {
namespace {

constexpr std::size_t zone_bytes_max = std::size_t{256} * 1024;
constexpr const char* zones = "/usr/share/zoneinfo/";

/// The name in $TZ, with or without its colon; empty when the machine's own zone counts.
std::string zone_of_environment() {
  const char* value = std::getenv("TZ");
  std::string name = value == nullptr ? "" : value;
  if (name.starts_with(':')) {
    name.erase(0, 1);
  }
  return name;
}

}  // namespace

base::Result<std::vector<ZoneOffset>> read_zone(const std::string& name, base::WallTime now) {
  const bool is_local = name == "local";
  const std::string wanted = is_local ? zone_of_environment() : name;
  if (const auto fixed = parse_fixed_zone(wanted)) {
    return std::vector<ZoneOffset>{{0, *fixed}};
  }
  const std::string path = wanted.empty() ? "/etc/localtime"
                           : wanted.starts_with('/') ? wanted
                                                     : zones + wanted;
  const FileRead file = read_file(path, zone_bytes_max);
  if (!file.is_good() && is_local && wanted.empty()) {
    return std::vector<ZoneOffset>{{0, std::chrono::seconds{0}}};  // as the C library reads it
  }
  if (!file.is_good()) {
    return base::fail("the zone " + base::quote_for_log(wanted, 80) + " is not known here (" + path + " " +
                      file.trouble + "); is tzdata installed? An offset such as +09:00 needs no file");
  }
  auto offsets = read_zone_file(file.text, now);
  return offsets ? std::move(offsets)
                 : base::Result<std::vector<ZoneOffset>>(base::fail(path + " " + offsets.error().what));
}

}  // namespace kakehashi::config::io
