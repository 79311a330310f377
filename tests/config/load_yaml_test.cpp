#include "config/yaml/load_yaml.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/schema/plain_settings.hpp"
#include "config/yaml/yaml_tree.hpp"
#include "tests/config/settings.hpp"
#include "words/words.hpp"

namespace kakehashi::config {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(LoadYaml, the_least_configuration_is_taken_with_defaults_for_the_rest) {
  const Loaded loaded = load(Lines{});

  EXPECT_THAT(described(loaded.problems), IsEmpty());
  EXPECT_THAT(described(loaded.warnings), IsEmpty());
  ASSERT_EQ(loaded.bots.size(), 1U);
  const BotConfig& bot = loaded.bots[0];
  EXPECT_EQ(bot.name, "mybot");
  EXPECT_EQ(bot.server.host, "csa.example");
  EXPECT_EQ(bot.server.port, 4081);
  EXPECT_EQ(bot.account.password_env, "TRIP");
  EXPECT_EQ(bot.engine.command, Lines{"/opt/engine"});
  EXPECT_EQ(bot.time.margin, Time{}.margin);
}

TEST(LoadYaml, a_problem_is_said_in_the_language_of_the_reader) {
  const auto in_japanese = [](const std::string& setting) {
    return words::in(words::Language::japanese, describe(load({setting}).problems.at(0)));
  };
  EXPECT_EQ(in_japanese("server.port: 0"), "bot.yaml:8:9: server.port: 1〜65535 の整数にしてください(\"0\" は使えません)");
  EXPECT_EQ(in_japanese("ponder: erly"),
            "bot.yaml:1:9: ponder: off、on か early にしてください(\"erly\" は使えません)。early のことですか");
  EXPECT_THAT(in_japanese("log.colour: x"), HasSubstr("log.colour: そのような設定はありません。log にあるのは level、format、"));
  EXPECT_THAT(in_japanese("ponder: [on]"), HasSubstr("ponder: off、on か early にしてください(リストは使えません)"));
  EXPECT_THAT(in_japanese("records.formats: [csa"), HasSubstr("YAML として正しくありません: ] で閉じていないリストがあります"));
  EXPECT_EQ(in_japanese("time.margin_min: 5"),
            "bot.yaml:9:15: time.margin_min: \"5\": 単位がありません。5ms、5s、5min、5h のどれかにしてください(使える値: 0ms〜1min)");
}

TEST(LoadYaml, every_kind_of_value_arrives) {
  const Loaded loaded = load({"name: left", "ponder: true", "server.port: 1234",
                              "server.keepalive: 1min", "server.connect_timeout: 1.5s",
                              "game.name: mytest-60-5F-B", "game.count: 3", "game.comments: true",
                              "engine.command: [/opt/my engine, --book, 7]",
                              "engine.environment: {LANG: C, EMPTY: \"\"}",
                              "engine.on_failure: resign", "log.rotate_bytes: 64KiB",
                              "log.level: debug", "records.formats: [csa3, kif]", "records.comments: shogigui"});

  ASSERT_THAT(described(loaded.problems), IsEmpty());
  const BotConfig& bot = loaded.bots[0];
  EXPECT_EQ(bot.name, "left");
  EXPECT_EQ(bot.ponder, Ponder::on);
  EXPECT_EQ(bot.server.port, 1234);
  EXPECT_EQ(bot.server.keepalive, Seconds{60});
  EXPECT_EQ(bot.server.connect_timeout, Millis{1'500});
  EXPECT_EQ(bot.game.name, "mytest-60-5F-B");
  EXPECT_EQ(bot.game.count, 3);
  EXPECT_EQ(bot.game.comments, true);
  EXPECT_EQ(bot.engine.command, (Lines{"/opt/my engine", "--book", "7"}));
  EXPECT_THAT(bot.engine.environment,
              ElementsAre(std::pair<std::string, std::string>("LANG", "C"),
                          std::pair<std::string, std::string>("EMPTY", "")));
  EXPECT_EQ(bot.engine.on_failure, OnFailure::resign);
  EXPECT_EQ(bot.log.rotate_bytes, 65'536U);
  EXPECT_EQ(bot.log.level, LogLevel::debug);
  EXPECT_THAT(bot.records.formats, ElementsAre(shogi::record::Format::csa3, shogi::record::Format::kif));
  EXPECT_EQ(bot.records.comments, shogi::record::CommentStyle::shogigui);
}

TEST(LoadYaml, what_only_a_shell_replaces_is_warned_of_where_it_may_be_meant_as_it_stands) {
  const auto warned = [](const std::string& line) { return described(load({line}).warnings); };
  EXPECT_THAT(warned("engine.options: {EvalDir: $HOME/eval}"),
              ElementsAre(HasSubstr("engine.options.EvalDir: holds $HOME, and variables are not replaced")));
  EXPECT_THAT(warned("engine.command: [/opt/engine, ~/book.db]"),
              ElementsAre(HasSubstr("the argument \"~/book.db\" begins with ~")));
  EXPECT_THAT(warned("engine.command: [sh, -c, exec $HOME/engine]"), IsEmpty());
}

TEST(LoadYaml, a_setting_of_an_earlier_version_is_named_and_does_nothing) {
  for (const char* line : {"server.keepalive_form: space", "engine.ready_max: 5min", "engine.timed_ponderhit: false",
                           "records.opinions: false"}) {
    const Loaded loaded = load({line});
    EXPECT_THAT(described(loaded.problems), IsEmpty()) << line;
    ASSERT_EQ(loaded.warnings.size(), 1U) << line;
    EXPECT_EQ(std::string(line).rfind(loaded.warnings[0].key + ":", 0), 0U) << line;
    BotConfig replayed;
    EXPECT_TRUE(apply({loaded.warnings[0].key, {"1"}}, replayed)) << "in a journal, too";
  }
}

TEST(LoadYaml, an_option_of_the_engine_among_its_settings_is_shown_its_place) {
  const auto told = [](const std::string& line) { return described(load({line}).problems); };
  for (const char* line : {"engine.thraeds: 4", "engine.USI_Hash: 4", "engine.gizmo_level: 4"}) {
    EXPECT_THAT(told(line), ElementsAre(HasSubstr("options of the engine's own stand below engine.options"))) << line;
  }
  EXPECT_THAT(told("engine.comand: x"), testing::Contains(HasSubstr("did you mean engine.command?")));
}

TEST(LoadYaml, ten_faults_give_ten_problems_each_at_its_place) {
  const Loaded loaded = load_text(
      "server: {host: csa.example, prot: 4081, port: 0}\n"
      "account: {name: my bot, password: hunter2, password_env: TRIP}\n"
      "game: {count: 1.5}\n"
      "engine:\n"
      "  start_timeout: 30\n"
      "  on_failure: resing\n"
      "  options: {Threads: 1, Threads: 2}\n"
      "ponder: yes\n"
      "log: debug\n");

  EXPECT_THAT(
      described(loaded.problems),
      ElementsAre(
          "bot.yaml:1:29: server.prot: is no setting; did you mean server.port?",
          "bot.yaml:1:47: server.port: must be a whole number from 1 to 65535, not \"0\"",
          "bot.yaml:2:17: account.name: must be of letters, digits and _ @ - . only; a space is not "
          "allowed",
          "bot.yaml:2:25: account.password: must not stand in a configuration file, which is copied "
          "and shown around: put it into a file of its own (account.password_file), an environment "
          "variable (account.password_env) or a systemd credential (account.password_credential)",
          "bot.yaml:3:15: game.count: must be a whole number from 1 to 1000000, not \"1.5\"",
          "bot.yaml:4:1: engine.command: must be given (1 to 256 texts, the program first)",
          "bot.yaml:5:18: engine.start_timeout: \"30\" has no unit; write 30ms, 30s, 30min or 30h "
          "(accepted: 1s to 1h)",
          "bot.yaml:6:15: engine.on_failure: must be play_on or resign, not \"resing\"; did you mean "
          "resign?",
          "bot.yaml:7:25: engine.options.Threads: is given twice, first in line 7; keep one",
          "bot.yaml:8:9: ponder: must be off, on or early, not \"yes\"",
          "bot.yaml:9:6: log: must hold keys, each indented on its own line below it, such as level: "
          "…"));
}

TEST(LoadYaml, a_syntax_error_is_told_with_its_place) {
  EXPECT_THAT(described(load_text("server: [1\nb: 2\n").problems),
              ElementsAre("bot.yaml:2:2: not valid YAML: end of sequence flow not found"));
}

TEST(LoadYaml, a_tab_as_indentation_is_named) {
  EXPECT_THAT(described(load_text("server:\n\thost: x\n").problems),
              ElementsAre("bot.yaml:2:6: not valid YAML: illegal map value; line 2 is indented with a "
                          "tab: use spaces"));
}

TEST(LoadYaml, an_unquoted_colon_is_named) {
  EXPECT_THAT(described(load_text("server: x: y\n").problems),
              ElementsAre("bot.yaml:1:10: not valid YAML: illegal map value; a value that holds \": \" "
                          "must stand in quotes, and each key needs its colon"));
}

TEST(LoadYaml, a_file_without_settings_is_refused) {
  for (const char* empty : {"", "\n\n", "# only a comment\n", "---\n", "~\n"}) {
    EXPECT_THAT(described(load_text(empty).problems),
                ElementsAre("bot.yaml:1:1: holds no settings; server.host, account.name and "
                            "engine.command are the least"))
        << empty;
  }
}

TEST(LoadYaml, a_file_that_is_no_map_is_refused) {
  for (const char* text : {"hello\n", "- a\n- b\n", "[]\n"}) {
    EXPECT_THAT(described(load_text(text).problems),
                ElementsAre("bot.yaml:1:1: must hold sections with keys, such as server: and below "
                            "it, indented, host: wdoor.c.u-tokyo.ac.jp"))
        << text;
  }
}

TEST(LoadYaml, a_second_document_is_refused) {
  EXPECT_THAT(described(load_text(yaml_of({}) + "---\nponder: true\n").problems),
              ElementsAre("bot.yaml:8:1: not valid YAML: a second document begins here; give each "
                          "bot its own file"));
}

TEST(LoadYaml, anchors_and_aliases_work) {
  const Loaded loaded = load({"server.connect_timeout: &patience 20s",
                              "server.login_timeout: *patience"});

  ASSERT_THAT(described(loaded.problems), IsEmpty());
  EXPECT_EQ(loaded.bots[0].server.login_timeout, Millis{20'000});
}

TEST(LoadYaml, an_alias_of_nothing_is_refused) {
  const Loaded loaded = load_text("ponder: *absent\n");
  ASSERT_EQ(loaded.problems.size(), 1U);
  EXPECT_EQ(loaded.problems[0].place, (Place{1, 9}));
}

TEST(LoadYaml, an_anchor_that_holds_its_own_alias_does_no_harm) {
  EXPECT_THAT(faults({"engine.options: &loop {Threads: *loop}"}),
              ElementsAre("engine.options.Threads: must be one text or number, not a map"));
}

TEST(LoadYaml, merge_keys_and_tags_are_refused_by_name) {
  EXPECT_THAT(texts(load_text("<<: {a: 1}\n" + yaml_of({})).problems),
              ElementsAre("<<: is YAML's merge key, which is not supported; write the keys out"));
  EXPECT_THAT(faults({"ponder: !!str true"}),
              ElementsAre("the YAML tag \"tag:yaml.org,2002:str\" is not supported; write the value "
                          "without it"));
}

TEST(LoadYaml, nesting_is_bounded) {
  const std::string deep = "a: " + std::string(100, '[') + std::string(100, ']') + "\n";
  EXPECT_THAT(described(load_text(deep).problems),
              ElementsAre("bot.yaml:1:19: not valid YAML: nested more than 16 deep"));
}

TEST(LoadYaml, the_number_of_values_is_bounded) {
  std::string many = "a: [";
  for (int i = 0; i < 20'000; ++i) {
    many += "1,";
  }
  EXPECT_THAT(texts(load_text(many + "]\n").problems),
              ElementsAre("not valid YAML: more than 10000 values in one file"));
}

TEST(LoadYaml, the_length_of_a_file_is_bounded) {
  const std::string comment(file_bytes_max, '#');
  EXPECT_THAT(described(load_text(comment + "\n").problems),
              ElementsAre("bot.yaml: is 1048577 bytes long; a configuration has at most 1048576"));
}

TEST(LoadYaml, a_byte_that_yaml_readers_stop_at_does_not_hide_settings) {
  EXPECT_THAT(described(load_text(yaml_of({}) + "ponder: \x04\n").problems),
              ElementsAre("bot.yaml:8:9: the control byte 0x04 has no place in a configuration"));
  EXPECT_THAT(described(load_text(std::string("a: \0b\n", 6)).problems),
              ElementsAre("bot.yaml:1:4: the control byte 0x00 has no place in a configuration"));
}

TEST(LoadYaml, other_encodings_than_utf_8_are_named) {
  EXPECT_THAT(described(load_text("# \x8B\xCB\n").problems),
              ElementsAre("bot.yaml:1:3: the byte 0x8B is not UTF-8; save the file in that encoding"));
  EXPECT_THAT(described(load_text("\xFF\xFE" "a").problems),
              ElementsAre("bot.yaml:1:1: the byte 0xFF is not UTF-8; save the file in that encoding"));
}

TEST(LoadYaml, a_byte_order_mark_and_crlf_do_no_harm) {
  std::string text = "\xEF\xBB\xBF";
  for (const char c : yaml_of({"name: 架け橋"})) {
    text += c == '\n' ? std::string("\r\n") : std::string(1, c);
  }
  const Loaded loaded = load_text(text);
  EXPECT_THAT(described(loaded.problems), IsEmpty());
  EXPECT_EQ(loaded.bots[0].name, "架け橋");
}

TEST(LoadYaml, an_empty_section_is_one_whose_keys_are_commented_out) {
  EXPECT_THAT(described(load_text(yaml_of({}) + "time:\n  # margin: 1s\n").problems), IsEmpty());
}

TEST(LoadYaml, missing_keys_are_told_where_their_section_stands) {
  EXPECT_THAT(described(load_text("ponder: true\nserver:\n  port: 1\n").problems),
              ElementsAre("bot.yaml:1:1: account.name: must be given (1 to 32 letters, digits and _ @ "
                          "- .)",
                          "bot.yaml:1:1: engine.command: must be given (1 to 256 texts, the program "
                          "first)",
                          "bot.yaml:1:1: account: a password must be given by account.password_file, "
                          "account.password_env or account.password_credential, or game.name on a "
                          "server without passwords",
                          "bot.yaml:2:1: server.host: must be given (a name or an address, without "
                          "port)"));
}

TEST(LoadYaml, a_key_that_is_wrong_is_not_missing_too) {
  EXPECT_THAT(faults({"server.host: [a]"}), ElementsAre("server.host: must be a text, not a list"));
}

TEST(LoadYaml, a_repeated_key_or_section_is_refused) {
  EXPECT_THAT(described(load_text("ponder: true\n" + yaml_of({}) + "ponder: false\n").problems),
              ElementsAre("bot.yaml:9:1: ponder: is given twice, first in line 1; keep one"));
  EXPECT_THAT(described(load_text(yaml_of({}) + "server: {port: 1}\n").problems),
              ElementsAre("bot.yaml:8:1: server: is given twice, first in line 6; keep one"));
}

TEST(LoadYaml, an_unknown_key_is_answered_with_the_nearest) {
  EXPECT_THAT(faults({"serve.host: x"}),
              ElementsAre("serve: is no setting; did you mean server?"));
  EXPECT_THAT(faults({"time.magrin: 1s"}),
              ElementsAre("time.magrin: is no setting; did you mean time.margin?"));
  EXPECT_THAT(faults({"margin: 1s"}),
              ElementsAre("margin: is no setting here; did you mean time.margin?"));
  EXPECT_THAT(faults({"time.zebra: 1s"}),
              ElementsAre("time.zebra: is no setting; in time there are margin, margin_min, "
                          "margin_max, round_up, untimed_move"));
  EXPECT_THAT(faults({"zebra: 1s"}),
              ElementsAre("zebra: is no setting; at the top level there are name, ponder, notify, rules, "
                          "server, account, game, schedule, engine, time, records, book, archive, journal, stop, log"));
}

TEST(LoadYaml, keys_known_from_elsewhere_are_answered_with_advice) {
  EXPECT_THAT(faults({"engine.path: x"}),
              ElementsAre("engine.path: is no setting; did you mean engine.command?"));
  EXPECT_THAT(faults({"engine.args: [x]"}),
              ElementsAre("engine.args: is no setting; arguments follow the program in "
                          "engine.command: [program, argument]"));
  EXPECT_THAT(faults({"engine.ponder: true"}),
              ElementsAre("engine.ponder: is no setting; did you mean ponder, at the top level?"));
}

TEST(LoadYaml, a_list_of_words_takes_each_once) {
  EXPECT_THAT(faults({"records.formats: csa3"}), IsEmpty());
  EXPECT_THAT(faults({"records.formats: []"}),
              ElementsAre(HasSubstr("records.formats: must be a list of csa, csa3")));
  EXPECT_THAT(faults({"records.formats: {csa: kif}"}),
              ElementsAre(HasSubstr("records.formats: must be a list of csa, csa3")));
  EXPECT_THAT(faults({"records.formats: [csa, kfi, csa, [jkf]]"}),
              ElementsAre(HasSubstr("not \"kfi\"; did you mean kif?"),
                          "records.formats: names csa twice", HasSubstr("not a list")));
  EXPECT_THAT(faults({"records.format: csa_v3_0"}),
              ElementsAre("records.format: is no setting; the formats are a list, "
                          "records.formats: [csa] or [csa3]"));
}

TEST(LoadYaml, a_key_written_with_a_dot_is_explained) {
  EXPECT_THAT(texts(load_text(yaml_of({}) + "server.port: 4081\n").problems),
              ElementsAre("server.port: is no setting here; write port indented below "
                          "server:"));
}

TEST(LoadYaml, a_missing_space_after_a_colon_is_explained) {
  EXPECT_THAT(texts(load_text(yaml_of({}) + "time: {margin:1s}\n").problems),
              ElementsAre("time.margin:1s: is no setting; a space must follow the colon after a key"));
  EXPECT_THAT(faults({"engine.options: {USI_Hash:1024}"}),
              ElementsAre("engine.options.USI_Hash:1024: needs a space after its colon"));
  EXPECT_THAT(faults({"engine.options: {\"Clear: Hash\"}"}), IsEmpty()) << "a button of that name";
  EXPECT_THAT(faults({"book.file: &name \"Clear: Hash\"", "engine.options: {*name : null}"}), IsEmpty());
}

TEST(LoadYaml, a_strange_key_is_quoted_and_cut) {
  const std::string key(200, 'x');
  EXPECT_THAT(texts(load_text(yaml_of({}) + "\"a\\nb\": 1\n" + key + ": 1\n").problems),
              ElementsAre(::testing::StartsWith("\"a\\x0Ab\": is no setting"),
                          ::testing::StartsWith("\"" + std::string(79, 'x') + "…\": is no setting")));
}

TEST(LoadYaml, no_message_repeats_a_secret_that_stands_in_the_wrong_place) {
  for (const auto& setting :
       {"account.password: hunter2", "account.trip: hunter2", "game.trip: hunter2", "trip: hunter2",
        "game.name: \"floodgate-300-10F,hunter2\"", "account.password_env: $hunter2",
        "account.name: \"mybot,hunter2\"", "account.password_credential: /hunter2"}) {
    const auto problems = described(load({setting}).problems);
    ASSERT_FALSE(problems.empty()) << setting;
    for (const std::string& problem : problems) {
      EXPECT_EQ(problem.find("hunter2"), std::string::npos) << problem;
    }
  }
}

}  // namespace
}  // namespace kakehashi::config
