#include "base/message.hpp"

#include <limits>

#include "base/overload.hpp"

namespace kakehashi::base {
namespace {

std::string_view as_it_is(std::string_view, std::string_view sentence) { return sentence; }

std::string rendered(const Message::Part& part, Message::Translation translation) {
  return std::visit(Overload{
                        [](const std::string& text) { return text; },
                        [](const Quoted& text) { return quote_for_log(text.text, text.bytes_max); },
                        [](std::int64_t number) { return std::to_string(number); },
                        [&](const Message& message) { return message.in(translation); },
                    },
                    part.value);
}

/// Japanese sentences have a space beside a part, for figures and quotes; beside words of its own it has none.
/// Both are said of one place: "{} は" with "\"x\"" or with "リスト" in it.
bool is_wide(std::string_view character) { return !character.empty() && static_cast<unsigned char>(character.front()) >= 0xE3; }

std::string_view last_character(std::string_view text) {
  std::size_t at = text.size();
  while (at > 0 && (static_cast<unsigned char>(text[--at]) & 0xC0U) == 0x80U) {
  }
  return text.substr(at);
}

/// Behind a particle; behind a noun ("対局 ") it keeps two words apart.
bool ends_in_hiragana_and_space(std::string_view text) {
  if (!text.ends_with(' ')) {
    return false;
  }
  const std::string_view last = last_character(text.substr(0, text.size() - 1));
  return last >= "\u3041" && last <= "\u309F";
}

bool ends_in_words(std::string_view text) { return text.ends_with(')') || is_wide(last_character(text)); }

}  // namespace

Message::Message() = default;
Message::Message(const Message& other) = default;
Message::Message(Message&& other) noexcept = default;
Message& Message::operator=(const Message& other) = default;
Message& Message::operator=(Message&& other) noexcept = default;
Message::~Message() = default;

Message::Message(std::string_view context, std::string_view sentence, std::vector<Part> parts)
    : context_(context), sentence_(sentence), parts_(std::move(parts)) {}

std::string Message::in(Translation translation) const {
  const std::string_view sentence = translation(context_, sentence_);
  std::string out;
  std::size_t next = 0;
  std::size_t from = 0;
  for (std::size_t at = find_part(sentence, 0); at != std::string_view::npos; at = find_part(sentence, from)) {
    const char name = sentence[at + 1];
    const std::size_t part = name == '}' ? next++ : static_cast<std::size_t>(name - '0');
    out += sentence.substr(from, at - from);
    const std::string text = rendered(parts_.at(part), translation);
    const bool is_said = std::holds_alternative<Message>(parts_.at(part).value);
    from = sentence.find('}', at) + 1;
    if (is_said && ends_in_hiragana_and_space(out) && is_wide(text)) {
      out.pop_back();
    }
    out += text;
    if (is_said && ends_in_words(text) && sentence.substr(from).starts_with(' ') && is_wide(sentence.substr(from + 1))) {
      ++from;
    }
  }
  return out += sentence.substr(from);
}

Message Message::with_texts(const std::function<std::string(std::string)>& changed) const {
  Message other = *this;
  for (Part& part : other.parts_) {
    std::visit(Overload{
                   [&](std::string& text) { text = changed(std::move(text)); },
                   [&](Quoted& quote) { quote.text = changed(std::move(quote.text)); },
                   [](std::int64_t) {},
                   [&](Message& message) { message = message.with_texts(changed); },
               },
               part.value);
  }
  return other;
}

std::string Message::english() const { return in(as_it_is); }

std::string Message::Part::plain() const {
  const auto* quote = std::get_if<Quoted>(&value);
  return quote != nullptr ? quote->text : rendered(*this, as_it_is);
}

Message verbatim(Quoted text) { return {{}, "{}", {std::move(text)}}; }

Message verbatim(std::string text) { return text.empty() ? Message() : Message({}, "{}", {std::move(text)}); }

Message system_words(std::string text) {
  for (Message known : {say("Connection refused"), say("Connection timed out"), say("Connection reset by peer"),
                        say("Network is unreachable"), say("Name or service not known"), say("Temporary failure in name resolution"),
                        say("Host not found (authoritative)"),
                        say("Host not found (non-authoritative), try again later"), say("No such file or directory"),
                        say("Permission denied"), say("No space left on device")}) {
    if (known == text) {
      return known;
    }
  }
  return verbatim(std::move(text));
}

Message duration(std::int64_t millis) {
  if (millis < 0) {
    return say("-{}", duration(millis == std::numeric_limits<std::int64_t>::min() ? -(millis + 1) : -millis));
  }
  if (millis < 1000) {
    return say("{} ms", millis);
  }
  const std::int64_t seconds = millis / 1000;
  if (seconds < 60) {
    std::string number = std::to_string(seconds);
    if (const std::int64_t rest = millis % 1000; rest != 0) {
      number += "." + std::to_string(1000 + rest).substr(1);
      number.erase(number.find_last_not_of('0') + 1);
    }
    return say("{} s", number);
  }
  const std::int64_t minutes = seconds / 60;
  if (minutes < 60) {
    return seconds % 60 == 0 ? say("{} min", minutes) : say("{} min {} s", minutes, seconds % 60);
  }
  return minutes % 60 == 0 ? say("{} h", minutes / 60) : say("{} h {} min", minutes / 60, minutes % 60);
}

Message listed(std::span<const Message> messages) {
  Message all;
  for (const Message& message : messages) {
    all = all.empty() ? message : say("{}, {}", all, message);
  }
  return all;
}

Message choices(std::span<const Message> messages) {
  if (messages.size() < 2) {
    return listed(messages);
  }
  return say("{} or {}", listed(messages.first(messages.size() - 1)), messages.back());
}

namespace {

std::vector<Message> verbatim_each(std::span<const std::string> words) {
  std::vector<Message> messages;
  messages.reserve(words.size());
  for (const std::string& word : words) {
    messages.push_back(verbatim(word));
  }
  return messages;
}

}  // namespace

Message listed(std::span<const std::string> words) { return listed(verbatim_each(words)); }

Message choices(std::span<const std::string> words) { return choices(verbatim_each(words)); }

}  // namespace kakehashi::base
