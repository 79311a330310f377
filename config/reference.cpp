#include "config/reference.hpp"

#include "config/reference_page.hpp"

namespace kakehashi::config {
namespace {

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

}  // namespace

std::string reference() {
  return reference_page(
      {introduction, "At the top level", "| key | type | default | accepted | meaning |", ending,
       "A rule can set", ", ", ".", [](const std::string& english) { return english; },
       [](const std::string& /*name*/, const std::string& english) { return english; }});
}

}  // namespace kakehashi::config
