/** Inputs that nobody should submit: each a door to submit it through and what to submit, from a generator of chance. */
import { nowMs } from "../../../memory/test/durability/laboratory.mjs";

const huge = 1_200_000;
const longest = 100_000;

const pieces = [
  (random) => String.fromCodePoint(...many(random, 20, () => anyCodePoint(random))),
  () => "Marta told how the garden met the spring.",
  () => "\u001b[2J\u001b[31mred\u0007\u001b]0;title\u0007",
  () => "\r\n\u2028\u2029\u0085\t\v\f",
  () => "\u202e\u2066\u200b\u200d\ufeff\ufffe\uffff",
  () => "e\u0301\u0302\u0303".repeat(50),
  () => "'; DROP TABLE person; --",
  () => "${{<%= `$(reboot)` %>}} {{7*7}} %s %n",
  () => '{"type":"interaction"}\n[]',
  () => "__proto__ constructor toString hasOwnProperty",
  () => "../../../etc/passwd",
  () => "q".repeat(5000),
  () => "🧠👩‍👩‍👧‍👦".repeat(40),
  () => "in 99999999999 years, 31 February 0000, the day before yesterday's tomorrow",
  () => "(((((((((((((((((((((((((((((a+)+)+)+)+)+$",
  () => "\u0130\u0131ßẞﬀǅ",
];

/** What no text may hold. */
const unstorable = ["\ud83e", "\udde0", "\0"];
const unstorableShare = 0.04;

function pieceOf(random) {
  return random.chance(unstorableShare) ? random.pick(unstorable) : random.pick(pieces)(random);
}

function many(random, countMax, make) {
  return Array.from({ length: random.between(1, countMax) }, make);
}

function anyCodePoint(random) {
  const code = random.pick([0x7f, 0x7ff, 0xffff, 0x10ffff]);
  const point = random.between(1, code);
  return point >= 0xd800 && point <= 0xdfff ? 0x20 : point;
}

/** A text of any kind; most can be stored. */
export function hostileText(random) {
  const kind = random.unit();
  if (kind < 0.02) return "All work and no play. ".repeat(huge / 22);
  if (kind < 0.06)
    return random
      .pick(["x", "no\n", "漢字仮名", "🧠", ". ", "and so on ", "a.b ", "1 "])
      .repeat(longest)
      .slice(0, longest);
  return many(random, 5, () => pieceOf(random)).join(random.pick([" ", "", "\n"]));
}

/** A value that is no text, or hardly. */
export function hostileValue(random) {
  return random.pick([
    () => undefined,
    () => null,
    () => 0,
    () => -0,
    () => NaN,
    () => Infinity,
    () => 10n,
    () => true,
    () => Symbol("hostile"),
    () => () => "called",
    () => new Date(NaN),
    () => new Map([["text", "hello"]]),
    () => new Uint8Array(9),
    () => new String("boxed"),
    () => Object.create(null),
    () => nested(random.between(10, 20_000)),
    () => circular(),
    () => [],
    () => sparse(),
    () => polluting(),
    () => ({ length: 3, 0: "a", map: 5 }),
    () => hostileText(random),
    () => "",
    () => " \n\u00a0",
  ])();
}

function nested(depth) {
  let value = "deep";
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { text: value };
  return value;
}

function circular() {
  const value = { who: "user" };
  value.text = value;
  return value;
}

function sparse() {
  const turns = [{ who: "user", text: "The first turn about the garden." }];
  turns[3] = { who: "user", text: "The last turn about the garden." };
  return turns;
}

function polluting() {
  return JSON.parse(
    '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"summary":"Polluted garden."}',
  );
}

function hostileTime(random) {
  return random.pick([
    () => random.pick([8.64e15, -8.64e15, 8.64e15 - 86_400_000, -(8.64e15 - 86_400_000), -8.64e15 + 86_400_001]),
    () => random.pick([0, -0, 0.4, -1, nowMs, nowMs + 1, nowMs + 60_000, Number.MAX_SAFE_INTEGER, Number.MIN_VALUE]),
    () => new Date(random.between(-8_000, 8_000) * 1e12),
    () =>
      random.pick([
        "0000-01-01",
        "0001-01-01T00:00:00Z",
        "-000001-01-01T00:00:00Z",
        "+275760-09-13T00:00:00Z",
        "-271821-04-20T00:00:00Z",
        "2016-12-31T23:59:60Z",
        "2025-06-01T24:00:00Z",
        "2025-06-01T10:00:00+23:59",
        "2025-06-01T10:00:00-99:99",
        "2025-02-29",
        "2024-02-29",
        "2025-03-30T01:30:00",
        " 2025-06-01 ",
        "2025-06-01T10:00:00.123456789Z",
      ]),
    () => hostileValue(random),
  ])();
}

/** A name or an id, short more often than not. */
export function hostileLabel(random) {
  if (random.chance(0.1)) return hostileValue(random);
  return random.pick([
    () =>
      random.pick(["__proto__", "constructor", "toString", "null", "a:b{c}", "*", "?", "[a-z]", " ada", "ada ", "ADA"]),
    () =>
      random.pick(["../x", "x".repeat(200), "x".repeat(201), "é", "e\u0301", "🧠", "\u202eada", "%00", "i001", "ada"]),
    () => hostileText(random).slice(0, random.between(1, 210)),
  ])();
}

function hostileInteraction(random) {
  if (random.chance(0.1)) return hostileValue(random);
  const turn = () =>
    random.chance(0.1)
      ? hostileValue(random)
      : {
          who: random.chance(0.7) ? "user" : hostileLabel(random),
          text: random.chance(0.9) ? hostileText(random) : hostileValue(random),
          ...(random.chance(0.1) ? { extra: nested(50) } : {}),
        };
  const input = {};
  if (random.chance(0.6)) input.turns = random.chance(0.9) ? many(random, 4, turn) : hostileValue(random);
  if (random.chance(0.6)) input.summary = random.chance(0.9) ? hostileText(random) : hostileValue(random);
  if (random.chance(0.4)) input.id = hostileLabel(random);
  if (random.chance(0.3)) input.at = hostileTime(random);
  if (random.chance(0.2)) input.state = hostileLabel(random);
  if (random.chance(0.1)) input.turns = sparse();
  if (random.chance(0.1)) Object.assign(input, polluting(), { summary: input.summary });
  return input;
}

/** A line of an import: JSON of something hostile, or no JSON. */
function hostileLine(random) {
  return random.pick([
    () => safeJson(hostileInteraction(random)),
    () =>
      safeJson({
        type: random.pick(["interaction", "memory", "edge", "mnemosyne-export", 5]),
        ...hostileInteraction(random),
      }),
    () => hostileText(random).replaceAll("\n", " "),
    () => "[".repeat(random.between(1, 50_000)),
    () => '{"__proto__":{"polluted":true},"summary":"Polluted by an import."}',
    () => `{"summary":"Twice.","summary":"The garden was told about twice."}`,
    () => `{"summary":"A lone half: \\ud83e.","at":"2025-05-05"}`,
  ])();
}

function safeJson(value) {
  try {
    return JSON.stringify(value, (_, member) => (typeof member === "bigint" ? String(member) : member)) ?? "undefined";
  } catch {
    return "{";
  }
}

/** What to submit and through which door: `{ door, person, value, options }`. */
export function hostileInput(random) {
  const person = random.chance(0.7) ? random.pick(["ada", "bea"]) : hostileLabel(random);
  const door = random.pick(["commit", "commit", "commit", "recall", "talk", "import", "forget", "get", "restore"]);
  switch (door) {
    case "commit":
      return { door, person, value: hostileInteraction(random) };
    case "recall": {
      const value = random.chance(0.8) ? hostileText(random) : hostileValue(random);
      return { door, person, value, options: hostileRecallOptions(random) };
    }
    case "talk": {
      const options = random.chance(0.5) ? { id: hostileLabel(random) } : { state: hostileLabel(random) };
      return {
        door,
        person,
        options,
        value: { who: random.chance(0.5) ? "user" : hostileLabel(random), text: hostileText(random) },
      };
    }
    case "import":
      return {
        door,
        person,
        value: random.chance(0.9) ? many(random, 3, () => hostileLine(random)) : hostileValue(random),
      };
    default:
      // Only ids that nobody has, so that the rest stays comparable.
      return { door, person, value: random.chance(0.5) ? `nobody ${random.between(1, 99)}` : unknownIds(random) };
  }
}

function unknownIds(random) {
  const value = hostileValue(random);
  return typeof value === "string" ? `nobody ${value}` : value;
}

function hostileRecallOptions(random) {
  const options = {};
  if (random.chance(0.3)) options.at = hostileTime(random);
  if (random.chance(0.3)) options.seed = hostileValue(random);
  if (random.chance(0.3)) options.tokenBudget = random.pick([0, 1, 1e9, -1, 0.5, NaN, Infinity, "5", null]);
  return random.chance(0.9) ? options : hostileValue(random);
}
