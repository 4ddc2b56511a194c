/**
 * `npm run bench:changes -- [folder]`: whether what has changed is known to have changed, on benchmarks/changes or another
 * folder of its kind. Pairs of statements: what the second is taken for. Short journeys: what the core summary says at
 * their end of what holds, of what is over, and of what makes sense only with a sentence that it does not say.
 */
import { existsSync, readFileSync } from "node:fs";
import { Mnemosyne } from "../../memory/dist/index.js";
import { formatTable } from "./harness.mjs";

const [folder = "benchmarks/changes"] = process.argv.slice(2);
const dayMs = 86_400_000;
const clock = { ms: Date.parse("2026-03-02T09:00:00Z"), nowMs: () => clock.ms };
const memories = Object.fromEntries(
  await Promise.all(
    ["general", "healthcare"].map(async (profile) => [
      profile,
      await Mnemosyne.open({ path: ":memory:", clock, profile, timeZone: "UTC" }),
    ]),
  ),
);
const read = (name) => JSON.parse(readFileSync(`${folder}/${name}.json`, "utf8"));

async function tell(person, id, said) {
  const { text, summary = null } = said;
  const turns = text === undefined ? [] : [{ who: "user", text }];
  await person.commit(
    { id, at: clock.ms, turns, ...(summary === null ? {} : { summary }), keep: true },
    { wait: true },
  );
}

async function takenFor({ id, first, second, daysApart }) {
  const person = memories.general.person(id);
  clock.ms = Date.parse("2026-03-02T09:00:00Z");
  await tell(person, "first", { text: first });
  clock.ms += daysApart * dayMs;
  await tell(person, "second", { text: second });
  const [{ outcome, updates }] = await person.history({ ids: ["second"] });
  if (outcome === "paired") return "repetition";
  return updates.includes("first") ? "update" : "different";
}

async function coreOf({ id, profile, entries }) {
  const person = memories[profile].person(id);
  for (const [i, entry] of entries.entries()) {
    clock.ms = Date.parse(entry.at);
    await tell(person, `e${i}`, entry);
  }
  return (await person.coreSummary()).text;
}

const relations = ["repetition", "update", "different"];
const counts = new Map();
for (const pair of read("pairs")) {
  const group = `${pair.language === "en" ? "English" : "other languages"}, ${pair.relation}`;
  if (!counts.has(group)) counts.set(group, new Map());
  const taken = await takenFor(pair);
  counts.get(group).set(taken, (counts.get(group).get(taken) ?? 0) + 1);
}
const pairRows = [...counts].map(([group, taken]) => [group, ...relations.map((each) => String(taken.get(each) ?? 0))]);
process.stdout.write(`${formatTable(["pairs", ...relations.map((each) => `taken for ${each}`)], pairRows)}\n`);

const score = { known: [0, 0], "over and said": [0, 0], "said without what it needs": [0, 0] };
const count = (name, isSo) => {
  score[name][1]++;
  if (isSo) score[name][0]++;
};
const journeys = existsSync(`${folder}/journeys.json`) ? read("journeys") : [];
for (const journey of journeys) {
  const text = (await coreOf(journey)).toLowerCase();
  const has = (words) => text.includes(words.toLowerCase());
  const needs = ([words, ...needed]) =>
    text
      .split("\n")
      .some((line) => line.includes(words.toLowerCase()) && !needed.some((each) => line.includes(each.toLowerCase())));
  for (const any of journey.mustKnow) count("known", any.some(has));
  for (const words of journey.mustNotSay) count("over and said", has(words));
  for (const alone of journey.alone) count("said without what it needs", needs(alone));
}
const scoreRows = Object.entries(score).map(([name, [part, all]]) => [name, `${part} of ${all}`]);
if (journeys.length > 0) process.stdout.write(`\n${formatTable(["core summaries", "facts"], scoreRows)}\n`);
for (const each of Object.values(memories)) await each.close();
