#include "config/japanese_texts.hpp"

#include <span>
#include <utility>

namespace kakehashi::config {
namespace {

using Text = std::pair<std::string_view, std::string_view>;

constexpr Text sections_and_conditions[] = {
    {"[server]", "CSA サーバー。"},
    {"[server.tls]", "サーバーをどう信頼するか。詳しくは [TLS、WebSocket、プロキシ](servers.ja.md)。"},
    {"[server.websocket]", "WebSocket のサーバーに何を求めるか。"},
    {"[account]",
     "誰としてログインするか。trip かパスワードは、ファイル、環境変数、systemd の credential のどれか 1 つから取り、"
     "設定ファイルやコマンドラインには決して書かない。テスト用サーバーの私的な対局だけは、なくてもよい。"},
    {"[game]", "何を指すか。"},
    {"[schedule]",
     "いつ指すか。時間帯の外では、対局中でなければログアウトし、エンジンは準備のできたまま待つ。次に開く時刻は "
     "`kakehashi check` が示す。"},
    {"[engine]", "エンジン。"},
    {"[engine.standby]", "メインのエンジンが使えなくなったときに代わる 2 つ目のエンジン。詳しくは [guard.ja.md](guard.ja.md)。"},
    {"[engine.limits]", "各エンジンのプロセス(控えも)がマシンから取ってよいもの。"},
    {"[time]", "時計の使い方。"},
    {"[records]", "対局の棋譜。"},
    {"[book]", "エンジンより先に尋ねる、ブリッジの定跡。"},
    {"[archive]", "終わった対局のアーカイブ。詳しくは [archive.ja.md](archive.ja.md)。"},
    {"[journal]", "起きたことのジャーナル。"},
    {"[stop]", "ボットの終わり方。"},
    {"[log]", "ログ。"},
    {"when.game_name", "サーバーの Game_ID にある対局の名前(floodgate-300-10F)。なければ game.name。"},
    {"when.opponent", "相手のアカウント。"},
    {"when.colour", "自分の手番(先手 black、後手 white)。"},
    {"when.time_of_day", "対局が組まれた時刻。このマシンの時計と時差で。日をまたいでよい。"},
    {"when.clock.total", "自分の持ち時間。なければ 0s。"},
    {"when.clock.byoyomi", "秒読み。なければ 0s。"},
    {"when.clock.increment", "1 手ごとの加算。なければ 0s。"},
};

constexpr Text of_server[] = {
    {"server.host", "CSA サーバー。floodgate は wdoor.c.u-tokyo.ac.jp。"},
    {"server.port", "その TCP ポート。"},
    {"server.tls",
     "TLS を使うか。true か、下の server.tls の設定(書けば有効になる)。失敗しても暗号化なしの接続には戻らない。"},
    {"server.websocket",
     "サーバーが 1 行 1 メッセージの WebSocket か。true か、下の server.websocket の設定(書けば有効になる)。"
     "ws://host:port/path は host と port と websocket: {path: /path}、wss:// はさらに tls: true。"},
    {"server.proxy",
     "経由するプロキシ。SOCKS5 か HTTP(CONNECT)。サーバーの名前はプロキシが引く。user と password の中の %XX は任意の 1 バイト。"},
    {"server.proxy_password_file",
     "server.proxy の user のパスワードが入ったファイル。設定ファイルに書かずに済む。末尾の改行 1 つは取り除く。"},
    {"server.connect_timeout", "1 回の接続にかけてよい時間。"},
    {"server.login_timeout", "サーバーが LOGIN に答えるまでの時間。"},
    {"server.keepalive", "これだけ何も送らなければ空行を送り、30 分待っても接続が保たれるようにする。プロトコルは 30 秒未満を禁じる。"},
    {"server.keepalive_form",
     "そのとき送るもの。空行か、空白 1 つと改行。後者を受け付けるのは shogi-server だけで、返事はない。"},
    {"server.tcp_keepalive",
     "これだけ 1 バイトも来なければ、回線が生きているかカーネルが尋ねる。その後 5 秒ごとに 6 回。45 秒たっても応答のない回線は"
     "あきらめる。サーバーが返してくれない対局の間は、指し手がまだ間に合ううちは保つ。"},
    {"server.retry_max", "接続やログインを試す間隔の最大。1 秒から始まり倍になる。"},
    {"server.relogin",
     "待っている間や対局中に回線が閉じたとき、ログインし直すか。しないなら終了コード 69 で終わる。接続やログインの失敗は、"
     "いずれにせよ繰り返す。"},
    {"server.after_game",
     "対局のあと。reconnect は閉じてすぐログインし直す(floodgate 向け)。stay は同じ接続で待つ(大会のサーバー向け)。auto は "
     "game.name があれば reconnect、なければ(または server.mode が x1 なら)stay。"},
    {"server.logout",
     "LOGOUT を言うとき。auto は対局の間も接続を保つ場合に、終わるときだけ。always は新しくログインする前にも。never は何も言わずに閉じる。"},
    {"server.mode",
     "csa は CSA プロトコルのとおりにログインする。x1 は shogi-server の拡張モードで、電竜戦が求める。パスワードだけを送り、"
     "game.name は %%GAME で申し込む。"},
    {"server.challenge", "対局を待つとき CHALLENGE と言うか。言った者だけを組むサーバーのため。"},
    {"server.tls.ca_file", "信頼する認証局の証明書(PEM)。システムのものの代わりに使う。"},
    {"server.tls.fingerprint",
     "サーバー証明書の SHA-256 フィンガープリント。発行者、名前、期限によらず、この証明書だけを信頼する。"},
    {"server.tls.server_name", "求める名前(SNI)。証明書にもこの名前がなければならない。"},
    {"server.tls.certificate_file", "クライアント証明書とその鎖(PEM)。求めるサーバーのため。"},
    {"server.tls.key_file", "その秘密鍵(PEM、パスフレーズなし、chmod 600)。"},
    {"server.websocket.path", "アドレスのうち、ホストとポートの後ろ。"},
    {"server.websocket.origin", "Origin ヘッダー。特定のものだけを受け入れるサーバーのため。"},
};

constexpr Text of_bot[] = {
    {"name", "ログでのこのボットの呼び名。"},
    {"ponder",
     "相手の時間にエンジンが考えるか。エンジンの USI_Ponder も設定する。on はサーバーが自分の手を確認したときから、early は送った"
     "ときから。false と true は off と on。"},
    {"notify",
     "何が起きたら誰に知らせるか。ウェブフック(アドレスは専用のファイルに置く)とコマンド(標準入力に JSON を渡す)。詳しくは "
     "[notifications.ja.md](notifications.ja.md)。"},
    {"rules", "組まれた対局について分かっていることで選ぶ、その対局だけの設定。docs/configuration.ja.md の「規則」の章。"},
    {"account.name", "ログインする名前。サーバーは誰にでも見せる。"},
    {"account.password_file",
     "trip かパスワードだけが入ったファイル。末尾の改行 1 つは取り除く。所有者だけが読めるようにする(chmod 600)。"},
    {"account.password_env", "代わりに trip かパスワードが入った環境変数。"},
    {"account.password_credential", "代わりにそれが入った systemd の credential。ユニットの LoadCredential=NAME:PATH の NAME。"},
    {"game.name",
     "待つ対局。floodgate-300-10F は 300 秒と、1 手ごとに 10 秒の加算(F)。F がなければ 10 秒は秒読み。-B と -W は手番を求め、"
     "私的な対局でだけ使える。shogi-server の系統が求めるとおり trip の前に送るので、パスワードだけのところでは書かない。"},
    {"game.count", "何局指したら終わるか。"},
    {"game.comments", "指し手に評価値と読み筋を注釈として付けるか。サーバーは公開の棋譜に載せる。"},
    {"game.declare",
     "入玉宣言を誰がするか。engine はエンジンが bestmove win と言ったとき。auto は、その規則のある対局で 27 点法の宣言が自分の手番に"
     "成り立てばブリッジもすぐに。"},
    {"game.resign",
     "いつ投了するか。engine はエンジンが言ったとき。never は合法手がある限りせず、エンジンの最善の読み筋を指し続ける。"
     "{score: 3000, moves: 5} はエンジンが言うか、評価値が続けてその手数だけその値より悪いとき。合法手がなければ必ず投了する。"},
    {"game.own_accounts",
     "このサーバーにある自分の他のアカウント。それらとの対局は断る。同じプロセスのボットは書かなくても互いを知っている。"},
    {"game.meet_own", "自分のボットとも指すか。"},
    {"schedule.windows",
     "ログインして対局に応じる時間帯。schedule.time_zone の時刻で書く。曜日は始まる日で、終わりが始まりより後でなければ翌日に"
     "終わる。時間帯の中で組まれた対局は最後まで指す。毎時 0 分と 30 分に対局が始まるところでは、要らない対局の少し前に終わらせる。"},
    {"schedule.time_zone", "時間帯の時差。このマシンのもの、UTC からのずれ、またはタイムゾーンの名前(夏時間にも従う)。"},
    {"schedule.early", "時間帯が始まるどれだけ前にログインするか。"},
    {"time.margin",
     "サーバーとの往復のために、1 手の時間から取っておく分。サーバーは届いた時刻で数え、ちょうど使い切ると負けになる。auto は測る。"
     "往復とそのばらつき、失われたパケット、こちらの数えより多く引かれた時間、stop に従う速さ。"},
    {"time.margin_min", "time.margin: auto が取っておく最小。"},
    {"time.margin_max", "time.margin: auto が取っておく最大。"},
    {"time.round_up",
     "RoundUpToFullSecond と NetworkDelay を申告するエンジン(やねうら王系)に、始まった秒を、測った往復を除いて使い切らせるか。"
     "サーバーは T を切り捨てるので、秒の残りは無料になる。秒で数えない対局では使わせない。engine.options に書いたものはそのまま。"},
    {"time.untimed_move", "時計のない対局で、1 手にエンジンへ渡す時間。"},
};

constexpr Text of_engine[] = {
    {"engine.command",
     "エンジンのプログラムと引数を 1 つずつ。1 つだけ書けば、空白も含めてプログラムのパス。シェルは通さない。"},
    {"engine.protocol",
     "エンジンの話す言葉。usi か、将棋を指す UCI エンジンなら uci。tei(Tak)と ucgi(クロスワード)は kakehashi engine examine だけが知る。"},
    {"engine.directory", "エンジンが動くディレクトリ。多くはここで評価関数を探す。"},
    {"engine.environment", "エンジンに足す環境変数。書いたままの値で渡す($NAME は展開しない)。ほかに engine.pass_environment のものが渡る。"},
    {"engine.pass_environment",
     "ブリッジの環境変数のうち、エンジンと控えに渡すもの。PATH、HOME、USER、LOGNAME、SHELL、TMPDIR、TZ、LANG、LANGUAGE、LC_* は必ず渡る。usual は"
     "ライブラリー、GPU、スレッド、ssh、言語処理系の変数。* はすべて。名前が秘密らしいもの(PASS、TOKEN、SECRET、KEY、AUTH、TRIP、CREDENTIAL を含む)は"
     "パターンでは渡らず、名前をそのまま書いたときだけ渡る。"},
    {"engine.options",
     "エンジンのオプション。書いた順に、書いたままの値で設定する。値のない名前はボタンを押す。1 項目の map の list なら繰り返せる。"},
    {"engine.start_timeout", "起動から usiok までの時間。"},
    {"engine.ready_timeout",
     "isready に答えるまで、最後に何か言ってから待つ時間(空行、info、標準エラーの行は生きている印)。大きな評価関数は初回に数分かかる。"},
    {"engine.ready_max", "生きている印があるかぎり、isready の答えを合計でどれだけ待つか。engine.ready_timeout より短くはならない。"},
    {"engine.silence_max",
     "こちらの時計が動く間、エンジンがどれだけ黙っていたら疑うか。疑えば控えにも考えさせ、控えがなければ stop を送り、答えなければ代える。auto は"
     "加算と秒読みに持ち時間の四分の一(5 秒以上)を足した時間で、前に黙っていて無事だった時間の 2 倍より短くはしない。"},
    {"engine.quit_timeout", "quit のあと、終わらせるまで待つ時間。"},
    {"engine.restart_each_game",
     "対局ごとにエンジンを起動し直すか。2 局目に耐えないエンジンのため。次のログイン(または次の AGREE)は準備ができるまで待つ。"},
    {"engine.timed_ponderhit",
     "ponderhit に時計を付けるか。早い先読みで要るエンジンがあり、ほかの多くは無視する拡張。go ponder にはいずれにせよ見積もりが付く。"},
    {"engine.clock",
     "加算のある対局で、エンジンが btime をどう読むか。separate は加算を自分で足す(将棋所の読み方)。included は btime がその手の"
     "すべて。byoyomi は加算を知らないエンジン向け。auto は最初のログインの前に 1〜2 秒かけてエンジンで一度確かめ、結果を覚えておく。"
     "確かめられなければ、やねうら王と fairy-stockfish は名前と版で決め、ほかはどのエンジンにも無難な byoyomi にする。"},
    {"engine.on_failure", "どのエンジンも間に合わないとき。合法手を指すか、投了するか。"},
    {"engine.standby",
     "メインのエンジンが落ちた、固まった、反則手を返したときに、すぐ代わって指す 2 つ目のエンジンを用意するか。true(同じプログラムをもう 1 つ)か、"
     "下の engine.standby の設定。メインのエンジンはその間に再起動し、手の合間に戻る。"},
    {"engine.standby.command",
     "控えのプログラムと引数。自分のコマンドがあれば、ディレクトリ、環境、オプションもここに書いたものだけになる。"},
    {"engine.standby.protocol", "控えの話す言葉。メインのエンジンと同じか、usi か uci。"},
    {"engine.standby.directory", "控えの動くディレクトリ。"},
    {"engine.standby.environment", "控えの環境変数。"},
    {"engine.standby.options", "控えのオプション。ハッシュとスレッドを小さくすれば、メインのエンジンの分が残る。"},
    {"engine.limits.memory",
     "エンジンのプロセスが自分で使ってよいメモリー。それ以上は断られ、たいてい終わり、マシンが困る前に代わりを起動する(RLIMIT_DATA)。"
     "0 は無制限。"},
    {"engine.limits.address_space",
     "使ってよいアドレス空間。読み込むファイルも含む(RLIMIT_AS)。GPU のエンジンは使うよりずっと多く予約する。0 は無制限。"},
    {"engine.limits.open_files", "開いてよいファイルと接続の数。"},
    {"engine.limits.core_dumps", "落ちたときコアファイルを残してよいか。再起動は書き終わるまで待つ。"},
    {"engine.limits.nice", "他のプロセスにどれだけ譲るか。ブリッジが遅れないようにする。"},
    {"engine.limits.cpus", "動いてよいプロセッサー。番号はカーネルのもの。"},
};

constexpr Text of_keeping[] = {
    {"records.enabled", "対局ごとに棋譜を残すか。"},
    {"records.directory", "棋譜の置き場所。最初の対局が始まるときに作る。"},
    {"records.name",
     "拡張子を除いたファイル名。同じ名前の 2 局目には -2 が付き、上書きはしない。{_black} と {black_} は、値があるときだけ前か後ろに "
     "_ を付ける。{datetime} {title} {sente} {gote} は ShogiHome での date_time、game_id、black、white。{hex5} は対局ごとに違う 16 進 5 桁。"
     "{ply} は手数で、終局時に名前を変える。"},
    {"records.formats",
     "棋譜の形式。1 つにつき 1 ファイル。csa(V2.2)と csa3(V3.0)は 1 手ごとに書き足す。終局時に kif と ki2(Shift_JIS)、kifu と "
     "ki2u(UTF-8)、jkf(JSON Kifu Format)、usi(position 行)、jsonl(各手について分かることすべての JSON Lines)。"},
    {"records.comments",
     "エンジンの考えを書く注釈の形式。auto は csa では floodgate 式、csa3 では V3.0 自身のもの、ほかは ShogiHome 式。"},
    {"records.newline", "棋譜の改行。Windows には crlf を求めるプログラムがある。"},
    {"records.times",
     "自分の各手に、サーバーが与えた時間、エンジンに渡した時間、使った時間、引かれた時間を注釈し、末尾に合計を書くか。"},
    {"book.file", "やねうら王のテキスト形式(.db)の定跡。ある局面はエンジンなしで答える。反則手は飛ばす。"},
    {"book.on_the_fly",
     "最初に全部読む代わりに、1 手ごとにディスクで探すか。やねうら王や ShogiHome が書くように、局面の順に並んでいなければならない。"},
    {"book.rule",
     "best は局面の最初の手。by_count は指された回数に応じて、by_score は評価の良いものほど高い確率で選ぶ。"},
    {"book.temperature", "by_score で、これだけ(センチポーン)悪い手は約 3 分の 1 の確率になる。"},
    {"archive.enabled", "終わった対局をアーカイブに入れるか。kakehashi games とライブページが読む。"},
    {"archive.file",
     "アーカイブ(SQLite のデータベース)。最初の対局で作る。複数のボットやプロセスが 1 つを共有できる。このマシンのディスクに置く。"},
    {"journal.enabled",
     "ジャーナルを残すか。ボットに届いたものすべてとしたことすべて(秘密は伏せる)。落ちたあとに棋譜を補い、kakehashi replay で再現できる。"},
    {"journal.directory", "ジャーナルの置き場所。ボットの起動時に作る。"},
    {"journal.keep", "全体を残すファイルの数(1 局に 1 つ)。まだ要る古いものは縮め、ほかは消す。"},
    {"journal.bytes_max", "この大きさでファイルは書き足されなくなり、次の対局で新しくなる。0 は無制限。"},
    {"stop.drain_limit",
     "最初の SIGTERM か SIGINT のあと、対局を続けてよい時間。過ぎれば自分の手番で投了する。systemd や Docker が待つ時間(TimeoutStopSec)より"
     "短くする。0s は最後まで指す。"},
    {"log.level", "記録する最低の重さ。debug は両プロトコルの全行(パスワードは伏せる)。"},
    {"log.format", "人のための行か、1 行に 1 つの JSON。"},
    {"log.file", "ログの行き先。複数のボットが 1 つのファイルを使ってよい。"},
    {"log.rotate_bytes", "この大きさで新しいファイルを始める。0 なら始めない。"},
    {"log.rotate_keep", "残す古いファイルの数。"},
};

constexpr Text phrases[] = {
    {"text", "文字列"}, {"word", "語"}, {"whole number", "整数"}, {"duration", "時間"}, {"size", "サイズ"},
    {"duration, or auto", "時間か auto"}, {"true or false", "真偽"}, {"true or false, or a map", "真偽か map"},
    {"list of words, or one word", "語の list か 1 語"}, {"list of texts, or one text", "文字列の list か 1 つ"},
    {"map of texts", "文字列の map"}, {"map, or list of one-key maps", "map か、1 項目の map の list"},
    {"word, or map", "語か map"}, {"list of maps", "map の list"},
    {"required", "必須"}, {"none", "なし"}, {"all", "すべて"}, {"always", "常に"},
    {"none: straight to the server", "なし(直接つなぐ)"}, {"none: the password is sent alone", "なし(パスワードだけを送る)"},
    {"none is sent", "送らない"}, {"the account's name", "アカウントの名前"}, {"until stopped", "止めるまで"},
    {"the system's trust store", "システムの認証局"}, {"the program's own", "プログラムのある場所"},
    {"as the bridge's", "ブリッジと同じ"}, {"standard error", "標準エラー"},
    {"games.db, in records.directory", "records.directory の games.db"},
    {"journal, beside records.directory", "records.directory の隣の journal"},
    {"true for floodgate games, else false", "floodgate の対局なら true、ほかは false"},
    {"true with ponder: early, else false", "ponder: early なら true、ほかは false"},
    {"the first engine's, with its directory, environment and options where none are given here",
     "メインのエンジンのもの。ディレクトリ、環境、オプションも、ここになければ同じ"},
    {"1 to 64 bytes", "1〜64 バイト"}, {"a name or an address, without port", "名前かアドレス(ポートなし)"},
    {"a name or an address", "名前かアドレス"}, {"a path; without a leading ~ or $", "パス(先頭に ~ や $ は使えない)"},
    {"64 hexadecimal digits, with or without colons", "16 進 64 桁(コロンの有無は問わない)"},
    {"a path that begins with /, and a query", "/ で始まるパスとクエリー"}, {"such as https://example.org", "https://example.org など"},
    {"1 to 32 letters, digits and _ @ - .", "英数字と _ @ - . で 1〜32 文字"},
    {"the name of a variable, without a $", "変数の名前($ なし)"}, {"a name without /", "/ を含まない名前"},
    {"usual, names, patterns such as FOO_*", "usual、名前、FOO_* のようなパターン"},
    {"names of accounts, at most 100", "アカウントの名前、100 まで"},
    {"[days ]HH:MM-HH:MM, such as mon-fri 20:00-23:30; at most 100", "[曜日 ]HH:MM-HH:MM。例: mon-fri 20:00-23:30。100 まで"},
    {"at least the program; 1 to 256 texts", "少なくともプログラム。1〜256 個"}, {"NAME: value, at most 256", "NAME: 値、256 まで"},
    {"Name: value, at most 1000", "Name: 値、1000 まで"}, {"true, false, or its settings", "true、false、またはその設定"},
    {"numbers and ranges, such as 0-3,8", "番号と範囲。例: 0-3,8"},
    {"a text; * stands for any text, ? for any one character", "文字列。* は任意の文字列、? は任意の 1 文字"},
    {"from 00:00 to 24:00, as in 20:00-06:30", "00:00〜24:00。例: 20:00-06:30"},
    {"a duration, or from-to, as in 1min-10min, 10min- or -10min", "時間か範囲。例: 1min-10min、10min-、-10min"},
    {"as clock.total", "clock.total と同じ"},
};

std::string_view find(std::span<const Text> texts, std::string_view name) {
  for (const auto& [known, text] : texts) {
    if (known == name) {
      return text;
    }
  }
  return {};
}

}  // namespace

std::string_view japanese_text(std::string_view name) {
  using Texts = std::span<const Text>;
  for (const Texts texts : {Texts(sections_and_conditions), Texts(of_server), Texts(of_bot), Texts(of_engine),
                            Texts(of_keeping)}) {
    if (const auto text = find(texts, name); !text.empty()) {
      return text;
    }
  }
  return {};
}

std::string japanese_phrase(const std::string& english) {
  const std::string_view found = find(phrases, english);
  return found.empty() ? english : std::string(found);
}

}  // namespace kakehashi::config
