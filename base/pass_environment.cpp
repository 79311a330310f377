#include "base/pass_environment.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace kakehashi::base {

namespace {

using Patterns = std::span<const std::string_view>;

constexpr std::array<std::string_view, 10> of_every_program{
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", "TZ", "LANG", "LANGUAGE", "LC_*"};

constexpr std::array<std::string_view, 44> usual{
    // The loader, and threads and memory of the libraries that engines are built with.
    "LD_LIBRARY_PATH", "OMP_*", "GOMP_*", "KMP_*", "MKL_*", "OPENBLAS_*", "MALLOC_*",
    // NVIDIA, AMD, Intel, OpenCL, Vulkan, and what runs networks on them.
    "CUDA_*", "CUDNN_*", "CUBLAS_*", "NVIDIA_*", "NCCL_*", "TRT_*", "TENSORRT_*", "ROCR_*", "ROCM_*", "HIP_*",
    "HSA_*", "MIOPEN_*", "AMD_*", "GPU_*", "ZE_*", "ONEAPI_*", "SYCL_*", "OCL_*", "OPENCL_*", "VK_*", "ORT_*",
    "TF_*",
    // Engines behind ssh, and engines that need a runtime.
    "SSH_AUTH_SOCK", "SSH_AGENT_PID", "XDG_RUNTIME_DIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME",
    "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "CONDA_PREFIX", "JAVA_HOME", "DOTNET_*", "WINEPREFIX", "WINEARCH",
    "WINEDEBUG"};

/// What shells, terminals, desktops and services keep for themselves; no engine misses it.
constexpr std::array<std::string_view, 42> of_no_engine{
    "_", "PWD", "OLDPWD", "SHLVL", "HIST*", "PS1", "TERM", "TERM_*", "COLORTERM", "COLUMNS", "LINES", "LS_COLORS", "LESS*",
    "EDITOR", "VISUAL", "PAGER", "MAIL", "HOSTNAME", "SSH_*", "SUDO_*", "TMUX*", "STY", "VTE_*", "WINDOWID", "DISPLAY",
    "WAYLAND_*", "DBUS_*", "XDG_*", "DESKTOP_*", "GNOME_*", "GTK_*", "KDE_*", "QT_*", "XCURSOR_*", "GIT_*", "DEBIAN_*",
    "NOTIFY_SOCKET", "WATCHDOG_*", "JOURNAL_STREAM", "INVOCATION_ID", "SYSTEMD_*", "MEMORY_PRESSURE_*"};

constexpr std::array<std::string_view, 8> words_of_secrets{"PASS", "TOKEN", "SECRET", "KEY",
                                                           "AUTH", "TRIP", "CREDENTIAL", "KAKEHASHI"};

bool matches(std::string_view pattern, std::string_view name) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) {
    return pattern == name;
  }
  if (name.substr(0, star) != pattern.substr(0, star)) {
    return false;
  }
  pattern.remove_prefix(star + 1);
  for (std::size_t at = star; at <= name.size(); ++at) {
    if (matches(pattern, name.substr(at))) {
      return true;
    }
  }
  return false;
}

bool looks_like_a_secret(std::string_view name) {
  if (name == "SSH_AUTH_SOCK") {
    return false;
  }
  std::string upper(name);
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](char c) { return static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c); });
  return std::any_of(words_of_secrets.begin(), words_of_secrets.end(),
                     [&](std::string_view word) { return upper.find(word) != std::string::npos; });
}

bool lets_through(std::string_view pattern, std::string_view name) {
  return matches(pattern, name) && (pattern == name || !looks_like_a_secret(name));
}

bool let_through(Patterns patterns, std::string_view name) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](std::string_view pattern) { return lets_through(pattern, name); });
}

}  // namespace

bool passes(const std::vector<std::string>& patterns, std::string_view name) {
  return let_through(of_every_program, name) ||
         std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
           return pattern == usual_environment ? let_through(usual, name) : lets_through(pattern, name);
         });
}

PassedEnvironment pass_environment(const std::vector<std::string>& patterns, const Environment& all) {
  PassedEnvironment result;
  for (const auto& variable : all) {
    if (passes(patterns, variable.first)) {
      result.passed.push_back(variable);
    } else if (!let_through(of_no_engine, variable.first)) {
      result.withheld.push_back(variable.first);
    }
  }
  std::sort(result.withheld.begin(), result.withheld.end());
  return result;
}

bool may_miss(std::string_view withheld, const std::vector<std::string>& last_words) {
  if (withheld.empty() || last_words.empty()) {
    return !withheld.empty();
  }
  const auto speaks_of = [&](std::string_view word) {
    return std::any_of(last_words.begin(), last_words.end(),
                       [&](const std::string& line) { return line.find(word) != std::string::npos; });
  };
  bool is_named = speaks_of(".so") || speaks_of("librar") || speaks_of("environment");
  while (!is_named && !withheld.empty()) {
    const std::string_view name = withheld.substr(0, withheld.find(", "));
    is_named = speaks_of(name);
    withheld.remove_prefix(std::min(withheld.size(), name.size() + 2));
  }
  return is_named;
}

}  // namespace kakehashi::base
