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

}  // namespace
}  // namespace kakehashi::base
