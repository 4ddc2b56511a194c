/**
 * Talk with labels on what deserves to be kept, what repeats and what ends. A case is one person, told from nothing, and what
 * to ask of the outcome; a verdict is one yes or no of the memory beside the label's.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { benchmarks, listJson, readJson } from "../data/files.js";
import { type LifeFact, type LifeFile, readSets } from "../data/sets.js";
import { evidenceShare } from "../recall/measures.js";
import type { Committed, Said, Speaker } from "./commit-people.js";

export interface Verdict {
  readonly question: "keeps" | "repeats" | "ends";
  readonly said: boolean;
  readonly label: boolean;
  /** For people who look into what is wrong. */
  readonly text: string;
}

export interface Case {
  readonly speaker: Speaker;
  readonly compare: (committed: readonly Committed[]) => Verdict[];
}

const dayMs = 86_400_000;
const startMs = Date.parse("2026-03-02T09:00:00Z");

/** `data` is the folder of talk that is not in the repository. */
const readers: Readonly<Record<string, (data: string) => Case[]>> = {
  trust: () => [...readShortTalks(), ...readPairs(), ...readCorrections()],
  msc: readMessages,
  clinc150: readRequests,
  lives: (data) => listJson(join(data, "lives")).map((file) => readLife(readJson(file))),
  chats: () => readSets(["chats", "chats-held-out"], null).flatMap(({ people }) => people.map(readNeeded)),
};

export const labelledNames = Object.keys(readers);

export function readLabelled(name: string, data: string | null): Case[] {
  return readers[name]!(data ?? "no-data");
}

function isKept({ outcome }: Committed): boolean {
  return outcome !== "discarded" && outcome !== "forgetAsked";
}

function keepVerdict(said: Said, committed: Committed, label: boolean): Verdict {
  const text = said.turns.map((turn) => `${turn.who}: ${turn.text}`).join(" / ");
  return { question: "keeps", said: isKept(committed), label, text };
}

function singleCase(id: string, turns: Said["turns"], label: boolean): Case {
  const said = { id: "only", atMs: startMs, turns };
  return { speaker: { id, interactions: [said] }, compare: ([only]) => [keepVerdict(said, only!, label)] };
}

interface ShortTalk {
  readonly id: string;
  readonly turns: Said["turns"];
  readonly keep: boolean;
}

function readShortTalks(): Case[] {
  const talks = readJson<ShortTalk[]>(join(benchmarks, "trust/substance.json"));
  return talks.map(({ id, turns, keep }) => singleCase(id, turns, keep));
}

interface LabelledPair {
  readonly id: string;
  readonly first: string;
  readonly second: string;
  readonly daysApart: number;
  readonly relation: "repetition" | "update" | "different";
}

/** Both are kept whatever they say: only what the second is to the first counts. */
function readPairs(): Case[] {
  return readJson<LabelledPair[]>(join(benchmarks, "trust/pairs.json")).map(
    ({ id, first, second, daysApart, relation }) => ({
      speaker: {
        id,
        interactions: [
          { id: "older", atMs: startMs, turns: [{ who: "user", text: first }], keep: true },
          { id: "newer", atMs: startMs + daysApart * dayMs, turns: [{ who: "user", text: second }], keep: true },
        ],
      },
      compare: ([, newer]) => {
        const text = `${first} / ${second}`;
        return [
          { question: "repeats", said: newer!.repeats === "older", label: relation === "repetition", text },
          { question: "ends", said: newer!.updates.includes("older"), label: relation === "update", text },
        ];
      },
    }),
  );
}

interface CorrectionStory {
  readonly id: string;
  readonly statements: readonly { readonly at: string; readonly text: string }[];
  readonly questions: readonly { readonly about: "present" | "past"; readonly outdated: readonly number[] }[];
}

/** Whether each statement is ended by a later one; the labels are what no longer answers a question about now. */
function readCorrections(): Case[] {
  return readJson<CorrectionStory[]>(join(benchmarks, "trust/corrections.json")).map(
    ({ id, statements, questions }) => {
      const now = questions.filter(({ about }) => about === "present");
      const outdated = new Set(now.flatMap((question) => question.outdated));
      const interactions = statements.map(({ at, text }, i) => ({
        id: `s${i}`,
        atMs: Date.parse(at),
        turns: [{ who: "user", text }],
      }));
      return {
        speaker: { id, interactions },
        compare: (committed) => {
          const ended = new Set(committed.flatMap(({ updates }) => updates));
          return statements.map(({ text }, i) => ({
            question: "ends",
            said: ended.has(`s${i}`),
            label: outdated.has(i),
            text,
          }));
        },
      };
    },
  );
}

interface ChatMessage {
  readonly text: string;
  /** The persona sentence that it tells; without one it may still tell something. */
  readonly label: string | null;
  readonly before: string | null;
}

function readMessages(data: string): Case[] {
  const file = join(data, "outside/msc.json");
  if (!existsSync(file)) return [];
  return readJson<ChatMessage[]>(file).map(({ text, label, before }, i) => {
    const turns = [...(before === null ? [] : [{ who: "assistant", text: before }]), { who: "user", text }];
    return singleCase(`m${i}`, turns, label !== null);
  });
}

/** Requests that tell nothing about the speaker; training took every ninth of them. */
const smallTalkIntents =
  `weather timer calculator greeting thank_you tell_joke definition play_music are_you_a_bot translate change_volume
  recipe yes repeat exchange_rate directions meaning_of_life smart_home`.split(/\s+/u);
const trainedEvery = 9;
const requestEvery = 6;

function readRequests(data: string): Case[] {
  const file = join(data, "clinc150/train.json");
  if (!existsSync(file)) return [];
  const { train } = readJson<{ train: readonly (readonly [text: string, intent: string])[] }>(file);
  return smallTalkIntents.flatMap((name) =>
    train
      .filter(([, intent]) => intent === name)
      .filter((_, i) => i % trainedEvery !== 0)
      .filter((_, i) => i % requestEvery === 0)
      .map(([text], i) => singleCase(`${name} ${i}`, [{ who: "user", text }], false)),
  );
}

/** What is to be kept tells a fact; a statement is to be ended by the interaction that ended a fact it tells. */
function readLife({ id, timeZone = "UTC", interactions, facts }: LifeFile): Case {
  const said = interactions.map(({ at, ...told }) => ({ ...told, atMs: Date.parse(`${at}Z`) }));
  const telling = new Set(facts.map((fact) => fact.in));
  return {
    speaker: { id, timeZone, interactions: said },
    compare: (committed) => [
      ...said.map((each, i) => keepVerdict(each, committed[i]!, telling.has(each.id))),
      ...compareEnds(committed, facts).map(({ text, ...verdict }) => ({ ...verdict, text: `${id} ${text}` })),
    ],
  };
}

/** Links of statements as they were made and as they are labelled, each once. */
function compareEnds(committed: readonly Committed[], facts: readonly LifeFact[]): Verdict[] {
  const memories = new Map(committed.map((each) => [each.id, each]));
  const textOf = (memory: string, position: number | null): string =>
    memories.get(memory)?.statements[position ?? -1]?.text ?? memory;
  const linked = new Map<string, string>();
  for (const { id, ends } of committed) {
    for (const { memory, position, by } of ends.filter(({ isDoubtful }) => isDoubtful !== true)) {
      linked.set(`${memory} ${position} by ${id}`, `${textOf(memory, position)} / ${textOf(id, by)}`);
    }
  }
  const labelled = new Map<string, string>();
  for (const fact of facts.filter(({ until, in: told }) => until !== null && until !== told)) {
    const position = placeOf(fact, memories.get(fact.in)?.statements ?? []);
    // One that no statement tells cannot be ended.
    const place = position === -1 ? fact.id : position;
    labelled.set(`${fact.in} ${place} by ${fact.until}`, `${fact.text} / ${fact.until}`);
  }
  return [...new Map([...labelled, ...linked])].map(([key, text]) => ({
    question: "ends",
    said: linked.has(key),
    label: labelled.has(key),
    text,
  }));
}

/** The statement that has a fact's own words, or else its marks; -1 for none. */
function placeOf({ quote, marks }: LifeFact, statements: Committed["statements"]): number {
  const has = (words: readonly string[]): number =>
    statements.findIndex(({ text, asked }) => evidenceShare(`${asked ?? ""} ${text}`, [words]) === 1);
  const exact = quote === undefined ? -1 : has([quote]);
  return exact === -1 ? has(marks) : exact;
}

/** Sessions that a question needs; whether the others are worth keeping is not labelled. */
function readNeeded({ id, timeZone, interactions, questions }: ReturnType<typeof readSets>[0]["people"][0]): Case {
  const needed = new Set(questions.flatMap(({ gold }) => gold));
  return {
    speaker: { id, timeZone, interactions },
    compare: (committed) =>
      interactions.flatMap((told, i) => (needed.has(told.id) ? [keepVerdict(told, committed[i]!, true)] : [])),
  };
}
