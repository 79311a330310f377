#include "config/reference/reference.hpp"

#include "base/text.hpp"
#include "config/game_settings.hpp"
#include "config/schema/keys.hpp"

namespace kakehashi::config {
namespace {

using base::Message;
using base::say;
using words::Language;

// --- the chapters around the tables: those before them, and those behind, down to the head of the table of conditions

// --- English

constexpr const char* introduction = R"(# Configuration

[日本語](configuration.ja.md) · 5 minutes for the chapters around the tables; look up the rest

One YAML file describes one bot; `kakehashi run` takes several. `kakehashi check FILE` checks a file and tries
its engine without playing. This page is generated from the program's own table of keys, and
`kakehashi config reference` prints it.

This is enough for floodgate:

```yaml
server:  {host: wdoor.c.u-tokyo.ac.jp}
account: {name: mybot, password_file: /etc/kakehashi/mybot.password}
game:    {name: floodgate-300-10F}
engine:  {command: /opt/engine/YaneuraOu}
```

There are commented examples for [floodgate](../config/floodgate.example.yaml),
a [tournament](../config/tournament.example.yaml) and the [demo](../config/demo.example.yaml).

## How a file is read

- A file with mistakes is refused, and all of them are listed as `file:line:column: key: …`. The exit status is
  78, and nothing has been opened by then. Unknown and repeated keys are mistakes. A warning names what is
  allowed but probably not intended.
- **Durations** carry their unit: `500ms`, `1.5s`, `2min`, `1h`.
- **Sizes** are bytes, or carry their unit: `10MB` (1000²), `10MiB` (1024²).
- **True and false** are `true` and `false`; YAML's `yes` and the like are refused. `off` and `on`
  are different words, which some keys accept.
- Paths that do not begin with `/` are taken from the directory in which kakehashi is started.
  `~` and `$NAME` are not replaced, anywhere.
- A file is UTF-8 and at most 1 MiB long. Anchors and aliases work; tags, merge keys (`<<`) and
  several documents in one file do not.
- Two bots must not share an account on one server: each login would end the other's.

## Settings

The level says who needs a setting: `basic` is for a first game on floodgate, `common` is what many people change,
`expert` is everything else, and its defaults are usually right.
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
own choice; name and trip together are the rated player, so keep both.

## The engine

```yaml
engine:
  command: [/opt/engine/YaneuraOu, --quiet]  # program and arguments; no shell
  options:
    USI_Hash: 1024
    BookFile: no_book
    ClearHash:                               # no value: a button
```

To set an option more than once, or to press buttons in a certain order, write a list: `options: [{ClearHash: }, {USI_Hash: 1024}, {ClearHash: }]`.

## Rules

Settings for single games. When a game is offered, the rules are read in the written order. Each rule whose conditions
all hold sets what it says, so a later rule wins. Before AGREE, the engine gets the options that differ from
what it has, and `isready`. For the next game they are put back.

```yaml
rules:
  - when: {game_name: floodgate-*}
    set: {ponder: early}
  - when: {clock: {total: -1min, increment: 0s}}
    set: {ponder: off, time: {margin: 500ms}}
  - when: {opponent: [rival, "*_gpu"], color: white, time_of_day: 20:00-06:30}
    set:
      engine:
        options: {Threads: 16, BookFile: white.db}
```

A text that begins with `*` needs quotes in YAML. A list holds when one of its texts fits. Without
`when` a rule applies always. `kakehashi check FILE --game floodgate-300-10F` shows which rules apply
to such a game, which do not and why, and what they set. Describe the game further with `--opponent`, `--color` and
`--time`.

| in `when` | accepted | meaning |
| --- | --- | --- |
)";

// --- Japanese

constexpr const char* japanese_introduction = R"(# 設定

[English](configuration.md) ・ 表以外を読むのに 5 分。表は必要なときに引いてください

YAML ファイル 1 つがボット 1 つで、`kakehashi run` には複数渡せます。`kakehashi check FILE` は、対局せずにファイルを検査し、
エンジンを試します。このページはプログラムの設定表から作られていて、`kakehashi config reference --japanese` でも表示できます。

floodgate で指すなら、これだけで足ります。

```yaml
server:  {host: wdoor.c.u-tokyo.ac.jp}
account: {name: mybot, password_file: /etc/kakehashi/mybot.password}
game:    {name: floodgate-300-10F}
engine:  {command: /opt/engine/YaneuraOu}
```

説明つきの例もあります: [floodgate](../config/floodgate.example.yaml)、[大会](../config/tournament.example.yaml)、
[デモ](../config/demo.example.yaml)。

## ファイルの書き方

- 誤りがあれば、すべてを `ファイル:行:桁: キー: …` の形で表示して終わります。終了コードは 78 で、それまでに何も始めません。知らない
  キーや重複したキーも誤りです。誤りではないが意図と違いそうなものには、警告を出します。
- **時間**には単位を付けます。`500ms`、`1.5s`、`2min`、`1h`。
- **サイズ**はバイト数か、単位つき。`10MB`(1000²)、`10MiB`(1024²)。
- **真偽**は `true` と `false`。YAML の `yes` などは使えません。`off` と `on` は、一部のキーだけで使う別の語です。
- `/` で始まらないパスは、kakehashi を起動したディレクトリからの相対パスです。`~` と `$NAME` は展開しません。
- ファイルは UTF-8 で 1 MiB まで。アンカーとエイリアスは使えます。タグ、merge キー(`<<`)、1 ファイルに複数の文書は使えません。
- 2 つのボットが 1 つのサーバーで同じアカウントを使うことはできません。ログインするたびに、もう一方が追い出されます。

## 項目

段階は、誰のための項目かを示します。「基本」は floodgate での最初の対局に必要なもの、「一般」は変える人が多いもの、「上級」は
それ以外で、ふつうは既定値のままで使えます。
)";

constexpr const char* japanese_ending = R"(
## パスワード

trip(floodgate)やパスワードは、次の 3 つのどれかで渡します。設定ファイルやコマンドラインには書きません。

```yaml
account: {name: mybot, password_file: /etc/kakehashi/mybot.password}  # chmod 600
account: {name: mybot, password_env: KAKEHASHI_PASSWORD}
account: {name: mybot, password_credential: password}                 # LoadCredential=password:/…
```

空白を含まない ASCII の印字文字で、1024 バイトまでです。floodgate では自分で決める秘密の文字列で、名前と trip の組に
レーティングが付くので、両方とも変えないでください。

## エンジン

```yaml
engine:
  command: [/opt/engine/YaneuraOu, --quiet]  # プログラムと引数。シェルは通さない
  options:
    USI_Hash: 1024
    BookFile: no_book
    ClearHash:                               # 値なし: ボタン
```

同じオプションを何度も設定したり、ボタンを決まった順に押したりするときは、リストで書きます。
`options: [{ClearHash: }, {USI_Hash: 1024}, {ClearHash: }]`

## 規則

特定の対局だけの設定です。対局が組まれると、規則を書いた順に調べ、条件がすべて成り立つ規則の設定を使います。同じ設定なら、後の
規則が優先です。エンジンには、今と違うオプションと `isready` を AGREE の前に送り、次の対局では元に戻します。

```yaml
rules:
  - when: {game_name: floodgate-*}
    set: {ponder: early}
  - when: {clock: {total: -1min, increment: 0s}}
    set: {ponder: off, time: {margin: 500ms}}
  - when: {opponent: [rival, "*_gpu"], color: white, time_of_day: 20:00-06:30}
    set:
      engine:
        options: {Threads: 16, BookFile: white.db}
```

`*` で始まる文字列には YAML では引用符が要ります。リストは 1 つでも当てはまれば成り立ちます。`when` のない規則は常に
成り立ちます。`kakehashi check FILE --game floodgate-300-10F` は、その対局にどの規則が当てはまり、どれがなぜ当てはまらず、
何が変わるかを示します。`--opponent`、`--color`、`--time` で詳しく指定できます。

| `when` の中 | 受け付けるもの | 意味 |
| --- | --- | --- |
)";

// --- the page

std::string cell(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    escaped += c == '|' || c == '<' || c == '>' ? std::string("\\") + c : std::string(1, c);
  }
  return escaped;
}

std::string row(const Key& key, Language language) {
  const auto fallback = default_of(key);
  return "| `" + key.path + "` | " + words::in(language, describe_level(key)) + " | " + words::in(language, describe_type(key)) + " | " +
         (fallback ? "`" + *fallback + "`" : cell(words::in(language, describe_default(key)))) + " | " +
         cell(words::in(language, describe_accepted(key))) + " | " + cell(words::in(language, key.meaning)) + " |\n";
}

std::string table(const std::vector<Key>& keys, const std::string& section, Language language) {
  std::string text = words::in(language, say("| key | level | type | default | accepted | meaning |")) + "\n| --- | --- | --- | --- | --- | --- |\n";
  for (const Key& key : keys) {
    if (key.section() == section) {
      text += row(key, language);
    }
  }
  return text;
}

/// The chapter on the items of a list.
std::string items(const std::vector<Key>& keys, const Message& what, Language language) {
  const std::string list = keys.front().section();
  return "\n### `" + list + "`\n\n" + words::in(language, what) + "\n\n" + table(keys, list, language);
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
# rates. Make it private: chmod 600. `kakehashi check FILE` says whether all is well.
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

/// `name` is what the key is called there.
std::string entry(const Key& key, const std::string& name) {
  const auto fallback = default_of(key);
  std::string text = "#\n# " + name +
                     (fallback ? ": " + *fallback : "  (default: " + describe_default(key).english() + ")") + "\n";
  return text + comment("   ", key.meaning.english()) +
         comment("   ", "Accepted: " + describe_accepted(key).english());
}

}  // namespace

std::string reference(Language language) {
  const bool is_english = language == Language::english;
  std::string page = (is_english ? introduction : japanese_introduction) + ("\n### " + words::in(language, say("At the top level"))) +
                     "\n\n" + table(keys(), "", language);
  for (const Section& section : sections()) {
    page += "\n### `" + section.name + "`\n\n" + words::in(language, section.meaning) + "\n\n" +
            table(keys(), section.name, language);
  }
  page += items(member_keys(),
                say("Each item of the list `engine.team`, such as `- {name: second, options: {Threads: 4}}`."), language);
  page += items(recipient_keys(),
                say("Each item of the list `notify`, such as `- {url_file: /etc/kakehashi/discord.url, template: discord}`."),
                language);
  page += is_english ? ending : japanese_ending;
  for (const AspectText& aspect : aspect_texts()) {
    page += "| `" + std::string(aspect.path) + "` | " + cell(words::in(language, aspect.accepted)) + " | " +
            cell(words::in(language, aspect.meaning)) + " |\n";
  }
  Message settable;
  for (const std::string& path : settable_keys()) {
    std::string key = "`" + path + "`";
    settable = settable.empty() ? base::verbatim(key) : base::say("{}, {}", settable, key);
  }
  return page + "\n" + words::in(language, say("A rule can set {}.", settable)) + "\n";
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
    text += entry(key, key.path);
    for (const Key& inner : item_keys(key)) {
      text += entry(inner, "in each item of " + key.path + ": " + inner.leaf());
    }
  }
  return text;
}

}  // namespace kakehashi::config
