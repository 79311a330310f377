// --- the texts of the page. What it says is said by its English; po/ja.po has the Japanese, of which CMake puts in here
// what the page and the program's phases say.
const japanese = @japanese@;
// What each code of the log means, from docs/messages.md and its twin: the texts themselves are English.
const meanings = { en: @english_meanings@, ja: @japanese_meanings@ };

const parameters = new URLSearchParams(location.search);
const remembered = (() => { try { return localStorage.getItem("language"); } catch { return null; } })();
let language = (parameters.get("lang") || remembered || navigator.language || "en").startsWith("ja") ? "ja" : "en";

// {} is the next part, {0} the first. A context is for a word that is said otherwise elsewhere.
const sayAs = (context, english, ...parts) => {
  let next = 0;
  const text = language === "ja" && japanese[context ? context + "\u0004" + english : english] || english;
  return text.replace(/\{(\d?)\}/g, (_, at) => parts[at === "" ? next++ : at]);
};
const say = (english, ...parts) => sayAs("", english, ...parts);
const locale = () => navigator.languages.find(one => one.startsWith(language)) || language;
const counted = games => games === 1 ? sayAs("page", "{} game", games) : sayAs("page", "{} games", games);
// The server's words for how a game ended; any other is shown as it came.
const reasonText = reason => ({
  "#RESIGN": say("resignation"),
  "#TIME_UP": say("loss on time"),
  "#ILLEGAL_MOVE": say("illegal move"),
  "#ILLEGAL_ACTION": say("illegal action"),
  "#SENNICHITE": say("repetition"),
  "#OUTE_SENNICHITE": say("perpetual check"),
  "#JISHOGI": say("entering-king declaration"),
  "#MAX_MOVES": say("move limit"),
  "#CHUDAN": say("interrupted"),
  "#CENSORED": say("interrupted by the server"),
  "#ABNORMAL": say("abnormal end"),
})[reason] || reason;
// As the program says it; "left" is of a bot that has left it.
const phaseText = phase => phase === "left" ? say("left") : say(phase);
const sideText = side => side === "black" ? say("Black") : say("White");
const outcomeText = outcome => ({ win: say("won"), lose: say("lost"), draw: sayAs("column", "draw") })[outcome] || say("no result");
const columnTexts = () => ({ started: sayAs("column", "started"), outcome: sayAs("column", "result"), color: sayAs("column", "color"), opponent: sayAs("column", "opponent"), clock: sayAs("page", "clock"), plies: sayAs("column", "moves"), ending: say("ending"), open: "" });
const linkTexts = () => ({ up: sayAs("link", "up"), reduced: sayAs("link", "up, one way lost"), out: sayAs("link", "out") });
const dayText = day => ({ Mon: say("Mon"), Tue: say("Tue"), Wed: say("Wed"), Thu: say("Thu"), Fri: say("Fri"), Sat: say("Sat"), Sun: say("Sun") })[day] || day;
const keyTexts = () => [
  ["← →", say("one move back, one move on")],
  ["Home End", say("to the start, to the end")],
  ["↑ ↓", say("through the expected line")],
  ["Space", say("follow the running game, or play a finished one")],
  ["F", say("turn the board")],
  ["?", say("this list")],
  ["Esc", say("close, or back to the overview")],
];
const summaryText = all => say("{}: won {}, lost {}, drawn {}", counted(all.games), all.won, all.lost, all.drawn);
const signed = value => (value > 0 ? "+" : value < 0 ? "−" : "±") + Math.abs(value);

// "alice won (White), resignation": who won stands there by name, whoever looks.
function endText(game) {
  const { outcome, reason } = game.end;
  if (outcome !== "win" && outcome !== "lose") return sayAs("page", "{}, {}", outcomeText(outcome), reasonText(reason));
  const winner = (outcome === "win") === (game.ours === "black") ? "black" : "white";
  return sayAs("page", "{}, {}", sayAs("page", "{} won ({})", game[winner], sideText(winner)), reasonText(reason));
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
  if (seconds && seconds % 3600 === 0) return sayAs("page", "{} h", seconds / 3600);
  return seconds >= 60 && seconds % 60 === 0 && seconds !== 60 ? sayAs("page", "{} min", seconds / 60) : sayAs("page", "{} s", seconds);
}
const tookText = ms => ms === undefined ? "" : sayAs("page", "{} s", ms % 1000 ? (ms / 1000).toFixed(1) : ms / 1000);
function controlText(clock) {
  if (clock.untimed) return say("no clock");
  const main = clock.total ? spanText(clock.total) : "";
  const more = clock.byoyomi ? say("{} a move", spanText(clock.byoyomi)) : clock.increment ? say("+{} a move", spanText(clock.increment)) : "";
  return main && more ? clock.byoyomi ? sayAs("page", "{}, then {}", main, more) : sayAs("page", "{} {}", main, more) : main || more;
}
// From black's side; a mate says who mates, and in how many moves where that is known.
function scoreText(thought) {
  if (!thought || thought.score === undefined) return "";
  if (thought.mate === undefined && Math.abs(thought.score) < 30000) return signed(thought.score);
  const sign = thought.score > 0 ? "+" : "−", moves = Math.abs(thought.mate || 0);
  return sign + (moves ? sayAs("page", "mate {}", moves) : sayAs("page", "mate"));
}
function judgementText(score) {
  const size = Math.abs(score), side = sideText(score > 0 ? "black" : "white");
  return size >= 1500 ? say("{} winning", side) : size >= 600 ? say("{} clearly better", side) : size >= 400 ? say("{} better", side) : size >= 200 ? say("{} slightly better", side) : say("even");
}
// "opens Mon 20:00, in 3 h 12 min", by the clock of the schedule, and in words of this language.
function windowText(window, passed) {
  const [day, time] = window.opens.split(" "), minutes = Math.ceil(Math.max(0, window.opens_in_ms - passed) / 60000);
  const days = Math.floor(minutes / 1440), hours = Math.floor(minutes / 60) % 24, rest = minutes % 60;
  const left = [days && sayAs("page", "{} d", days), hours && sayAs("page", "{} h", hours), (rest || !minutes) && sayAs("page", "{} min", rest)].filter(Boolean).join(" ");
  return say("until {}, in {}", dayText(day) + " " + time, left);
}
