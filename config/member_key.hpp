// How a member of BotConfig becomes the shape of a key: the path of member pointers is the one place
// where a key and its member meet. For the rows in keys.cpp; it knows no key.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "config/describe.hpp"

namespace kakehashi::config {

/// The member at the end of a path of member pointers.
template <auto... path>
auto& member(BotConfig& bot) {
  return (bot.*....*path);
}
template <auto... path>
const auto& member(const BotConfig& bot) {
  return (bot.*....*path);
}
template <auto... path>
using Member = std::remove_cvref_t<decltype(member<path...>(std::declval<BotConfig&>()))>;

template <class T>
struct Unwrapped {
  using Type = T;
};
template <class T>
struct Unwrapped<std::optional<T>> {
  using Type = T;
};

template <auto... path>
std::string& text_at(BotConfig& bot) {
  return member<path...>(bot);
}
template <auto... path>
TextKey text(Complaint (*judge)(std::string_view), const char* accepted) {
  return {text_at<path...>, judge, accepted};
}

template <auto... path>
std::optional<std::int64_t> get_whole(const BotConfig& bot) {
  return member<path...>(bot);
}
template <auto... path>
void set_whole(BotConfig& bot, std::int64_t value) {
  member<path...>(bot) = static_cast<typename Unwrapped<Member<path...>>::Type>(value);
}
template <auto... path>
WholeKey whole(std::int64_t min, std::int64_t max) {
  return {get_whole<path...>, set_whole<path...>, min, max};
}

template <auto... path>
Millis get_duration(const BotConfig& bot) {
  return member<path...>(bot);
}
template <auto... path>
void set_duration(BotConfig& bot, Millis value) {
  member<path...>(bot) = std::chrono::duration_cast<Member<path...>>(value);
}
template <auto... path>
DurationKey duration(Millis min, Millis max) {
  return {get_duration<path...>, set_duration<path...>, Member<path...>{1}, min, max};
}

template <auto... path>
std::optional<Millis> get_optional_duration(const BotConfig& bot) {
  return member<path...>(bot);
}
template <auto... path>
void set_optional_duration(BotConfig& bot, std::optional<Millis> value) {
  member<path...>(bot) = value;
}

template <auto... path>
std::uint64_t& size_at(BotConfig& bot) {
  return member<path...>(bot);
}
template <auto... path>
SizeKey size(std::uint64_t min, std::uint64_t max) {
  return {size_at<path...>, min, max};
}

template <auto... path>
auto& list_at(BotConfig& bot) {
  return member<path...>(bot);
}
template <auto... path>
TextsKey texts(Complaint (*judge)(std::string_view), const char* accepted) {
  return {list_at<path...>, judge, accepted};
}
template <auto... path>
CommandKey command() {
  return {list_at<path...>};
}
template <auto... path>
EnvironmentKey environment() {
  return {list_at<path...>};
}
template <auto... path>
OptionsKey options() {
  return {list_at<path...>};
}

template <auto... path>
std::optional<bool> get_flag(const BotConfig& bot) {
  return member<path...>(bot);
}
template <auto... path>
void set_flag(BotConfig& bot, bool value) {
  member<path...>(bot) = value;
}
template <auto... path>
FlagKey flag() {
  return {get_flag<path...>, set_flag<path...>};
}

template <auto... path>
std::size_t get_choice(const BotConfig& bot) {
  return static_cast<std::size_t>(member<path...>(bot));
}
template <auto... path>
void set_choice(BotConfig& bot, std::size_t index) {
  member<path...>(bot) = static_cast<Member<path...>>(index);
}
/// `words` in the order of the enumerators.
template <auto... path>
ChoiceKey choice(std::vector<std::string> words,
                 std::vector<std::pair<std::string, std::string>> aliases = {}) {
  return {std::move(words), std::move(aliases), get_choice<path...>, set_choice<path...>};
}

template <auto... path>
std::vector<std::size_t> get_choices(const BotConfig& bot) {
  std::vector<std::size_t> indices;
  for (const auto value : member<path...>(bot)) {
    indices.push_back(static_cast<std::size_t>(value));
  }
  return indices;
}
template <auto... path>
void set_choices(BotConfig& bot, const std::vector<std::size_t>& indices) {
  auto& values = member<path...>(bot);
  values.clear();
  for (const std::size_t index : indices) {
    values.push_back(static_cast<typename Member<path...>::value_type>(index));
  }
}
template <auto... path>
ChoicesKey choices(std::vector<std::string> words) {
  return {std::move(words), get_choices<path...>, set_choices<path...>};
}

}  // namespace kakehashi::config
