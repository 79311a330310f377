// --- the texts of the page, in both languages
const words = {
  en: {
    other: "日本語", connecting: "connecting …", live: "live", lost: "connection lost, trying again", token: "Token:",
    now: "Now", finished: "Finished games", help: "Keys", helpTitle: "Keyboard", close: "close", all: "all bots", skip: "To the game",
    black: "Black", white: "White", ours: "ours", toMove: "to move", none: "No game yet.", untimed: "no clock",
    move: "move {n}", start: "start", versus: "{black} v. {white}", moves: "Moves", time: "Time", score: "Evaluation", depth: "Depth", ply: "#",
    seconds: "{n} s", minutes: "{n} min", hours: "{n} h", byoyomi: "{n} a move", increment: "+{n} a move", mainThen: "{main}, then {more}", mainPlus: "{main} {more}",
    readingSeconds: "byoyomi", limit: "Move limit", used: "time used",
    board: "Board after {move}", boardTable: "The board, rank by rank, and the hands", hand: "{side}'s hand", emptyHand: "nothing",
    first: "to the start", back: "one move back", forth: "one move on", last: "to the end", follow: "follow the game", play: "play", pause: "pause", flip: "turn the board",
    graph: "Evaluation and time", evaluation: "Evaluation, from Black's side", thinkingTime: "Time for each move", mate: "mate", mateIn: "mate {n}", ourLine: "ours", theirLine: "opponent", graphHelp: "move number; arrow keys step",
    even: "even", hope: "{side} slightly better", better: "{side} better", good: "{side} clearly better", winning: "{side} winning",
    line: "Expected line", lineStep: "Expected line, move {n} of {of}", noLine: "nothing told here", backToGame: "back to the game",
    record: "Record", copy: "copy", save: "save", copied: "{what} copied", saved: "{what} saved", failed: "failed: {why}", sfen: "SFEN (this position)",
    engine: "Engine", standby: "standby engine", state: "State", games: "Games", results: "won {win}, lost {lose}, drawn {draw}", losses: "Engine restarts", enginelink: "Link to the engine", linkstates: { up: "up", reduced: "up, one way lost", out: "out" }, cuts: "{n} cuts, {s} s in all", rescues: "Moves without the engine", ponder: "Ponder hits", speed: "Speed", nps: "{n} nodes/s", figures: "Figures",
    log: "Log", original: "as written",
    won: "won", lose: "lost", draw: "draw", norslt: "no result", wins: "{name} won ({side})", ending: "{who}, {how}",
    bot: "bot", opponent: "opponent (* for anything)", result: "result", color: "our color", since: "since", any: "any", more: "more", empty: "No finished games.",
    columns: { started: "started", outcome: "result", color: "color", opponent: "opponent", clock: "clock", plies: "moves", ending: "ending", open: "" }, show: "show", toList: "back to the list",
    summary: "{count}: won {won}, lost {lost}, drawn {drawn}", rate: "score {score} % ({low} to {high})", elo: "Elo {elo} ({low} to {high})", losses_by: "lost by", had: "the engine had {share} % of its time", unreachable: "The archive cannot be read: ",
    unrecorded: "not recorded", opens: "until {at}, in {left}", days: {}, d: "{n} d", h: "{n} h", min: "{n} min",
    keys: [["← →", "one move back, one move on"], ["Home End", "to the start, to the end"], ["↑ ↓", "through the expected line"], ["Space", "follow the running game, or play a finished one"], ["F", "turn the board"], ["?", "this list"], ["Esc", "close, or back to the overview"]],
  },
  ja: {
    other: "English", connecting: "接続中…", live: "受信中", lost: "接続が切れました。再接続しています", token: "トークン:",
    now: "対局中", finished: "終わった対局", help: "キー操作", helpTitle: "キー操作", close: "閉じる", all: "一覧", skip: "対局へ",
    black: "先手", white: "後手", ours: "自分", toMove: "手番", none: "まだ対局がありません。", untimed: "時間無制限",
    move: "{n}手目", start: "開始局面", versus: "{black} 対 {white}", moves: "指し手", time: "消費時間", score: "評価値", depth: "深さ", ply: "手数",
    seconds: "{n}秒", minutes: "{n}分", hours: "{n}時間", byoyomi: "秒読み{n}", increment: "1手{n}加算", mainThen: "{main}、{more}", mainPlus: "{main}、{more}",
    readingSeconds: "秒読み", limit: "最大手数", used: "消費時間",
    board: "{move}の局面", boardTable: "盤面(一段ずつ)と持駒", hand: "{side}の持駒", emptyHand: "なし",
    first: "開始局面へ", back: "一手戻る", forth: "一手進む", last: "最終局面へ", follow: "対局を追う", play: "自動再生", pause: "一時停止", flip: "盤を反転",
    graph: "評価値と消費時間", evaluation: "評価値(先手から見て)", thinkingTime: "一手ごとの消費時間", mate: "詰み", mateIn: "{n}手詰", ourLine: "自分", theirLine: "相手", graphHelp: "手数。矢印キーで一手ずつ動く",
    even: "互角", hope: "{side}有望", better: "{side}有利", good: "{side}優勢", winning: "{side}勝勢",
    line: "読み筋", lineStep: "読み筋 {n}手目(全{of}手)", noLine: "この手の読み筋はありません", backToGame: "対局に戻る",
    record: "棋譜", copy: "コピー", save: "保存", copied: "{what} をコピーしました", saved: "{what} を保存しました", failed: "できませんでした: {why}", sfen: "SFEN(この局面)",
    engine: "エンジン", standby: "待機エンジン", state: "状態", games: "対局数", results: "{win}勝 {lose}敗 {draw}分", losses: "エンジンの再起動", enginelink: "エンジンへの回線", linkstates: { up: "接続中", reduced: "接続中(片方は切断)", out: "切断" }, cuts: "切断 {n} 回、計 {s} 秒", rescues: "救済の手", ponder: "先読みの的中", speed: "探索速度", nps: "{n} 局面/秒", figures: "数値",
    log: "ログ", original: "原文",
    won: "勝ち", lose: "負け", draw: "引き分け", norslt: "結果なし", wins: "{name} の勝ち（{side}）", ending: "{who}、{how}",
    bot: "ボット", opponent: "相手(*は任意の文字列)", result: "結果", color: "手番", since: "開始日", any: "すべて", more: "さらに表示", empty: "終わった対局はありません。",
    columns: { started: "開始", outcome: "結果", color: "手番", opponent: "相手", clock: "持ち時間", plies: "手数", ending: "終わり方", open: "" }, show: "表示", toList: "一覧に戻る",
    summary: "{count}: {won}勝 {lost}敗 {drawn}分", rate: "勝率 {score} % ({low}〜{high})", elo: "Elo差 {elo} ({low}〜{high})", losses_by: "負けの内訳", had: "エンジンが使えた時間 {share} %", unreachable: "保存された対局を読めません: ",
    unrecorded: "記録なし", opens: "{at} まで（あと {left}）", days: { Mon: "月曜", Tue: "火曜", Wed: "水曜", Thu: "木曜", Fri: "金曜", Sat: "土曜", Sun: "日曜" }, d: "{n}日", h: "{n}時間", min: "{n}分",
    keys: [["← →", "一手戻る、一手進む"], ["Home End", "開始局面へ、最終局面へ"], ["↑ ↓", "読み筋をたどる"], ["Space", "進行中の対局を追う、終わった対局を自動再生する"], ["F", "盤を反転する"], ["?", "この一覧"], ["Esc", "閉じる、一覧に戻る"]],
  },
};
// The server's words for how a game ended; any other is shown as it came.
const reasons = {
  en: { "#RESIGN": "resignation", "#TIME_UP": "loss on time", "#ILLEGAL_MOVE": "illegal move", "#ILLEGAL_ACTION": "illegal action", "#SENNICHITE": "repetition", "#OUTE_SENNICHITE": "perpetual check",
    "#JISHOGI": "entering-king declaration", "#MAX_MOVES": "move limit", "#CHUDAN": "interrupted", "#CENSORED": "interrupted by the server", "#ABNORMAL": "abnormal end" },
  ja: { "#RESIGN": "投了", "#TIME_UP": "時間切れ", "#ILLEGAL_MOVE": "反則の手", "#ILLEGAL_ACTION": "反則行為", "#SENNICHITE": "千日手", "#OUTE_SENNICHITE": "連続王手の千日手",
    "#JISHOGI": "入玉宣言", "#MAX_MOVES": "最大手数", "#CHUDAN": "中断", "#CENSORED": "サーバーによる中断", "#ABNORMAL": "異常終了" },
};
const phasesJa = { "preparing the engine": "エンジン準備中", "connecting": "接続中", "logging in": "ログイン中", "waiting for a game": "対局待ち", "agreeing": "対局条件の確認中", "playing": "対局中",
  "pausing before the next attempt": "再試行待ち", "waiting for its window": "予定時間待ち", "leaving": "終了処理中", "gone": "終了", "left": "終了", "beginning anew": "再開の準備中", "failed": "故障。再開の準備中" };
// What each code of the log means, from docs/messages.md and its twin: the texts themselves are English.
const meanings = { en: @english_meanings@, ja: @japanese_meanings@ };

const parameters = new URLSearchParams(location.search);
const remembered = (() => { try { return localStorage.getItem("language"); } catch { return null; } })();
let language = (parameters.get("lang") || remembered || navigator.language || "en").startsWith("ja") ? "ja" : "en";

const say = (key, values = {}) => {
  const text = words[language][key];
  return typeof text === "object" ? text : text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? 0);
};
const locale = () => navigator.languages.find(one => one.startsWith(language)) || language;
const counted = games => language === "ja" ? games + "局" : games + (games === 1 ? " game" : " games");
const reasonText = reason => reasons[language][reason] || reason;
const phaseText = phase => language === "ja" ? phasesJa[phase] || phase : phase;
const signed = value => (value > 0 ? "+" : value < 0 ? "−" : "±") + Math.abs(value);

// "alice won (White), resignation": who won stands there by name, whoever looks.
function endText(game) {
  const { outcome, reason } = game.end;
  if (outcome !== "win" && outcome !== "lose") return say("ending", { who: say(outcome === "draw" ? "draw" : "norslt"), how: reasonText(reason) });
  const winner = (outcome === "win") === (game.ours === "black") ? "black" : "white";
  return say("ending", { who: say("wins", { name: game[winner], side: say(winner) }), how: reasonText(reason) });
}

// "12:05", "1:02:03"; a part of a second counts as a whole one, as on a clock that runs down.
function clockFace(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000)), two = n => String(n).padStart(2, "0");
  const hours = Math.floor(seconds / 3600), minutes = Math.floor(seconds / 60) % 60;
  return hours ? hours + ":" + two(minutes) + ":" + two(seconds % 60) : minutes + ":" + two(seconds % 60);
}
// "15 min", "90 s", "2 h".
function spanText(ms) {
  const seconds = ms / 1000;
  if (seconds && seconds % 3600 === 0) return say("hours", { n: seconds / 3600 });
  return seconds >= 60 && seconds % 60 === 0 && seconds !== 60 ? say("minutes", { n: seconds / 60 }) : say("seconds", { n: seconds });
}
const tookText = ms => ms === undefined ? "" : say("seconds", { n: ms % 1000 ? (ms / 1000).toFixed(1) : ms / 1000 });
function controlText(clock) {
  if (clock.untimed) return say("untimed");
  const main = clock.total ? spanText(clock.total) : "";
  const more = clock.byoyomi ? say("byoyomi", { n: spanText(clock.byoyomi) }) : clock.increment ? say("increment", { n: spanText(clock.increment) }) : "";
  return main && more ? say(clock.byoyomi ? "mainThen" : "mainPlus", { main, more }) : main || more;
}
// From black's side; a mate says who mates, and in how many moves where that is known.
function scoreText(thought) {
  if (!thought || thought.score === undefined) return "";
  if (thought.mate === undefined && Math.abs(thought.score) < 30000) return signed(thought.score);
  const sign = thought.score > 0 ? "+" : "−", moves = Math.abs(thought.mate || 0);
  return sign + (moves ? say("mateIn", { n: moves }) : say("mate"));
}
function judgementText(score) {
  const size = Math.abs(score), side = say(score > 0 ? "black" : "white");
  return say(size >= 1500 ? "winning" : size >= 600 ? "good" : size >= 400 ? "better" : size >= 200 ? "hope" : "even", { side });
}
// "opens Mon 20:00, in 3 h 12 min", by the clock of the schedule, and in words of this language.
function windowText(window, passed) {
  const [day, time] = window.opens.split(" "), minutes = Math.ceil(Math.max(0, window.opens_in_ms - passed) / 60000);
  const units = { d: Math.floor(minutes / 1440), h: Math.floor(minutes / 60) % 24, min: minutes % 60 };
  const parts = Object.entries(units).filter(([, count]) => count).map(([name, count]) => say(name, { n: count }));
  return say("opens", { at: (say("days")[day] || day) + " " + time, left: parts.join(" ") || say("min", { n: 0 }) });
}
