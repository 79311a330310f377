#include "base/message.hpp"


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
    out += rendered(parts_.at(part), translation);
    from = sentence.find('}', at) + 1;
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
    return say("-{}", duration(-millis));
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

Message choices(std::span<const std::string> words) {
  std::vector<Message> messages;
  messages.reserve(words.size());
  for (const std::string& word : words) {
    messages.push_back(verbatim(word));
  }
  return choices(messages);
}

}  // namespace kakehashi::base
