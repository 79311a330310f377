#include "cli/lines.hpp"

#include <utility>

namespace kakehashi::cli {

using base::say;

void Lines::line(const base::Message& message) const { *stream_ << said(message) << std::endl; }

void Lines::labelled(const base::Message& label, const base::Message& text, std::size_t width) const {
  *stream_ << words::labelled(language_, label, text, width) << std::endl;
}

void Lines::indented(const base::Message& message) const { *stream_ << "  " << said(message) << std::endl; }

void Lines::blank() const { *stream_ << std::endl; }

int Terminal::fault(const base::Message& why, int status) const {
  errors.line(say("kakehashi: {}", why));
  return status;
}

Misuse::Misuse(base::Message why) : CLI::ParseError("Misuse", why.english(), CLI::ExitCodes::ValidationError), why_(std::move(why)) {}

}  // namespace kakehashi::cli
