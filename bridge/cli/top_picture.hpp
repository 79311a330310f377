// What `kakehashi top` shows, from the report of a running program. Pure: values in, text out.
#pragma once

#include <boost/json/array.hpp>
#include <string>

#include "base/time.hpp"
#include "bridge/cli/live_view.hpp"

namespace kakehashi::bridge::cli {

/// `bots` as /api/v1/status has them. Each has its whole picture while `look.rows` lets it; those behind it
/// have a line each.
[[nodiscard]] std::string render_top(const boost::json::array& bots, base::SteadyTime now, const Look& look);

}  // namespace kakehashi::bridge::cli
