#include "keeper/keeper.hpp"

#include <algorithm>
#include <utility>

#include "base/overload.hpp"
#include "base/text.hpp"

namespace kakehashi::keeper {

using base::SteadyTime;

namespace {

std::string_view first_word(std::string_view line) { return line.substr(0, line.find(' ')); }

bool is_answer(std::string_view line) {
  const std::string_view word = first_word(line);
  return word == "bestmove" || word == "checkmate";
}

}  // namespace

Keeper::Keeper(Rules rules, SteadyTime now) : rules_(std::move(rules)), unattended_at_(now + rules_.unattended) {}

void Keeper::on_client(int client, SteadyTime now) { clients_.insert_or_assign(client, Client{now}); }

void Keeper::on_client_gone(int client, SteadyTime now) {
  clients_.erase(client);
  const bool is_attended = std::any_of(clients_.begin(), clients_.end(),
                                       [](const auto& entry) { return entry.second.is_served(); });
  if (!is_attended && !unattended_at_ && !kill_at_ && !has_left_) {
    unattended_at_ = now + rules_.unattended;
  }
}

void Keeper::on_leave_taken(int client, SteadyTime now) {
  const bool is_last = std::none_of(clients_.begin(), clients_.end(), [&](const auto& entry) {
    return entry.first != client && entry.second.is_served();
  });
  const auto found = clients_.find(client);
  if (is_last && found != clients_.end() && found->second.is_served()) {
    quit(now);
  }
}

void Keeper::on_client_line(int client, std::string_view line, SteadyTime now) {
  const auto found = clients_.find(client);
  if (found == clients_.end() || !found->second.refusal.empty()) {
    return;
  }
  Client& from = found->second;
  from.heard_at = now;
  auto word = read_client_line(line);
  if (!word) {
    refuse(client, from, "words", word.error().what);
    return;
  }
  if (!from.has_said_hello && !std::holds_alternative<Hello>(*word)) {
    refuse(client, from, "words", "hello comes first");
    return;
  }
  std::visit(base::Overload{
                 [&](const Hello& hello) { hear(client, from, hello); },
                 [&](Input& input) { hear(client, from, std::move(input), now); },
                 [&](const Until& until) { hear(client, from, until, now); },
                 [&](const Acknowledged& seen) { hear(client, from, seen); },
                 [&](Ping& ping) { from.pong = std::move(ping.token); },
                 [&](const End&) { quit(now); },
                 [&](const Kill&) { kill(); },
             },
             *word);
}

void Keeper::hear(int client, Client& from, const Hello& hello) {
  if (hello.protocol != protocol) {
    refuse(client, from, "protocol", "this keeper speaks protocol " + std::to_string(protocol));
    return;
  }
  if (from.has_said_hello) {
    refuse(client, from, "words", "hello was said already");
    return;
  }
  if (kill_at_) {
    refuse(client, from, "leaving", "the engine is leaving");
    return;
  }
  const bool is_new = hello.session != session_;
  if (hello.seen > (is_new ? 0 : said_)) {
    refuse(client, from, "other", "so many lines were never said");
    return;
  }
  if (is_new) {
    begin_session(hello.session);
  }
  from.has_said_hello = true;
  from.sent = hello.seen;
  from.told = accepted_;
  from.greeting = "keeper " + std::to_string(protocol) + " " + rules_.version + " " + std::to_string(accepted_);
  unattended_at_.reset();
  acknowledge(hello.seen);
}

/// Whoever listened before is another program, or the same one before it was started anew: the newer one has the
/// engine, as one that has just been started and owes nothing.
void Keeper::begin_session(const std::string& session) {
  for (auto& [number, client] : clients_) {
    if (client.is_served()) {
      refuse(number, client, "taken", "another session has taken the engine");
    }
  }
  session_ = session;
  kept_.clear();
  kept_bytes_ = 0;
  said_ = 0;
  lost_ = 0;
  accepted_ = 0;
  written_ = 0;
  waiting_.clear();
  waiting_bytes_ = 0;
  stop_at_.reset();
  thinner_ = Thinner{};
  if (has_exited_) {
    keep("exit", "before this session", false);
    exit_number_ = said_;
  } else if (owed_ > 0 && !is_settling_) {
    is_settling_ = true;
    has_said_stop_ = true;
    actions_.emplace_back(WriteEngine{"stop"});
  }
}

void Keeper::hear(int client, Client& from, std::variant<Input, Until> word, SteadyTime now) {
  const std::uint64_t number = std::visit([](const auto& numbered) { return numbered.number; }, word);
  if (number <= accepted_) {
    return;  // it came by the other way already
  }
  if (number != accepted_ + 1) {
    refuse(client, from, "other", "line " + std::to_string(accepted_ + 1) + " is missing");
    return;
  }
  accepted_ = number;
  if (!is_settling_) {
    obey(std::move(word), now);
    return;
  }
  const auto* input = std::get_if<Input>(&word);
  waiting_bytes_ += sizeof(Waiting) + (input == nullptr ? 0 : input->text.size());
  if (waiting_bytes_ > waiting_bytes_max) {
    actions_.emplace_back(KillEngine{});  // it has been told to stop, and does not
    return;
  }
  waiting_.push_back({std::move(word), now});
}

void Keeper::hear(int client, Client& from, Acknowledged seen) {
  if (seen.number > said_) {
    refuse(client, from, "words", "so many lines were never said");
    return;
  }
  acknowledge(seen.number);
}

void Keeper::obey(std::variant<Input, Until> word, SteadyTime arrived_at) {
  std::visit(base::Overload{
                 [&](Input& input) { write(std::move(input)); },
                 [&](const Until& until) {
                   written_ = until.number;
                   // A search that has answered already is not stopped: the word would meet the next one.
                   if (owed_ > 0 && !has_said_stop_) {
                     stop_at_ = arrived_at + until.after;
                     stop_for_ = until.number;
                   }
                 },
             },
             word);
}

void Keeper::write(Input input) {
  const std::string_view word = first_word(input.text);
  written_ = input.number;
  if (word == "go") {
    ++owed_;
    has_said_stop_ = false;
    stop_at_.reset();
  }
  // Both may say it at once; an engine hears it once, and none that has answered does.
  const bool is_vain = word == "stop" && (owed_ == 0 || has_said_stop_);
  if (word == "stop") {
    stop_at_.reset();
    has_said_stop_ = true;
  }
  if (!has_exited_ && !is_vain) {
    actions_.emplace_back(WriteEngine{std::move(input.text)});
  }
}

void Keeper::on_engine_line(std::string line, SteadyTime now) {
  const bool is_final = is_answer(line);
  if (is_final) {
    owed_ = std::max(0, owed_ - 1);
    stop_at_.reset();
  }
  if (is_settling_) {
    if (owed_ == 0) {
      is_settling_ = false;
      waiting_bytes_ = 0;
      for (Waiting& waiting : std::exchange(waiting_, {})) {
        obey(std::move(waiting.word), waiting.arrived_at);
      }
    }
    return;  // it is no business of this session
  }
  const std::vector<std::string> passed_on = thinner_.take(std::move(line), now);
  for (const std::string& passed : passed_on) {
    keep("out", passed, first_word(passed) == "info");
  }
}

void Keeper::on_engine_error_line(std::string line) {
  if (!is_settling_) {
    keep("err", line, true);
  }
}

void Keeper::on_engine_exit(std::string status, SteadyTime now) {
  has_exited_ = true;
  is_settling_ = false;
  owed_ = 0;
  stop_at_.reset();
  for (const std::string& passed : thinner_.take("", now)) {
    if (!passed.empty()) {
      keep("out", passed, true);
    }
  }
  keep("exit", status, false);
  exit_number_ = said_;
  if (kill_at_) {
    leave();
  }
}

void Keeper::keep(std::string word, std::string_view text, bool is_info) {
  if (lost_ > 0 && !is_info) {
    const std::uint64_t count = std::exchange(lost_, 0);
    keep("lost", std::to_string(count), false);
  }
  ++said_;
  std::string line = std::move(word) + " " + std::to_string(said_) + " " + std::string(text);
  kept_bytes_ += line.size();
  kept_.push_back({said_, std::move(line), is_info});
  make_room();
}

void Keeper::make_room() {
  while (kept_bytes_ > kept_bytes_max || kept_.size() > kept_lines_max) {
    const auto oldest = std::find_if(kept_.begin(), kept_.end(), [](const Kept& line) { return line.is_info; });
    if (oldest == kept_.end()) {
      kept_.clear();
      kept_bytes_ = 0;
      actions_.emplace_back(KillEngine{});
      return;
    }
    kept_bytes_ -= oldest->text.size();
    ++lost_;
    kept_.erase(oldest);
  }
}

void Keeper::acknowledge(std::uint64_t number) {
  while (!kept_.empty() && kept_.front().number <= number) {
    kept_bytes_ -= kept_.front().text.size();
    kept_.pop_front();
  }
  if (has_exited_ && number >= exit_number_ && exit_number_ > 0) {
    leave();
  }
}

void Keeper::refuse(int client, Client& from, const std::string& code, const std::string& why) {
  from.refusal = code + " " + why;
  actions_.emplace_back(CloseClient{client});
}

void Keeper::quit(SteadyTime now) {
  if (kill_at_) {
    return;
  }
  unattended_at_.reset();
  if (has_exited_) {
    leave();
    return;
  }
  actions_.emplace_back(WriteEngine{"quit"});
  kill_at_ = now + rules_.quit_grace;
}

void Keeper::kill() {
  actions_.emplace_back(KillEngine{});
  leave();
}

void Keeper::leave() {
  if (!std::exchange(has_left_, true)) {
    actions_.emplace_back(Leave{});
  }
}

void Keeper::on_time(SteadyTime now) {
  for (const std::string& passed : thinner_.due(now)) {
    keep("out", passed, true);
  }
  if (stop_at_ && now >= *stop_at_) {
    stop_at_.reset();
    has_said_stop_ = true;
    actions_.emplace_back(WriteEngine{"stop"});
    keep("stopped", std::to_string(stop_for_), false);
  }
  for (auto& [number, client] : clients_) {
    if (client.refusal.empty() && now >= client.heard_at + rules_.silence) {
      refuse(number, client, "silent", "nothing was heard of this client");
    }
  }
  if (kill_at_ && now >= *kill_at_) {
    kill_at_.reset();
    actions_.emplace_back(KillEngine{});
    leave();
  } else if (unattended_at_ && now >= *unattended_at_) {
    quit(now);
  }
}

std::optional<SteadyTime> Keeper::deadline() const {
  std::optional<SteadyTime> earliest;
  const auto take = [&](std::optional<SteadyTime> deadline) {
    if (deadline && (!earliest || *deadline < *earliest)) {
      earliest = deadline;
    }
  };
  take(thinner_.deadline());
  take(stop_at_);
  take(unattended_at_);
  take(kill_at_);
  for (const auto& [number, client] : clients_) {
    if (client.refusal.empty()) {
      take(client.heard_at + rules_.silence);
    }
  }
  return earliest;
}

std::vector<Action> Keeper::take_actions() { return std::exchange(actions_, {}); }

std::string Keeper::take_text(int client, std::size_t bytes_max) {
  const auto found = clients_.find(client);
  if (found == clients_.end()) {
    return {};
  }
  Client& to = found->second;
  std::string text;
  const auto say = [&](const std::string& line) { text += line + "\n"; };
  if (!to.greeting.empty()) {
    say(std::exchange(to.greeting, {}));
  }
  if (!to.pong.empty()) {
    say("pong " + std::exchange(to.pong, {}));
  }
  if (to.is_served()) {
    auto next = std::upper_bound(kept_.begin(), kept_.end(), to.sent,
                                 [](std::uint64_t sent, const Kept& line) { return sent < line.number; });
    // Nobody waits for it: a packet of its own would only hold up the line behind it. A pong comes each second.
    if (to.told < written_ && (next != kept_.end() || !text.empty())) {
      to.told = written_;
      say("ack " + std::to_string(written_));
    }
    for (; next != kept_.end() && text.size() < bytes_max; ++next) {
      say(next->text);
      to.sent = next->number;
    }
  }
  if (!to.refusal.empty() && !std::exchange(to.has_heard_refusal, true)) {
    say("refused " + to.refusal);
  }
  return text;
}

// --- the engine's info

std::string kind_of_info(std::string_view line) {
  const auto words = base::split_words(line.substr(0, 512));
  std::string variation = "1";
  std::string kind = "other";
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i] == "string" || words[i] == "currmove") {
      return std::string(words[i]);
    }
    if (words[i] == "multipv" && i + 1 < words.size()) {
      variation = words[i + 1].substr(0, 8);
    } else if (words[i] == "lowerbound" || words[i] == "upperbound") {
      kind = words[i];
    } else if (words[i] == "pv") {
      return variation + (kind == "other" ? " pv" : " " + kind);
    }
  }
  return kind;
}

std::vector<std::string> Thinner::take(std::string line, base::SteadyTime now) {
  const bool is_info = line.starts_with("info ") || line == "info";
  if (!is_info) {
    auto lines = flush(now, true);
    lines.push_back(std::move(line));
    return lines;
  }
  auto lines = flush(now, false);
  std::string name = kind_of_info(line);
  auto found = kinds_.find(name);
  if (found == kinds_.end()) {
    if (kinds_.size() >= kinds_max) {
      std::erase_if(kinds_, [&](const auto& entry) { return entry.second.waiting.empty() && now >= entry.second.free_at; });
    }
    if (kinds_.size() >= kinds_max) {
      name.clear();
    }
    found = kinds_.try_emplace(std::move(name), Kind{now}).first;
  }
  Kind& kind = found->second;
  if (now >= kind.free_at && kind.waiting.empty()) {
    kind.free_at = now + pause;
    lines.push_back(std::move(line));
  } else {
    if (kind.waiting.empty()) {
      kind.order = ++waited_;
    }
    kind.waiting = std::move(line);
  }
  return lines;
}

std::vector<std::string> Thinner::due(base::SteadyTime now) { return flush(now, false); }

std::vector<std::string> Thinner::flush(base::SteadyTime now, bool all) {
  std::vector<Kind*> ready;
  for (auto& [name, kind] : kinds_) {
    if (!kind.waiting.empty() && (all || now >= kind.free_at)) {
      ready.push_back(&kind);
    }
  }
  std::sort(ready.begin(), ready.end(), [](const Kind* a, const Kind* b) { return a->order < b->order; });
  std::vector<std::string> lines;
  for (Kind* kind : ready) {
    kind->free_at = now + pause;
    lines.push_back(std::exchange(kind->waiting, {}));
  }
  return lines;
}

std::optional<base::SteadyTime> Thinner::deadline() const {
  std::optional<base::SteadyTime> earliest;
  for (const auto& [name, kind] : kinds_) {
    if (!kind.waiting.empty() && (!earliest || kind.free_at < *earliest)) {
      earliest = kind.free_at;
    }
  }
  return earliest;
}

}  // namespace kakehashi::keeper
