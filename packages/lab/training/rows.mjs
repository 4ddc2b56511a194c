// Makes the rows from which `train.py` trains the encoder: talk is cut into statements and windows by the product's own
// cutter, each statement gets the labels of the words that it holds, and each question the statements that answer it.
//
// npm run build && node rows.mjs OUT [--lives FOLDER]
//
// --lives: further lives, one JSON file each, by authors "life-" and the first letter of the file's name. OUT is a list of
// people: `{ author, interactions: [[window, ...], ...], questions, ends, others }`, where a statement is named by the
// numbers of its interaction, window and place. Nothing is random, so it writes the same file every time.
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { cutStatementsSteps } from "../../memory/dist/reader/cut.js";
import { cutWindows } from "../../memory/dist/reader/windows.js";
import { finish } from "../../memory/dist/text/steps.js";

const data = fileURLToPath(new URL("data/", import.meta.url));
/** A label counts for a statement that holds as many of its characters, or all of it. */
const overlapMin = 8;
/** Of a statement whose pieces the cutter has joined by other blanks, the first characters are looked for. */
const startLength = 18;
/** Areas of the shared lives as areas of the reader; an event is of none. */
const areas = {
  allergy: "alert",
  beliefs: "habits",
  dislikes: "habits",
  events: null,
  identity: "self",
  likes: "habits",
  "how-to-talk": "manner",
  money: "habits",
  pets: "people",
  "places-and-codes": "codes",
  possessions: "habits",
  routine: "habits",
  school: "work",
};
const nothing = { fact: 0, about: "nobody", area: null, lasting: 0, alone: null };

const { positionals, values } = parseArgs({ allowPositionals: true, options: { lives: { type: "string" } } });
const [out] = positionals;
if (out === undefined) throw new RangeError("rows.mjs takes the file to write, and perhaps --lives FOLDER");
const asks = readAsks();
const people = [];
for (const author of readdirSync(data).toSorted()) {
  for (const name of readdirSync(join(data, author)).toSorted()) {
    const items = readJson(join(data, author, name));
    if (name.startsWith("life-")) people.push(readLife(author, items));
    if (name === "talks.json") items.forEach((talk, i) => people.push(readTalk(author, talk, `${author}/talks/${i}`)));
    if (name === "persons.json")
      items.forEach((each, i) => people.push(readPerson(author, each, `${author}/persons/${i}`)));
    if (name.startsWith("stories")) for (const story of items) people.push(readStory(author, story));
  }
}
for (const name of values.lives === undefined ? [] : readdirSync(values.lives).toSorted()) {
  if (name.endsWith(".json")) people.push(readLife(`life-${name[0]}`, readJson(join(values.lives, name))));
}
writeFileSync(out, JSON.stringify(people));
const count = (of) => people.reduce((sum, person) => sum + of(person), 0);
const labelled = ({ interactions }) =>
  interactions.flat().reduce((sum, { labels }) => sum + labels.filter((label) => label !== null).length, 0);
process.stdout.write(
  `${people.length} people, ${count(labelled)} labelled statements, ${count(({ questions }) => questions.length)} questions, ${count(({ ends }) => ends.length)} ends\n`,
);

/** Questions that other authors asked about persons and talks, by the name of what they are about. */
function readAsks() {
  const found = new Map();
  for (const author of readdirSync(data).toSorted()) {
    for (const name of readdirSync(join(data, author))
      .filter((each) => each.startsWith("asks-"))
      .toSorted()) {
      for (const { of, questions } of readJson(join(data, author, name))) {
        found.set(of, [...(found.get(of) ?? []), ...questions]);
      }
    }
  }
  return found;
}

function readStory(author, { statements, questions }) {
  const placed = statements.map((_, i) => [i, 0, 0]);
  const at = (list) => (list ?? []).map((i) => placed[i]);
  return {
    author,
    interactions: statements.map(({ text }) => [alone(text, null)]),
    questions: questions
      .filter(({ answerable = true, gold }) => !answerable || gold.length > 0)
      .map(({ question, gold, outdated, answerable = true }) => ({
        question,
        gold: answerable ? at(gold) : [],
        outdated: at(outdated),
      })),
    ends: questions.flatMap(({ gold, outdated }) =>
      outdated.flatMap((old) => gold.filter((now) => now > old).map((now) => [placed[old], placed[now]])),
    ),
    others: null,
  };
}

function readPerson(author, { statements }, name) {
  const placed = statements.map((_, i) => [i, 0, 0]);
  return {
    author,
    interactions: statements.map(({ text, area }) => {
      const lasts = area !== "passing";
      const known = lasts ? { fact: 1, area } : { fact: null, area: null };
      return [alone(text, { ...known, about: null, lasting: Number(lasts), alone: null, kind: null })];
    }),
    questions: askedAbout(name, placed),
    ends: statements.flatMap(({ endedBy }, i) => (endedBy === null ? [] : [[placed[i], placed[endedBy]]])),
    others: "lasting",
  };
}

function askedAbout(name, placed) {
  return (asks.get(name) ?? []).flatMap(({ question, gold, outdated }) => {
    const at = (list) => (list ?? []).flatMap((i) => (placed[i] === undefined ? [] : [placed[i]]));
    return gold.length > 0 && at(gold).length === 0 ? [] : [{ question, gold: at(gold), outdated: at(outdated) }];
  });
}

function alone(text, label) {
  return { before: null, isAnswer: false, who: "user", texts: [text], labels: [label] };
}

/** A talk, each sentence of which is labelled. */
function readTalk(author, { turns, labels }, name) {
  const windows = labelWindows(turns, labels.map(toLabel));
  const placed = labels.filter(({ fact }) => fact).map((label) => placeOf(windows, label.turn, label.quote));
  const questions = askedAbout(
    name,
    placed.map((place) => (place === null ? undefined : [0, ...place])),
  );
  return { author, interactions: [windows.map(withoutTurn)], questions, ends: [], others: null };
}

function toLabel({ turn, quote, fact, about, area, lasting, alone: standsAlone, kind }) {
  const read = fact
    ? { fact: 1, about, area, lasting: Number(lasting), alone: Number(standsAlone) }
    : { ...nothing, alone: null };
  return { turn, quote, read: { ...read, kind: fact ? "fact" : kind === "quote" ? "task" : (kind ?? null) } };
}

/** A life: months of one person, with facts, what ended them, look-alikes and questions. */
function readLife(author, { interactions, facts, nonFacts, questions }) {
  const told = interactions.map(({ id, turns }) => {
    const turnOf = (quote) =>
      turns.findIndex(({ who, text }) => who !== "assistant" && flat(text).includes(flat(quote)));
    const labels = [
      ...facts.filter((fact) => fact.in === id).map((fact) => ({ quote: fact.quote, read: readFact(fact) })),
      ...nonFacts
        .filter((each) => each.in === id)
        .map(({ quote, kind }) => ({ quote, read: { ...nothing, kind: kindOf(kind) } })),
    ].map((label) => ({ ...label, turn: turnOf(label.quote) }));
    return labelWindows(turns, labels, { ...nothing, fact: null, about: null, alone: null, kind: null });
  });
  const numberOf = new Map(interactions.map(({ id }, i) => [id, i]));
  const places = new Map(
    facts.flatMap((fact) => {
      const i = numberOf.get(fact.in);
      const place = placeOf(told[i], null, fact.quote) ?? placeOf(told[i], null, fact.marks[0]);
      return place === null ? [] : [[fact.id, [i, ...place]]];
    }),
  );
  const at = (ids) => (ids ?? []).flatMap((id) => (places.has(id) ? [places.get(id)] : []));
  return {
    author,
    interactions: told.map((windows) => windows.map(withoutTurn)),
    questions: questions
      .filter(({ needs }) => needs.length === 0 || at(needs).length > 0)
      .map(({ question, needs, stale }) => ({ question, gold: at(needs), outdated: at(stale) })),
    paraphrases: facts.flatMap(({ id, text }) => at([id]).map((place) => ({ text, place }))),
    ends: facts.flatMap(({ id, endedBy }) => {
      const [older, newer] = [at([id])[0], at([endedBy])[0]];
      return older === undefined || newer === undefined || String(older) === String(newer) ? [] : [[older, newer]];
    }),
    // Of a fact that nothing replaced, some statement of that interaction is the end; which one is not said.
    unknown: facts.flatMap(({ id, until }) =>
      until == null ? [] : at([id]).map((place) => [place, numberOf.get(until)]),
    ),
    others: "facts",
  };
}

function readFact({ about, area, lasting, alone: standsAlone }) {
  const known = area in areas ? areas[area] : area;
  const stands = standsAlone === undefined ? null : Number(standsAlone);
  return {
    fact: 1,
    about: about === "self" ? "self" : "other",
    area: known,
    lasting: Number(lasting),
    alone: stands,
    kind: "fact",
  };
}

/** The authors of lives name kinds in their own words. */
function kindOf(kind) {
  if (/forget/iu.test(kind)) return "forget";
  if (/remember/iu.test(kind)) return "remember";
  if (/question/iu.test(kind)) return "question";
  if (/request/iu.test(kind)) return "request";
  if (/joke|sarcas|irony/iu.test(kind)) return "joke";
  if (/hypothe|daydream|maybe|plan|wish|idea/iu.test(kind)) return "maybe";
  if (/fiction|story|role|film|book|character|poem|song|game/iu.test(kind)) return "fiction";
  if (/translat|past|quot|code|draft|text|advert|mail|example|homework|quiz/iu.test(kind)) return "task";
  if (/general/iu.test(kind)) return "general";
  return null;
}

/** The windows of all turns, a label or null for each statement of a person; `unlabelled` is what no label says. */
function labelWindows(turns, labels, unlabelled = null) {
  const cut = finish(cutStatementsSteps({ turns, summary: null }));
  const ends = turns.map(() => 0);
  const marked = cut.map((statement) => {
    const { turn, text, who, kind } = statement;
    if (who === "assistant") return { ...statement, label: null };
    const said = turns[turn].text;
    const find = (words) => {
      const after = said.indexOf(words, ends[turn]);
      return after === -1 ? said.indexOf(words) : after;
    };
    const exact = find(text);
    const from = exact === -1 ? find(text.slice(0, startLength)) : exact;
    if (from === -1) return { ...statement, label: null };
    const to = exact === -1 ? Math.min(said.length, from + text.length + 2) : from + text.length;
    ends[turn] = to;
    const overlapOf = ({ quote }) => {
      const start = flat(said).indexOf(flat(quote));
      return start === -1 ? 0 : Math.min(to, start + quote.length) - Math.max(from, start);
    };
    const held = labels
      .filter((label) => label.turn === turn && overlapOf(label) >= Math.min(overlapMin, label.quote.length))
      .toSorted((x, y) => overlapOf(y) - overlapOf(x));
    return {
      ...statement,
      label: held.length === 0 ? unlabelled : { ...uniteLabels(held), material: Number(kind === "passage") },
    };
  });
  const windows = [];
  let next = 0;
  for (const window of cutWindows(marked)) {
    const part = marked.slice(next, next + window.texts.length);
    next += window.texts.length;
    windows.push({ ...window, who: part[0].who, turn: part[0].turn, labels: part.map(({ label }) => label) });
  }
  return windows;
}

function withoutTurn(window) {
  return { ...window, turn: undefined };
}

/** Several labels of one statement as one: a lasting fact counts most. */
function uniteLabels(held) {
  const facts = held.filter(({ read }) => read.fact === 1);
  const [main] = [...facts.filter(({ read }) => read.lasting === 1), ...facts, ...held];
  return main.read;
}

/** The window and place of the statement that holds most of a quotation; null if none does. */
function placeOf(windows, turn, quote) {
  let best = null;
  let bestShare = 0.3;
  for (const [w, window] of windows.entries()) {
    if ((turn !== null && window.turn !== turn) || window.who === "assistant") continue;
    for (const [s, text] of window.texts.entries()) {
      const share = shareOf(flat(quote), flat(text));
      if (share > bestShare) [best, bestShare] = [[w, s], share];
    }
  }
  return best;
}

/** The share of a quotation's words that a text has, or 2 where it holds all of it. */
function shareOf(quote, text) {
  if (text.includes(quote)) return 2;
  const words = quote.split(" ");
  return words.filter((word) => text.split(" ").includes(word)).length / words.length;
}

function flat(text) {
  return text.toLowerCase().replace(/[’‘]/gu, "'").replace(/[“”]/gu, '"').replace(/\s/gu, " ");
}

function readJson(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : [];
}
