#include "config/reference/reference.hpp"

#include "base/text.hpp"
#include "config/game_settings.hpp"
#include "config/schema/keys.hpp"

namespace kakehashi::config {
namespace {

/// What stands around the table.
struct PageWords {
  const char* introduction;
  const char* top_level;   ///< the heading of the keys that belong to no section
  const char* columns;     ///< the first line of a table of keys
  const char* ending;      ///< behind the keys, down to the head of the table of conditions
  const char* settable;    ///< before the keys that a rule can set
  const char* comma;       ///< between them
  const char* full_stop;   ///< behind the last
};

// --- English

constexpr const char* introduction = R"(# Configuration

[日本語](configuration.ja.md)

One YAML file describes one bot; `kakehashi run` takes several. `kakehashi check FILE` judges a
file and tries its engine without playing. This page is generated from the program's own table of
keys: `kakehashi config reference` prints it.

The least that plays on floodgate:

```yaml
server:  {host: wdoor.c.u-tokyo.ac.jp}
account: {name: mybot, password_file: /etc/kakehashi/mybot.password}
game:    {name: floodgate-300-10F}
engine:  {command: /opt/engine/YaneuraOu}
```

More stands in the commented examples: [floodgate](../config/floodgate.example.yaml),
[tournament](../config/tournament.example.yaml), [demo](../config/demo.example.yaml).

## How a file is read

- A wrong file is refused with all its problems at once, each as `file:line:column: key: …`; the
  exit status is 78, and nothing has been opened by then. Unknown and repeated keys are problems.
  A warning names what is allowed and most likely not meant.
- **Durations** carry their unit: `500ms`, `1.5s`, `2min`, `1h`.
- **Sizes** are bytes, or carry their unit: `10MB` (1000²), `10MiB` (1024²).
- **True and false** are `true` and `false`; YAML's `yes` and the like are refused. `off` and `on`
  are words of their own where a key accepts them.
- Paths that do not begin with `/` are taken from the directory in which kakehashi is started.
  `~` and `$NAME` are not replaced, anywhere.
- A file is UTF-8 and at most 1 MiB long. Anchors and aliases work; tags, merge keys (`<<`) and
  several documents in one file do not.
- Two bots must not share an account on one server: each login would end the other's.

## Settings

The level says for whom a setting is: `basic` is what a first game on floodgate needs, `common` what many change,
`expert` all else, with defaults that are meant to stay.
)";

constexpr const char* ending = R"(
## The password

The trip (floodgate) or password comes from one of three sources, and never from the configuration
file or the command line:

```yaml
account: {name: mybot, password_file: /etc/kakehashi/mybot.password}  # chmod 600
account: {name: mybot, password_env: KAKEHASHI_PASSWORD}
account: {name: mybot, password_credential: password}                 # LoadCredential=password:/…
```

It is printable ASCII without spaces, at most 1024 bytes. On floodgate it is a secret word of your
own choice; name and trip together are the player that is rated, so keep both.

## The engine

```yaml
engine:
  command: [/opt/engine/YaneuraOu, --quiet]  # program and arguments; no shell
  options:
    USI_Hash: 1024
    BookFile: no_book
    ClearHash:                               # no value: a button
```

An option that is to be set more than once, or buttons that are to be pressed in turn, are written
as a list: `options: [{ClearHash: }, {USI_Hash: 1024}, {ClearHash: }]`.

## Rules

Settings for single games. When a game is offered, before it is agreed on, the rules are gone through
in the written order; each whose conditions all hold sets what it says, so a later rule wins. The
engine gets the options that differ from what it has, and `isready`, before AGREE; for the next game
they are put back.

```yaml
rules:
  - when: {game_name: floodgate-*}
    set: {ponder: early}
  - when: {clock: {total: -1min, increment: 0s}}
    set: {ponder: off, time: {margin: 500ms}}
  - when: {opponent: [rival, "*_gpu"], colour: white, time_of_day: 20:00-06:30}
    set:
      engine:
        options: {Threads: 16, BookFile: white.db}
```

A text that begins with `*` needs quotes in YAML. A list holds when one of its texts fits. Without
`when` a rule applies always. `kakehashi check FILE --game floodgate-300-10F` tells which rules apply
to such a game, which do not and why, and what they set; `--opponent`, `--colour` and `--time` say
more about it.

| in `when` | accepted | meaning |
| --- | --- | --- |
)";

constexpr PageWords english{introduction, "At the top level", "| key | level | type | default | accepted | meaning |",
                            ending, "A rule can set", ", ", "."};

// --- Japanese

constexpr const char* japanese_introduction = R"(# 設定

[English](configuration.md)

YAML ファイル 1 つがボット 1 つです。`kakehashi run` は複数を受け付けます。`kakehashi check FILE` は、対局せずにファイルを
検査し、エンジンを試します。このページはプログラム自身の表から作られています(`kakehashi config reference --japanese`)。

floodgate で指す最小の設定:

```yaml
server:  {host: wdoor.c.u-tokyo.ac.jp}
account: {name: mybot, password_file: /etc/kakehashi/mybot.password}
game:    {name: floodgate-300-10F}
engine:  {command: /opt/engine/YaneuraOu}
```

説明つきの例: [floodgate](../config/floodgate.example.yaml)、[大会](../config/tournament.example.yaml)、
[デモ](../config/demo.example.yaml)。

## ファイルの読まれ方

- 誤りのあるファイルは、すべての問題を `ファイル:行:桁: キー: …` で一度に示して断ります。終了コードは 78 で、それまでに何も
  開きません。知らないキーと重複したキーは問題です。警告は、許されるが意図とは思えないものを示します。
- **時間**には単位を付けます。`500ms`、`1.5s`、`2min`、`1h`。
- **サイズ**はバイト数か、単位つき。`10MB`(1000²)、`10MiB`(1024²)。
- **真偽**は `true` と `false`。YAML の `yes` などは断ります。`off` と `on` は、それを受け付けるキーの語です。
- `/` で始まらないパスは、kakehashi を起動したディレクトリから数えます。`~` と `$NAME` はどこでも置き換えません。
- ファイルは UTF-8 で 1 MiB まで。アンカーとエイリアスは使えます。タグ、merge キー(`<<`)、1 ファイルに複数の文書は使えません。
- 2 つのボットが 1 つのサーバーで同じアカウントを使うことはできません。ログインするたびに、もう一方が追い出されます。

## 項目

段階は誰のための項目かを示します。基本は floodgate での最初の対局に要るもの、一般は多くの人が変えるもの、上級はそれ以外で、
既定値のままでよいものです。
)";

constexpr const char* japanese_ending = R"(
## パスワード

trip(floodgate)かパスワードは 3 つのうち 1 つから取り、設定ファイルやコマンドラインには書きません。

```yaml
account: {name: mybot, password_file: /etc/kakehashi/mybot.password}  # chmod 600
account: {name: mybot, password_env: KAKEHASHI_PASSWORD}
account: {name: mybot, password_credential: password}                 # LoadCredential=password:/…
```

空白のない ASCII の印字文字で 1024 バイトまで。floodgate では自分で決める秘密の言葉です。名前と trip の組がレートの付く
対局者なので、両方とも変えないでください。

## エンジン

```yaml
engine:
  command: [/opt/engine/YaneuraOu, --quiet]  # プログラムと引数。シェルは通さない
  options:
    USI_Hash: 1024
    BookFile: no_book
    ClearHash:                               # 値なし: ボタン
```

同じオプションを何度も設定したり、ボタンを順に押したりするには list で書きます。
`options: [{ClearHash: }, {USI_Hash: 1024}, {ClearHash: }]`

## 規則

その対局だけの設定です。対局が組まれると、合意する前に、規則を書かれた順に見ます。条件がすべて成り立つ規則が設定を変えるので、
後の規則が勝ちます。エンジンには、今と違うオプションと `isready` を AGREE の前に送り、次の対局のために元へ戻します。

```yaml
rules:
  - when: {game_name: floodgate-*}
    set: {ponder: early}
  - when: {clock: {total: -1min, increment: 0s}}
    set: {ponder: off, time: {margin: 500ms}}
  - when: {opponent: [rival, "*_gpu"], colour: white, time_of_day: 20:00-06:30}
    set:
      engine:
        options: {Threads: 16, BookFile: white.db}
```

`*` で始まる文字列には YAML では引用符が要ります。list は 1 つでも当てはまれば成り立ちます。`when` のない規則は常に
成り立ちます。`kakehashi check FILE --game floodgate-300-10F` は、その対局にどの規則が当てはまり、どれがなぜ当てはまらず、
何が変わるかを示します。`--opponent`、`--colour`、`--time` で詳しく指定できます。

| `when` の中 | 受け付けるもの | 意味 |
| --- | --- | --- |
)";

constexpr PageWords japanese{japanese_introduction, "最上位", "| キー | 段階 | 型 | 既定値 | 受け付けるもの | 意味 |",
                             japanese_ending, "規則が変えられるもの:", "、", "。"};

// --- the page

std::string cell(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    escaped += c == '|' || c == '<' || c == '>' ? std::string("\\") + c : std::string(1, c);
  }
  return escaped;
}

std::string row(const Key& key, Language language) {
  const std::string fallback = describe_default(key, language);
  return "| `" + key.path + "` | " + describe_level(key, language) + " | " + describe_type(key, language) + " | " +
         (has_default(key) ? "`" + fallback + "`" : cell(fallback)) + " | " +
         cell(describe_accepted(key, language)) + " | " + cell(key.meaning.in(language)) + " |\n";
}

std::string table(const std::string& section, const PageWords& words, Language language) {
  std::string text = std::string(words.columns) + "\n| --- | --- | --- | --- | --- | --- |\n";
  for (const Key& key : keys()) {
    if (key.section() == section) {
      text += row(key, language);
    }
  }
  return text;
}

constexpr std::size_t columns_max = 100;

constexpr const char* essence = R"(server: {host: wdoor.c.u-tokyo.ac.jp}
account: {name: mybot, password_file: /etc/kakehashi/mybot.password}
game: {name: floodgate-300-10F}
engine:
  command: [/opt/engine/YaneuraOu]
  options: {USI_Hash: 1024, Threads: 8, NetworkDelay2: 0}

# The six settings above are enough. The password file holds your trip: one line with a secret word
# of your own choice, always the same, since name and trip together are the player that floodgate
# rates. Make it private: chmod 600. `kakehashi check FILE` tells whether all is well.
#
# All other settings follow, each with its default. To change one, write it into its section above:
# "server.port: 4082" becomes
#
#   server: {host: wdoor.c.u-tokyo.ac.jp, port: 4082}
#
# Durations carry a unit (500ms, 1.5s, 2min, 1h), sizes may (10MB, 10MiB), and yes and no are
# spelled true and false.
)";

/// Text as comment lines, broken at spaces.
std::string comment(const std::string& indent, const std::string& text) {
  std::string lines;
  std::string line = "#" + indent;
  for (const std::string_view word : base::split_words(text)) {
    const bool is_first = line.size() == indent.size() + 1;
    if (!is_first && line.size() + 1 + word.size() > columns_max) {
      lines += line + "\n";
      line = "#" + indent;
    } else if (!is_first) {
      line += " ";
    }
    line += word;
  }
  return lines + line + "\n";
}

bool is_in_essence(const Key& key) {
  return key.is_required || key.path == "account.password_file" || key.path == "game.name" ||
         key.path == "engine.options";
}

std::string entry(const Key& key) {
  std::string text = "#\n# " + key.path +
                     (has_default(key) ? ": " + describe_default(key)
                                  : "  (default: " + describe_default(key) + ")") +
                     "\n";
  return text + comment("   ", key.meaning.english) + comment("   ", "Accepted: " + describe_accepted(key));
}

}  // namespace

std::string reference(Language language) {
  const PageWords& words = language == Language::english ? english : japanese;
  std::string page =
      std::string(words.introduction) + "\n### " + words.top_level + "\n\n" + table("", words, language);
  for (const Section& section : sections()) {
    page += "\n### `" + section.name + "`\n\n" + section.meaning.in(language) + "\n\n" +
            table(section.name, words, language);
  }
  page += words.ending;
  for (const AspectText& aspect : aspect_texts()) {
    page += "| `" + std::string(aspect.path) + "` | " + cell(aspect.accepted.in(language)) + " | " +
            cell(aspect.meaning.in(language)) + " |\n";
  }
  page += std::string("\n") + words.settable;
  std::string comma = " ";
  for (const std::string& key : settable_keys()) {
    page += comma + "`" + key + "`";
    comma = words.comma;
  }
  return page + words.full_stop + "\n";
}

std::string floodgate_example() {
  std::string text = essence;
  std::string section;
  for (const Key& key : keys()) {
    if (is_in_essence(key)) {
      continue;
    }
    if (key.section() != section) {
      section = key.section();
      text += "\n# --- " + section + " ---\n";
    }
    text += entry(key);
  }
  return text;
}

}  // namespace kakehashi::config
