// Which request gets which answer.
#include "watch/http_answer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kakehashi::watch {
namespace {

using testing::HasSubstr;

HttpSources sources(std::vector<base::Message> not_ready = {}) {
  return {[] { return "metrics"; }, [] { return "{}"; }, [] { return base::say("playing"); },
          [not_ready] { return not_ready; }, [] { return "<html>"; }};
}

HttpAnswer get(const std::string& target, const std::string& host = "127.0.0.1:9980",
               const std::string& token = "", const std::string& authorization = "") {
  return answer({"GET", target, host, authorization}, base::Secret(token), sources());
}

TEST(HttpAnswer, each_address_has_its_answer) {
  EXPECT_EQ(get("/metrics").body, "metrics");
  EXPECT_THAT(get("/metrics").content_type, HasSubstr("version=0.0.4"));
  EXPECT_EQ(get("/api/v1/status").body, "{}");
  EXPECT_EQ(get("/api/v1/status").content_type, "application/json");
  EXPECT_EQ(get("/api/v1/line").body, "playing\n");
  EXPECT_EQ(get("/?x=1").body, "<html>");
  EXPECT_TRUE(get("/events").is_stream);
  EXPECT_EQ(get("/events").body, "data: {}\n\n");
  EXPECT_EQ(get("/../etc/passwd").status, 404);
}

TEST(HttpAnswer, who_plays_without_page_still_tells_how_it_is) {
  HttpSources plain;
  plain.line = [] { return base::say("playing"); };
  plain.not_ready = [] { return std::vector<base::Message>(); };
  for (const char* target : {"/healthz", "/readyz", "/api/v1/line"}) {
    EXPECT_EQ(answer({"GET", target, "localhost", ""}, {}, plain).status, 200) << target;
  }
  for (const char* target : {"/", "/metrics", "/api/v1/status", "/events", "/api/v1/games"}) {
    EXPECT_EQ(answer({"GET", target, "localhost", ""}, {}, plain).status, 503) << target;
  }
}

TEST(HttpAnswer, what_an_archive_must_be_asked_for_comes_later) {
  HttpSources with_games = sources();
  with_games.games = [](const std::string&, const std::function<void(HttpAnswer)>&) {};
  for (const char* target : {"/api/v1/games", "/api/v1/games/1", "/api/v1/stats?color=black"}) {
    EXPECT_TRUE(answer({"GET", target, "localhost", ""}, {}, with_games).comes_later) << target;
    EXPECT_EQ(answer({"GET", target, "evil.example", ""}, {}, with_games).status, 403) << target;
    EXPECT_EQ(get(target).status, 404) << "no archive, no address";
  }
}

TEST(HttpAnswer, only_reading_is_answered) {
  for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", ""}) {
    EXPECT_EQ(answer({method, "/metrics", "localhost", ""}, {}, sources()).status, 405) << method;
  }
  EXPECT_EQ(answer({"HEAD", "/metrics", "localhost", ""}, {}, sources()).status, 200);
}

TEST(HttpAnswer, without_a_token_only_loopback_names_are_served) {
  for (const char* host : {"localhost", "localhost:9980", "127.0.0.1", "127.0.0.2:9980", "[::1]", "[::1]:9980"}) {
    EXPECT_EQ(get("/metrics", host).status, 200) << host;
  }
  for (const char* host : {"evil.example", "localhost.evil.example", "127.0.0.1.evil.example",
                           "127.evil.example:9980", "::1:9980", "localhost:x", ""}) {
    EXPECT_EQ(get("/metrics", host).status, 403) << host;
  }
}

TEST(HttpAnswer, with_a_token_it_must_be_shown_whole) {
  EXPECT_EQ(get("/metrics", "evil.example", "word", "Bearer word").status, 200);
  for (const char* shown : {"", "word", "Bearer", "Bearer ", "Bearer wor", "Bearer wordy",
                            "Bearer wOrd", "bearer word"}) {
    EXPECT_EQ(get("/metrics", "127.0.0.1", "word", shown).status, 401) << shown;
  }
}

TEST(HttpAnswer, probes_need_no_token) {
  EXPECT_EQ(get("/healthz", "10.0.0.1:9980", "word").body, "ok\n");
  EXPECT_EQ(get("/readyz", "10.0.0.1:9980", "word").status, 200);
}

TEST(HttpAnswer, who_may_not_read_learns_of_readiness_the_status_alone) {
  for (const char* host : {"10.0.0.1:9980", "rebound.example"}) {
    for (const char* token : {"", "word"}) {
      const HttpAnswer missing = answer({"GET", "/readyz", host, ""}, base::Secret(token),
                                        sources({base::say("connecting")}));
      EXPECT_EQ(missing.status, 503);
      EXPECT_EQ(missing.body, "not ready\n");
    }
  }
}

TEST(HttpAnswer, readiness_says_what_is_missing) {
  const HttpAnswer missing = answer({"GET", "/readyz", "localhost", ""}, {},
                                    sources({base::say("connecting"), base::say("logging in")}));
  EXPECT_EQ(missing.status, 503);
  EXPECT_EQ(missing.body, "connecting\nlogging in\n");
}

TEST(HttpAnswer, what_is_for_people_is_in_their_language_and_what_is_for_programs_is_not) {
  const auto in_japanese = [](const std::string& target) {
    return answer({"GET", target, "localhost", "", words::Language::japanese}, {}, sources({base::say("logging in")})).body;
  };
  EXPECT_EQ(in_japanese("/api/v1/line"), "対局中\n");
  EXPECT_EQ(in_japanese("/readyz"), "ログイン中\n");
  EXPECT_EQ(in_japanese("/api/v1/status"), "{}");
}

}  // namespace
}  // namespace kakehashi::watch
