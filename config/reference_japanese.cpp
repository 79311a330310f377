// docs/configuration.ja.md: the same table of keys as reference.cpp's, with Japanese texts.
#include "config/japanese_texts.hpp"
#include "config/reference.hpp"
#include "config/reference_page.hpp"

namespace kakehashi::config {
namespace {

constexpr const char* introduction = R"(# 設定

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
)";

constexpr const char* ending = R"(
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

}  // namespace

std::string japanese_reference() {
  return reference_page(
      {introduction, "最上位", "| キー | 型 | 既定値 | 受け付けるもの | 意味 |", ending,
       "規則が変えられるもの:", "、", "。", japanese_phrase,
       [](const std::string& name, const std::string& /*english*/) {
         return std::string(japanese_text(name));
       }});
}

}  // namespace kakehashi::config
