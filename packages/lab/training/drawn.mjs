// Draws the pairs of statements that the product itself compares, with whether one ended the other: they teach the reader how
// seldom that is. People and lives are told to a memory with the bundled reader; of talks, facts of the same talk are paired.
//
// npm run build && node drawn.mjs OUT
// node drawn.mjs OUT --lives FOLDER   with lives too, as in rows.mjs
//
// OUT is a list for `rows.mjs --drawn`. It depends on the reader of the build: each reader was trained with pairs that the
// one before it drew.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Mnemosyne } from "../../memory/dist/index.js";
import { createRandom } from "../../memory/dist/text/random.js";
import { openModels } from "../dist/model-cache.js";

const data = fileURLToPath(new URL("data/", import.meta.url));
/** More than the product compares, since a person told little. */
const personPairCount = 12;
const talkPairCount = 5;
/** Of pairs in which nothing ended, which are many. */
const otherWeights = { person: 0.4, talk: 0.4, life: 0.6 };

const { positionals, values } = parseArgs({ allowPositionals: true, options: { lives: { type: "string" } } });
const [out] = positionals;
if (out === undefined) throw new RangeError("drawn.mjs takes the file to write, and perhaps --lives FOLDER");
const pairs = [];
const { embedder, reader, close } = await openModels();
for (const author of readdirSync(data).toSorted()) {
  for (const person of readFile(author, "persons")) pairs.push(...(await drawPerson(person, author)));
  for (const [i, talk] of readFile(author, "talks").entries()) pairs.push(...drawTalk(talk, author, i));
}
for (const name of values.lives === undefined ? [] : readdirSync(values.lives).toSorted()) {
  if (name.endsWith(".json")) pairs.push(...(await drawLife(readJson(join(values.lives, name)), `life-${name[0]}`)));
}
await close();
writeFileSync(out, JSON.stringify(pairs));
const endCount = pairs.filter(({ relation }) => relation === "update").length;
process.stdout.write(`${pairs.length} pairs, ${endCount} of them ends\n`);

function readFile(author, kind) {
  return readdirSync(join(data, author)).includes(`${kind}.json`) ? readJson(join(data, author, `${kind}.json`)) : [];
}

function readJson(path) {
  return JSON.parse(readFileSync(path, "utf8"));
}

async function drawPerson({ profile, statements }, author) {
  const told = statements.map(({ at, text }, i) => ({ id: `s${i}`, at, turns: [{ who: "user", text }], keep: true }));
  const compared = await compare(told, { profile, parameters: { relationCountMax: personPairCount } });
  return compared.flatMap(({ older, newer }) => {
    const [first, second] = [older, newer].map(({ id }) => Number(id.slice(1)));
    const { endedBy } = statements[first];
    const isEnd = endedBy === second;
    // The labels do not say which part of several was ended; chains of changes are left out.
    if ((isEnd && older.count > 1) || (endedBy !== null && endedBy < second)) return [];
    return [makePair(author, older, newer, isEnd, otherWeights.person)];
  });
}

async function drawLife({ timeZone = "UTC", interactions, facts }, author) {
  const compared = await compare(interactions, { timeZone });
  return compared.flatMap(({ older, newer }) => {
    const told = factsIn(newer);
    const ended = factsIn(older).filter(({ until }) => until === newer.id);
    const isNamed = ended.some(({ endedBy }) => told.some(({ id }) => id === endedBy));
    // A fact that ended by no other fact was ended by some part of what was said.
    const isUnsure = ended.some(({ endedBy }) => endedBy === null) && newer.count > 1;
    if (isUnsure) return [];
    const isEnd = isNamed || ended.some(({ endedBy }) => endedBy === null);
    return [makePair(author, older, newer, isEnd, otherWeights.life)];
  });

  function factsIn({ id, text }) {
    const has = (words) => flatten(text).includes(flatten(words));
    return facts.filter((fact) => fact.in === id && (has(fact.quote) || fact.marks.every(has)));
  }
}

function flatten(text) {
  return text.toLowerCase().replace(/[’‘]/gu, "'").replace(/[“”]/gu, '"').replace(/\s+/gu, " ");
}

/** Facts of one talk seldom end each other. */
function drawTalk({ labels }, author, number) {
  const random = createRandom(`talk ${author} ${number}`);
  const facts = labels.filter(({ fact }) => fact);
  return facts
    .flatMap((older, i) => facts.slice(i + 1).map((newer) => ({ older, newer, chance: random() })))
    .filter(({ older, newer }) => older.turn <= newer.turn)
    .toSorted((x, y) => x.chance - y.chance)
    .slice(0, talkPairCount)
    .map(({ older, newer }) =>
      makePair(author, { text: older.quote }, { text: newer.quote }, false, otherWeights.talk),
    );
}

function makePair(author, older, newer, isEnd, otherWeight) {
  const [relation, weight] = isEnd ? ["update", 1] : ["different", otherWeight];
  return { author, first: older.text, second: newer.text, relation, weight, drawn: true };
}

/** The statements that a memory compares while it is told these interactions, each two once. */
async function compare(interactions, { timeZone = "UTC", profile = "general", parameters = {} }) {
  const mnemosyne = await Mnemosyne.open({ path: ":memory:", timeZone, profile, parameters, embedder, reader });
  const person = mnemosyne.person("told");
  try {
    for (const { id, at, turns, keep } of interactions) {
      await person.commit({ id, at, turns, ...(keep === true ? { keep } : {}) }, { wait: true });
    }
    const memories = new Map((await person.list()).map(({ id, statements }) => [id, statements]));
    const found = new Map();
    for (const { id, trace } of await person.history()) {
      for (const { memory, position, by } of trace?.relations ?? []) {
        const [older, newer] = [memories.get(memory), memories.get(id)];
        if (older === undefined || newer === undefined) continue;
        const pair = {
          older: { id: memory, text: older[position].text, count: older.length },
          newer: { id, text: newer[by].text, count: newer.length },
        };
        found.set(JSON.stringify([pair.older.text, pair.newer.text]), pair);
      }
    }
    return [...found.values()];
  } finally {
    await mnemosyne.close();
  }
}
