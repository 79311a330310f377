#include "bridge/game/multi_ponder.hpp"

#include <algorithm>
#include <utility>

#include "base/check.hpp"

namespace kakehashi::bridge {

using base::SteadyTime;
using Orders = MultiPonder::Orders;

namespace {

std::vector<std::string> each_once(std::vector<std::string> replies) {
  std::vector<std::string> unique;
  for (std::string& reply : replies) {
    if (std::find(unique.begin(), unique.end(), reply) == unique.end()) {
      unique.push_back(std::move(reply));
    }
  }
  return unique;
}

}  // namespace

MultiPonder::MultiPonder(std::vector<int> weights, bool is_divided) : is_divided_(is_divided), gains_(weights.size()) {
  for (const int weight : weights) {
    members_.push_back({.weight = weight});
  }
}

bool MultiPonder::is_free(Seat seat) const {
  return members_[seat].is_there && std::holds_alternative<Idle>(members_[seat].task);
}

std::size_t MultiPonder::rank(std::string_view reply) const {
  return static_cast<std::size_t>(std::find(replies_.begin(), replies_.end(), reply) - replies_.begin());
}

template <class May>
std::optional<MultiPonder::Seat> MultiPonder::strongest(May may) const {
  std::optional<Seat> found;
  for (Seat seat = 0; seat < members_.size(); ++seat) {
    if (members_[seat].is_there && may(seat) && (!found || members_[seat].weight > members_[*found].weight)) {
      found = seat;
    }
  }
  return found;
}

std::optional<MultiPonder::Seat> MultiPonder::holder(std::string_view reply) const {
  for (Seat seat = 0; seat < members_.size(); ++seat) {
    const auto* pondering = std::get_if<Pondering>(&members_[seat].task);
    if (pondering != nullptr && pondering->reply == reply) {
      return seat;
    }
  }
  return std::nullopt;
}

void MultiPonder::give(Seat seat, const std::string& reply, SteadyTime now, Orders& orders) {
  members_[seat].task = Pondering{reply, now};
  ++gains_[seat].searches;
  orders.emplace_back(Ponder{seat, reply});
}

void MultiPonder::stop(Seat seat, Orders& orders) {
  if (!std::holds_alternative<Idle>(std::exchange(members_[seat].task, Idle{}))) {
    orders.emplace_back(Stop{seat});
  }
}

void MultiPonder::cover(SteadyTime now, Orders& orders) {
  if (!is_open_) {
    return;
  }
  if (!is_divided_) {
    for (Seat seat = 0; seat < members_.size() && !replies_.empty(); ++seat) {
      if (is_free(seat)) {
        give(seat, replies_.front(), now, orders);
      }
    }
    return;
  }
  const auto thinkers = static_cast<std::size_t>(std::count_if(members_.begin(), members_.end(), [](const Member& member) {
    return member.is_there && !std::holds_alternative<Surveying>(member.task);
  }));
  const std::size_t covered = std::min(thinkers, replies_.size());
  for (std::size_t i = 0; i < covered; ++i) {
    if (holder(replies_[i])) {
      continue;
    }
    // The best reply goes to the one whose table knows the line, then to the strongest that is free; with none free,
    // to who ponders what is least likely.
    std::optional<Seat> seat;
    if (i == 0 && is_free(mover_)) {
      seat = mover_;
    } else {
      seat = strongest([this](Seat one) { return is_free(one); });
    }
    if (!seat) {
      std::size_t worst = covered - 1;
      for (Seat one = 0; one < members_.size(); ++one) {
        const auto* pondering = std::get_if<Pondering>(&members_[one].task);
        if (members_[one].is_there && pondering != nullptr && rank(pondering->reply) > worst) {
          worst = rank(pondering->reply);
          seat = one;
        }
      }
    }
    KAKEHASHI_CHECK(seat.has_value(), "of as many members as replies, all ponder, and a reply is left alone");
    give(*seat, replies_[i], now, orders);
  }
}

Orders MultiPonder::ready(Seat seat, SteadyTime now) {
  Orders orders;
  if (!members_[seat].is_there) {
    members_[seat].is_there = true;
    members_[seat].task = Idle{};
    cover(now, orders);
  }
  return orders;
}

Orders MultiPonder::lost(const std::vector<Seat>& seats, SteadyTime now) {
  Orders orders;
  for (const Seat seat : seats) {
    if (std::holds_alternative<Surveying>(members_[seat].task)) {
      survey_until_.reset();
    }
    members_[seat].is_there = false;
    members_[seat].task = Idle{};
  }
  cover(now, orders);
  return orders;
}

Orders MultiPonder::begin(std::vector<std::string> replies, Seat mover, base::Millis survey, SteadyTime now) {
  Orders orders = end();
  is_open_ = true;
  mover_ = mover;
  replies_ = each_once(std::move(replies));
  cover(now, orders);
  if (survey.count() > 0) {
    // The weakest of the free; with all at work, the replies are known.
    std::optional<Seat> found;
    for (Seat seat = 0; seat < members_.size(); ++seat) {
      if (is_free(seat) && (!found || members_[seat].weight <= members_[*found].weight)) {
        found = seat;
      }
    }
    if (found) {
      members_[*found].task = Surveying{};
      survey_until_ = now + survey;
      orders.emplace_back(Survey{*found});
    }
  }
  return orders;
}

Orders MultiPonder::replies(std::vector<std::string> better, SteadyTime now) {
  Orders orders;
  if (is_open_) {
    replies_ = each_once(std::move(better));
    cover(now, orders);
  }
  return orders;
}

Orders MultiPonder::on_time(SteadyTime now) {
  Orders orders;
  if (!survey_until_ || now < *survey_until_) {
    return orders;
  }
  survey_until_.reset();
  for (Seat seat = 0; seat < members_.size(); ++seat) {
    if (std::holds_alternative<Surveying>(members_[seat].task)) {
      stop(seat, orders);
    }
  }
  cover(now, orders);
  return orders;
}

Orders MultiPonder::reply(std::string_view move, SteadyTime now) {
  Orders hits;
  while (const auto seat = holder(move)) {
    ++gains_[*seat].hits;
    gains_[*seat].gained += base::millis_between(std::get<Pondering>(members_[*seat].task).since, now);
    members_[*seat].task = Idle{};
    hits.emplace_back(Hit{*seat});
  }
  Orders orders = end();
  if (!hits.empty()) {
    orders.insert(orders.end(), hits.begin(), hits.end());
  } else if (const auto seat = strongest([](Seat) { return true; })) {
    orders.emplace_back(Search{*seat});
  }
  return orders;
}

Orders MultiPonder::end() {
  Orders orders;
  is_open_ = false;
  replies_.clear();
  survey_until_.reset();
  for (Seat seat = 0; seat < members_.size(); ++seat) {
    stop(seat, orders);
  }
  return orders;
}

}  // namespace kakehashi::bridge
