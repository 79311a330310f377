#include "keeper/attach_command.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>

#include "base/checksum.hpp"
#include "base/text.hpp"

namespace kakehashi::keeper {

namespace {

constexpr std::size_t name_bytes_max = 40;

constexpr std::string_view plain =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.";

}  // namespace

std::string keeper_name(std::string_view text) {
  std::string name(text.substr(0, name_bytes_max));
  for (char& c : name) {
    c = plain.find(c) == std::string_view::npos ? '_' : c;
  }
  if (name.empty() || name.front() == '.' || name.front() == '-') {
    name.insert(name.begin(), '_');
  }
  if (name == text) {
    return name;
  }
  std::array<char, 16> sum{};
  std::snprintf(sum.data(), sum.size(), "-%08x", static_cast<unsigned>(base::crc32c(text)));
  return name + sum.data();
}

std::vector<std::string> attach_words(const Attachment& attachment) {
  std::vector<std::string> words{"attach", attachment.name};
  const auto add = [&](const char* option, const std::string& value) {
    if (!value.empty()) {
      words.emplace_back(option);
      words.push_back(value);
    }
  };
  add("--directory", attachment.directory);
  add("--keep-in", attachment.keep_in);
  add("--mark", attachment.mark);
  add("--fresh", attachment.fresh);
  for (const std::string& pattern : attachment.pass) {
    add("--pass", pattern);
  }
  if (attachment.core_dumps) {
    words.emplace_back("--core-dumps");
  }
  if (attachment.ends_with_client) {
    words.emplace_back("--end-with-client");
  }
  words.emplace_back("--");
  words.insert(words.end(), attachment.command.begin(), attachment.command.end());
  return words;
}

std::vector<std::string> ssh_command(std::string_view host) {
  if (host.find(' ') != std::string_view::npos) {
    std::vector<std::string> words;
    for (const std::string_view word : base::split_words(host)) {
      words.emplace_back(word);
    }
    return words;
  }
  return {"ssh",
          "-T",                             // no terminal, which would change bytes
          "-o", "BatchMode=yes",            // nobody is there to type a password
          "-o", "ConnectTimeout=5",
          "-o", "IPQoS=af21",               // as for a person who types: else Wi-Fi takes it for a file that is copied
          "-o", "ServerAliveInterval=5",
          "-o", "ServerAliveCountMax=3",
          "-o", "ControlMaster=no",         // a shared connection would hold up the one that is to replace it
          "-o", "ControlPath=none",
          "-o", "ClearAllForwardings=yes",  // a forwarded port is taken while the old connection lives
          "-o", "ForwardAgent=no",
          "-o", "ForwardX11=no",
          std::string(host)};
}

std::string quote_for_shell(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

std::string remote_command(const std::vector<std::string>& words) {
  // The login shell may be any; what it gets is three quoted words and more.
  std::string line = "exec /bin/sh -c " +
                     quote_for_shell("PATH=\"$HOME/" + std::string(installed_in) + ":$PATH\" exec kakehashi-keep \"$@\"") + " sh";
  for (const std::string& word : words) {
    line += " " + quote_for_shell(word);
  }
  return line;
}

}  // namespace kakehashi::keeper
