#include "base/secret.hpp"

#include <gtest/gtest.h>

#include <ostream>
#include <type_traits>

namespace kakehashi::base {
namespace {

template <class T>
concept Printable = requires(std::ostream& out, const T& value) { out << value; };

static_assert(!Printable<Secret>, "a secret has no formatter");
static_assert(!std::is_convertible_v<Secret, std::string>, "a secret is no text by accident");

TEST(Secret, it_is_revealed_only_when_asked) {
  const Secret secret(std::string("tr1p"));
  EXPECT_EQ(secret.reveal(), "tr1p");
}

TEST(Secret, a_moved_from_secret_holds_nothing) {
  Secret first(std::string("a long enough secret to be on the heap"));
  const Secret second(std::move(first));
  EXPECT_TRUE(first.empty());
  EXPECT_EQ(second.reveal(), "a long enough secret to be on the heap");
}

TEST(Secret, assignment_replaces_the_text) {
  Secret secret(std::string("old"));
  const Secret other(std::string("new"));
  secret = other;
  EXPECT_EQ(secret.reveal(), "new");
}

TEST(Secret, it_is_hidden_wherever_it_stands_in_a_text) {
  const Secret secret(std::string("tr1p"));
  EXPECT_EQ(secret.hide_in("tr1p,tr1ptr1p!"), "****,********!");
  EXPECT_EQ(secret.hide_in("a trip"), "a trip");
  EXPECT_EQ(secret.hide_in(""), "");
}

TEST(Secret, one_that_holds_the_mask_is_hidden_once) {
  EXPECT_EQ(Secret(std::string("a****")).hide_in("a****a****"), "********");
}

TEST(Secret, too_short_a_secret_is_not_looked_for) {
  EXPECT_EQ(Secret(std::string("tr1")).hide_in("tr1"), "tr1");
  EXPECT_EQ(Secret().hide_in("nothing"), "nothing");
}

}  // namespace
}  // namespace kakehashi::base
