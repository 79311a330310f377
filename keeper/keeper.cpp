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

// --- to the clients

bool Backlog::add(std::string word, std::string_view text, bool is_info) {
  ++last_;
  std::string line = std::move(word) + " " + std::to_string(last_) + " " + std::string(text);
  bytes_ += line.size();
  lines_.push_back({last_, std::move(line), is_info});
  while (bytes_ > bytes_max || lines_.size() > lines_max) {
    const auto oldest = std::find_if(lines_.begin(), lines_.end(), [](const Line& one) { return one.is_info; });
    if (oldest == lines_.end()) {
      lines_.clear();
      bytes_ = 0;
      return false;
    }
    bytes_ -= oldest->text.size();
    lines_.erase(oldest);
  }
  return true;
}

void Backlog::acknowledge(std::uint64_t number) {
  while (!lines_.empty() && lines_.front().number <= number) {
    bytes_ -= lines_.front().text.size();
    lines_.pop_front();
  }
}

const Backlog::Line* Backlog::behind(std::uint64_t number) const {
  const auto next = std::upper_bound(lines_.begin(), lines_.end(), number,
                                     [](std::uint64_t one, const Line& line) { return one < line.number; });
  return next == lines_.end() ? nullptr : &*next;
}

// --- for the engine

Inbox::Arrival Inbox::arrive(std::uint64_t number) {
  if (number <= accepted_) {
    return Arrival::repeated;
  }
  if (number != accepted_ + 1) {
    return Arrival::gap;
  }
  accepted_ = number;
  return Arrival::next;
}

bool Inbox::wait(Word word, SteadyTime now) {
  const auto* input = std::get_if<Input>(&word);
  waiting_bytes_ += sizeof(Waiting) + (input == nullptr ? 0 : input->text.size());
  if (waiting_bytes_ > waiting_bytes_max) {
    return false;
  }
  waiting_.push_back({std::move(word), now});
  return true;
}

std::deque<Inbox::Waiting> Inbox::take_waiting() {
  waiting_bytes_ = 0;
  return std::exchange(waiting_, {});
}

// --- what the engine searches

bool Searches::admit(std::string_view line) {
  const std::string_view word = first_word(line);
  if (word == "go") {
    ++owed_;
    has_said_stop_ = false;
    timed_.reset();
  }
  if (word != "stop") {
    return true;
  }
  // Both may say it at once.
  const bool is_vain = owed_ == 0 || has_said_stop_;
  timed_.reset();
  has_said_stop_ = true;
  return !is_vain;
}

void Searches::stop_at(SteadyTime at) {
  if (owed_ > 0 && !has_said_stop_) {
    timed_ = at;
  }
}

bool Searches::abandon() {
  if (owed_ == 0 || is_settling_) {
    return false;
  }
  is_settling_ = true;
  has_said_stop_ = true;
  return true;
}

void Searches::on_answer() {
  owed_ = std::max(0, owed_ - 1);
  timed_.reset();
  is_settling_ = is_settling_ && owed_ > 0;
}

void Searches::on_exit() {
  owed_ = 0;
  timed_.reset();
  is_settling_ = false;
}

bool Searches::take_due(SteadyTime now) {
  const bool is_due = timed_ && now >= *timed_;
  if (is_due) {
    has_said_stop_ = true;
    timed_.reset();
  }
  return is_due;
}

// --- the keeper

Keeper::Keeper(Rules rules, SteadyTime now)
    : rules_(std::move(rules)), attendance_(Unattended{now + rules_.unattended}) {}

void Keeper::on_client(int client, SteadyTime now) { clients_.insert_or_assign(client, Client{now}); }

void Keeper::on_client_gone(int client, SteadyTime now) {
  clients_.erase(client);
  const bool is_attended = std::any_of(clients_.begin(), clients_.end(),
                                       [](const auto& entry) { return entry.second.is_served(); });
  if (!is_attended && std::holds_alternative<Attended>(attendance_) && !has_left_) {
    attendance_ = Unattended{now + rules_.unattended};
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
  if (found == clients_.end() || found->second.is_refused()) {
    return;
  }
  Client& from = found->second;
  from.heard_at = now;
  auto word = read_client_line(line);
  if (!word) {
    refuse(client, from, "words", word.error());
    return;
  }
  if (!from.is_served() && !std::holds_alternative<Hello>(*word)) {
    refuse(client, from, "words", "hello comes first");
    return;
  }
  std::visit(base::Overload{
                 [&](const Hello& hello) { hear(client, from, hello); },
                 [&](Input& input) { hear(client, from, std::move(input), now); },
                 [&](const Until& until) { hear(client, from, until, now); },
                 [&](const Acknowledged& seen) {
                   if (seen.number > session_.said.last()) {
                     refuse(client, from, "words", "so many lines were never said");
                   } else {
                     acknowledge(seen.number);
                   }
                 },
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
  if (from.is_served()) {
    refuse(client, from, "words", "hello was said already");
    return;
  }
  if (is_quitting()) {
    refuse(client, from, "leaving", "the engine is leaving");
    return;
  }
  const bool is_new = hello.session != session_.name;
  if (hello.seen > (is_new ? 0 : session_.said.last())) {
    refuse(client, from, "other", "so many lines were never said");
    return;
  }
  if (is_new) {
    begin_session(hello.session);
  }
  const std::uint64_t accepted = session_.inbox.accepted();
  from.state = Served{.sent = hello.seen, .told = accepted};
  from.greeting = "keeper " + std::to_string(protocol) + " " + rules_.version + " " + std::to_string(accepted);
  attendance_ = Attended{};
  acknowledge(hello.seen);
}

/// Whoever listened before is another program, or the same one before it was started anew: the newer one has the
/// engine, as one that has just been started and owes nothing.
void Keeper::begin_session(const std::string& name) {
  for (auto& [number, client] : clients_) {
    if (client.is_served()) {
      refuse(number, client, "taken", "another session has taken the engine");
    }
  }
  session_ = Session{.name = name};
  searches_.forget_time();
  if (exit_number_) {
    keep("exit", "before this session", false);
    exit_number_ = session_.said.last();
  } else if (searches_.abandon()) {
    actions_.emplace_back(WriteEngine{"stop"});
  }
}

void Keeper::hear(int client, Client& from, Inbox::Word word, SteadyTime now) {
  const std::uint64_t number = std::visit([](const auto& numbered) { return numbered.number; }, word);
  switch (session_.inbox.arrive(number)) {
    case Inbox::Arrival::repeated: return;
    case Inbox::Arrival::gap:
      refuse(client, from, "other", "line " + std::to_string(session_.inbox.accepted() + 1) + " is missing");
      return;
    case Inbox::Arrival::next: break;
  }
  if (!searches_.is_settling()) {
    obey(std::move(word), now);
  } else if (!session_.inbox.wait(std::move(word), now)) {
    actions_.emplace_back(KillEngine{});  // it has been told to stop, and does not
  }
}

void Keeper::obey(Inbox::Word word, SteadyTime arrived_at) {
  std::visit(base::Overload{
                 [&](Input& input) {
                   if (searches_.admit(input.text) && !exit_number_) {
                     actions_.emplace_back(WriteEngine{std::move(input.text)});
                   }
                 },
                 [&](const Until& until) { searches_.stop_at(arrived_at + until.after); },
             },
             word);
}

void Keeper::on_engine_line(std::string line, SteadyTime now) {
  const bool is_of_earlier_session = searches_.is_settling();
  if (is_answer(line)) {
    searches_.on_answer();
  }
  if (is_of_earlier_session) {
    if (!searches_.is_settling()) {
      for (Inbox::Waiting& waiting : session_.inbox.take_waiting()) {
        obey(std::move(waiting.word), waiting.arrived_at);
      }
    }
    return;
  }
  const std::vector<std::string> passed_on = session_.thinner.take(std::move(line), now);
  for (const std::string& passed : passed_on) {
    keep("out", passed, first_word(passed) == "info");
  }
}

void Keeper::on_engine_error_line(std::string line) {
  if (!searches_.is_settling()) {
    keep("err", line, true);
  }
}

void Keeper::on_engine_exit(std::string status, SteadyTime now) {
  searches_.on_exit();
  for (const std::string& passed : session_.thinner.take("", now)) {
    if (!passed.empty()) {
      keep("out", passed, true);
    }
  }
  keep("exit", status, false);
  exit_number_ = session_.said.last();
  if (is_quitting()) {
    leave();
  }
}

void Keeper::keep(std::string word, std::string_view text, bool is_info) {
  if (!session_.said.add(std::move(word), text, is_info)) {
    actions_.emplace_back(KillEngine{});  // it says too much that may not be lost
  }
}

void Keeper::acknowledge(std::uint64_t number) {
  session_.said.acknowledge(number);
  if (exit_number_ && number >= *exit_number_) {
    leave();
  }
}

void Keeper::refuse(int client, Client& from, const std::string& code, const std::string& why) {
  from.state = Refused{code + " " + why};
  actions_.emplace_back(CloseClient{client});
}

void Keeper::quit(SteadyTime now) {
  if (is_quitting()) {
    return;
  }
  if (exit_number_) {
    attendance_ = Attended{};
    leave();
    return;
  }
  actions_.emplace_back(WriteEngine{"quit"});
  attendance_ = Quitting{now + rules_.quit_grace};
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
  for (const std::string& passed : session_.thinner.due(now)) {
    keep("out", passed, true);
  }
  if (searches_.take_due(now)) {
    actions_.emplace_back(WriteEngine{"stop"});
  }
  for (auto& [number, client] : clients_) {
    if (!client.is_refused() && now >= client.heard_at + rules_.silence) {
      refuse(number, client, "silent", "nothing was heard of this client");
    }
  }
  if (const auto* quitting = std::get_if<Quitting>(&attendance_); quitting != nullptr && now >= quitting->kill_at) {
    attendance_ = Attended{};
    actions_.emplace_back(KillEngine{});
    leave();
  } else if (const auto* unattended = std::get_if<Unattended>(&attendance_);
             unattended != nullptr && now >= unattended->quit_at) {
    quit(now);
  }
}

std::optional<SteadyTime> Keeper::deadline() const {
  std::optional<SteadyTime> next = base::earlier(session_.thinner.deadline(), searches_.deadline());
  std::visit(base::Overload{
                 [](const Attended&) {},
                 [&](const Unattended& unattended) { next = base::earlier(next, unattended.quit_at); },
                 [&](const Quitting& quitting) { next = base::earlier(next, quitting.kill_at); },
             },
             attendance_);
  for (const auto& [number, client] : clients_) {
    if (!client.is_refused()) {
      next = base::earlier(next, client.heard_at + rules_.silence);
    }
  }
  return next;
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
  if (auto* served = std::get_if<Served>(&to.state)) {
    const Backlog::Line* next = session_.said.behind(served->sent);
    // Nobody waits for it: a packet of its own would only hold up the line behind it. A pong comes each second.
    const std::uint64_t accepted = session_.inbox.accepted();
    if (served->told < accepted && (next != nullptr || !text.empty())) {
      served->told = accepted;
      say("ack " + std::to_string(accepted));
    }
    for (; next != nullptr && text.size() < bytes_max; next = session_.said.behind(served->sent)) {
      say(next->text);
      served->sent = next->number;
    }
  } else if (auto* refused = std::get_if<Refused>(&to.state)) {
    if (!std::exchange(refused->has_heard, true)) {
      say("refused " + refused->why);
    }
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
