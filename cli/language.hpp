// In which language the commands speak, and their help in it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "words/words.hpp"

namespace CLI {
class App;
}

namespace kakehashi::cli {

/// The one that --lang names, else that of the locale. It must be known before the command line is read: what is wrong
/// with that is to be said, too.
[[nodiscard]] words::Language language_of(const std::vector<std::string>& arguments);

/// --lang en|ja. `take` gets the word.
void add_language_option(CLI::App& command, const std::function<void(const std::string&)>& take);

/// Gives --lang to `app` and to each of its commands that lacks it, and describes all in that language.
void describe_in(words::Language language, CLI::App& app);

}  // namespace kakehashi::cli
