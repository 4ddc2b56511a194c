// Makes the rows from which `train.py` trains the heads `reading` and `relation`: talks are cut into statements by the
// product's own cutter, and each statement gets the labels of the words that it holds.
//
// npm run build && node rows.mjs OUT
// node rows.mjs OUT --lives FOLDER   with lives too: a JSON file each, with interactions, facts and look-alikes of facts
// node rows.mjs OUT --drawn FILE     with the pairs that drawn.mjs drew; of lives in place of those that are drawn here
//
// OUT is `{ readings, pairs }`. Nothing is random, so it writes the same file every time.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { assistant, cutStatementsSteps, embeddedText } from "../../memory/dist/reader/cut.js";
import { finish } from "../../memory/dist/text/steps.js";

const data = fileURLToPath(new URL("data/", import.meta.url));
const beforeWordCount = 24;
/** A label counts for a statement that holds as many of its characters, or all of it. */
const overlapMin = 8;
/** Of a statement whose pieces the cutter has joined by other blanks, the first characters are looked for. */
const startLength = 18;
/** Of a quotation that stands for itself, beside the statement that holds it. */
const quoteWeight = 0.7;
/** Lives are the nearest to the talk of real people. */
const lifeWeight = 1.5;
/** Pairs of a life that are neither the same nor an end: the most alike. */
const otherPairCountMax = 90;
const sameAreaGain = 0.15;
const chanceWeight = 0.1;
const relations = { ends: "update", repeats: "repetition", other: "different" };
/** Areas of lives as areas of the reader; an event is of none. */
const areas = {
  allergy: "alert",
  beliefs: "habits",
  dislikes: "habits",
  events: null,
  food: "food",
  health: "health",
  home: "home",
  "how-to-talk": "manner",
  identity: "self",
  likes: "habits",
  medicine: "medicine",
  money: "habits",
  people: "people",
  pets: "people",
  "places-and-codes": "codes",
  plans: "plans",
  possessions: "habits",
  routine: "habits",
  school: "work",
  work: "work",
};

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { lives: { type: "string" }, drawn: { type: "string" } },
});
const [out] = positionals;
if (out === undefined)
  throw new RangeError("rows.mjs takes the file to write, and perhaps --lives FOLDER and --drawn FILE");
const drawn = values.drawn === undefined ? null : readJson(values.drawn);
const parts = [...readVoices(), ...(values.lives === undefined ? [] : readLives(values.lives))];
const readings = parts.flatMap((part) => part.readings);
const pairs = [...parts.flatMap((part) => part.pairs), ...(drawn ?? [])];
writeFileSync(out, JSON.stringify({ readings, pairs }));
process.stdout.write(`${readings.length} statements, ${pairs.length} pairs\n`);
for (const author of new Set(parts.map((part) => part.author))) {
  const counts = [readings, pairs].map((rows) => rows.filter((row) => row.author === author).length);
  process.stdout.write(`${author}: ${counts.join(", ")}\n`);
}

/** Authors of talks, each sentence of which is labelled. */
function readVoices() {
  const authors = readdirSync(data).filter((author) => readdirSync(join(data, author)).includes("talks.json"));
  return authors.toSorted().map((author) => {
    const talks = readJson(join(data, author, "talks.json"));
    const changes = readJson(join(data, author, "changes.json"));
    return {
      author,
      readings: talks.flatMap(({ turns, labels }) => [
        ...labelStatements(turns, labels).flatMap(({ statement, held }) =>
          held.length === 0 ? [] : [{ author, ...statement, ...uniteLabels(held) }],
        ),
        ...labels.map((label) => ({ author, ...readQuote(turns, label) })),
      ]),
      pairs: changes.map(({ older, newer, relation }) => {
        return { author, first: older, second: newer, relation: relations[relation] };
      }),
    };
  });
}

/** Every labelled sentence once more as a statement of its own. */
function readQuote(turns, { turn, quote, fact, about, area, lasting, alone }) {
  const { text } = turns[turn];
  const answered = turn === 0 ? null : lastWords(turns[turn - 1].text);
  return {
    before: lastWords(text.slice(0, text.indexOf(quote))) ?? answered,
    text: quote,
    kind: "said",
    fact: Number(fact),
    about: fact ? about : "nobody",
    area: fact ? area : null,
    lasting: Number(fact && lasting),
    alone: fact ? Number(alone) : null,
    weight: quoteWeight,
  };
}

/** The statements of a talk, each with the labels whose words it holds, the most of them first. */
function labelStatements(turns, labels) {
  return placeStatements(turns).map(({ turn, from, to, ...statement }) => {
    const overlapOf = ({ quote }) => {
      const start = turns[turn].text.toLowerCase().indexOf(quote.toLowerCase());
      return start === -1 ? 0 : Math.min(to, start + quote.length) - Math.max(from, start);
    };
    const held = labels
      .filter((label) => label.turn === turn && overlapOf(label) >= Math.min(overlapMin, label.quote.length))
      .toSorted((x, y) => overlapOf(y) - overlapOf(x));
    return { statement, held };
  });
}

/** Several labels of one statement as one: a lasting fact counts most. */
function uniteLabels(held) {
  const facts = held.filter(({ fact }) => fact);
  const [main] = [...facts.filter(({ lasting }) => lasting), ...facts];
  if (main === undefined) return { fact: 0, about: "nobody", area: null, lasting: 0, alone: null };
  // Lives do not say what stands alone.
  const alone = held[0].alone === undefined ? null : Number(held[0].alone);
  return { fact: 1, about: main.about, area: main.area, lasting: Number(main.lasting), alone };
}

/** The statements of people, each with its place in its turn; a statement that cannot be found there is left out. */
function placeStatements(turns) {
  const ends = turns.map(() => 0);
  return cutTalk(turns).flatMap(({ turn, before, text, kind }) => {
    const said = turns[turn].text;
    const find = (words) => {
      const after = said.indexOf(words, ends[turn]);
      return after === -1 ? said.indexOf(words) : after;
    };
    const exact = find(text);
    const from = exact === -1 ? find(text.slice(0, startLength)) : exact;
    if (from === -1) return [];
    const to = exact === -1 ? Math.min(said.length, from + text.length + 2) : from + text.length;
    ends[turn] = to;
    return [{ turn, from, to, before, text, kind }];
  });
}

function cutTalk(turns) {
  return finish(cutStatementsSteps({ turns, summary: null })).filter(({ who }) => who !== assistant);
}

/** Lives that others wrote: `author` is "life-" and the first letter of the file's name. */
function readLives(folder) {
  const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return names.toSorted().map((name) => {
    const life = readJson(join(folder, name));
    const author = `life-${name[0]}`;
    return {
      author,
      readings: life.interactions.flatMap((interaction) => readTold(interaction, life, author)),
      pairs: pairFacts(life).map((pair) => ({ author, ...pair })),
    };
  });
}

/** A statement without labelled words does not last, and nothing else is known of it. */
function readTold({ id, turns }, { facts, nonFacts }, author) {
  const unknown = { fact: null, about: null, area: null, lasting: 0, alone: null };
  const turnOf = (quote) => turns.findIndex(({ text }) => text.toLowerCase().includes(quote.toLowerCase()));
  const labels = [...facts.map(labelOf), ...nonFacts.map((told) => ({ in: told.in, quote: told.quote, fact: false }))]
    .filter((label) => label.in === id)
    .map((label) => ({ ...label, turn: turnOf(label.quote) }));
  return labelStatements(turns, labels).map(({ statement, held }) => {
    return { author, ...statement, ...(held.length === 0 ? unknown : uniteLabels(held)), weight: lifeWeight };
  });
}

function labelOf({ in: told, quote, about, area, lasting }) {
  return {
    in: told,
    quote,
    fact: true,
    about: about === "self" ? "self" : "other",
    area: areas[area] ?? null,
    lasting,
  };
}

/** Pairs of statements by the facts they tell: every end, and the most alike of those that change nothing. */
function pairFacts({ interactions, facts }) {
  const said = interactions.flatMap(({ id, turns }) => cutTalk(turns).map((statement) => ({ in: id, ...statement })));
  const has = ({ text }, words) => text.toLowerCase().includes(words.toLowerCase());
  const statementOf = new Map(
    facts.map((fact) => {
      const own = said.filter((statement) => statement.in === fact.in);
      const exact = own.find((statement) => has(statement, fact.quote));
      return [fact, exact ?? own.find((statement) => fact.marks.every((mark) => has(statement, mark)))];
    }),
  );
  const endOf = new Map(facts.map((fact) => [fact, facts.find(({ id }) => id === fact.endedBy)]));
  const pairOf = (older, newer, relation) => {
    return { first: embeddedText(older), second: embeddedText(newer), relation };
  };
  const ends = [...endOf].flatMap(([fact, end]) => {
    const [older, newer] = [statementOf.get(fact), statementOf.get(end)];
    return older === undefined || newer === undefined || older === newer ? [] : [pairOf(older, newer, "update")];
  });
  const ended = new Set(ends.map(({ first, second }) => JSON.stringify([first, second])));
  if (drawn !== null) return ends;
  const random = createRandom();
  const others = [];
  for (const fact of facts.filter(({ lasting }) => lasting)) {
    for (const later of facts.filter((each) => each.in > fact.in && each.id !== fact.endedBy)) {
      const [older, newer] = [statementOf.get(fact), statementOf.get(later)];
      if (older === undefined || newer === undefined || older === newer) continue;
      const pair = pairOf(older, newer, "different");
      if (ended.has(JSON.stringify([pair.first, pair.second])) || endsOf(older).includes(newer)) continue;
      if (cameOf(fact).includes(newer)) continue;
      const gain = (fact.area === later.area ? sameAreaGain : 0) + chanceWeight * random();
      others.push({ pair, closeness: likeness(pair) + gain });
    }
  }
  others.sort((x, y) => y.closeness - x.closeness);
  return [...ends, ...others.slice(0, otherPairCountMax).map(({ pair }) => pair)];

  /** The statements that ended any fact of a statement. */
  function endsOf(statement) {
    const told = facts.filter((fact) => statementOf.get(fact) === statement && endOf.get(fact) !== undefined);
    return told.map((fact) => statementOf.get(endOf.get(fact)));
  }

  /** The statements that followed a fact, change after change. */
  function cameOf(fact) {
    const end = endOf.get(fact);
    return end === undefined ? [] : [statementOf.get(end), ...cameOf(end)];
  }
}

/** The share of words that two texts have in common. */
function likeness({ first, second }) {
  const [one, other] = [first, second].map((text) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu)));
  return [...one].filter((word) => other.has(word)).length / (one.size + other.size);
}

/** The same numbers from 0 to 1 each time. */
function createRandom() {
  let state = 11;
  return () => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
}

function lastWords(text) {
  const words = text.trim().split(/\s+/u).slice(-beforeWordCount).join(" ");
  return words === "" ? null : words;
}

function readJson(path) {
  return JSON.parse(readFileSync(path, "utf8"));
}
