/** The data sets by name, and how each file format becomes people. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { InputError, type Turn } from "mnemosyne-edge";
import { splitSentences } from "mnemosyne-edge/internal/text/sentences.js";
import { benchmarks, demoJourney, listJson, readJson } from "./files.js";
import { readLocomo } from "./locomo.js";
import { type Person, type Question, type Told, checkPerson, countBefore } from "./person.js";

export interface DataSet {
  readonly name: string;
  readonly people: readonly Person[];
}

/** Interactions of other people's talk that are mixed into a life, and characters of each of their turns. */
const crowdSize = 400;
const crowdTurnLength = 500;

type Reader = (data: string) => Person[];

/** `data` is the folder of talk that is not in the repository. */
const readers: Readonly<Record<string, Reader>> = {
  lives: (data) => listJson(join(data, "lives")).map((file) => readLife(readJson(file), [])),
  crowd: (data) => {
    const crowd = existsSync(join(data, "outside/beam.json")) ? readCrowd(join(data, "outside/beam.json")) : [];
    return crowd.length === 0 ? [] : listJson(join(data, "lives")).map((file) => readLife(readJson(file), crowd));
  },
  beam: (data) => readOutside(join(data, "outside/beam.json")),
  realmem: (data) => readOutside(join(data, "outside/realmem.json")),
  chats: () => listJson(join(benchmarks, "chats")).flatMap(readChats),
  "chats-held-out": () => listJson(join(benchmarks, "chats-held-out")).flatMap(readChats),
  journeys: () => [...listJson(join(benchmarks, "journeys")), demoJourney].map(readJourney),
  "journeys-held-out": () => listJson(join(benchmarks, "journeys-held-out")).map(readJourney),
  locomo: (data) => listJson(join(data, "locomo")).flatMap(readLocomo),
};

export const setNames = Object.keys(readers);

/** Those asked for, or all; a set whose files are not there is left out unless it was asked for by name. */
export function readSets(names: readonly string[] | null, data: string | null): DataSet[] {
  const sets = (names ?? setNames).map((name) => {
    const read = readers[name];
    if (read === undefined) {
      throw new InputError("option_invalid", `set "${name}" is unknown; use some of: ${setNames.join(", ")}`);
    }
    const people = read(data ?? "no-data").map(checkPerson);
    if (people.length > 0 || names === null) return { name, people };
    throw new InputError("option_invalid", `set "${name}" has no files; name its folder with --data or MNEMOSYNE_DATA`);
  });
  return sets.filter(({ people }) => people.length > 0);
}

interface OutsideFile {
  readonly id: string;
  readonly profile?: "general" | "healthcare";
  readonly interactions: readonly { id: string; at: number; turns: readonly Turn[]; summary?: string }[];
  readonly questions: readonly { id: string; at: number; after: number; text: string; kind: string; gold?: string[] }[];
}

function readOutside(file: string): Person[] {
  if (!existsSync(file)) return [];
  return readJson<OutsideFile[]>(file).map(({ id, profile = "general", interactions, questions }) => ({
    id,
    timeZone: "UTC",
    profile,
    interactions: interactions.map(({ at, ...told }) => ({ ...told, atMs: at })),
    questions: questions.map(({ at, gold = [], ...question }) => ({ ...question, atMs: at, gold, evidence: [] })),
  }));
}

export interface LifeFact {
  readonly id: string;
  readonly text: string;
  readonly in: string;
  /** The words in which it is told. */
  readonly quote?: string;
  readonly marks: readonly string[];
  /** The interaction that ended it; null if it holds to the end. */
  readonly until: string | null;
}

export interface LifeFile {
  readonly id: string;
  readonly timeZone?: string;
  readonly now: string;
  readonly interactions: readonly { id: string; at: string; turns: readonly Turn[] }[];
  readonly facts: readonly LifeFact[];
  readonly questions: readonly {
    id: string;
    question: string;
    kind: string;
    needs: readonly string[];
    stale?: readonly string[];
    answer: string;
  }[];
}

/** Others' talk is spread evenly over the life's time. */
function readLife({ id, timeZone = "UTC", now, ...life }: LifeFile, crowd: readonly Told[]): Person {
  const nowMs = Date.parse(`${now}Z`);
  const own = life.interactions.map(({ at, ...told }) => ({ ...told, atMs: Date.parse(`${at}Z`) }));
  const startMs = own[0]!.atMs;
  const others = crowd.map((told, i) => ({
    ...told,
    atMs: startMs + Math.floor(((nowMs - startMs) * (i + 0.5)) / crowd.length),
  }));
  const interactions = [...own, ...others].sort((a, b) => a.atMs - b.atMs);
  const facts = new Map(life.facts.map((fact) => [fact.id, fact]));
  const questions = life.questions.map((asked): Question => {
    const needs = asked.needs.map((factId) => facts.get(factId)!);
    return {
      id: asked.id,
      kind: asked.kind,
      text: asked.question,
      atMs: nowMs,
      after: interactions.length,
      gold: [...new Set(needs.map((fact) => fact.in))],
      evidence: needs.map(({ marks }) => marks),
      answer: asked.answer,
      needs: needs.map(({ text }) => text),
      stale: (asked.stale ?? []).map((factId) => facts.get(factId)!.text),
    };
  });
  return { id, timeZone, profile: "general", interactions, questions };
}

function readCrowd(file: string): Told[] {
  return readJson<OutsideFile[]>(file)
    .flatMap(({ interactions }, person) =>
      interactions.map(({ id, turns }) => ({
        id: `c${person}-${id}`,
        atMs: 0,
        turns: turns.map(({ who, text }) => ({ who, text: text.slice(0, crowdTurnLength) })),
      })),
    )
    .slice(0, crowdSize);
}

interface ChatFile {
  readonly id: string;
  readonly sessions: readonly { at: string; turns: readonly (Turn & { id: string })[] }[];
  readonly questions: readonly {
    id: string;
    at: string;
    question: string;
    evidence: readonly string[];
    kind: string;
  }[];
}

/** A session is an interaction; evidence are messages, all of whose sentences have to be in the context. */
function readChats(file: string): Person[] {
  return readJson<ChatFile[]>(file).map(({ id, sessions, questions }) => {
    const interactions = sessions.map(({ at, turns }, i) => ({
      id: `D${i + 1}`,
      atMs: Date.parse(at),
      turns: turns.map(({ who, text }) => ({ who, text })),
    }));
    const said = new Map(sessions.flatMap(({ turns }) => turns.map((turn) => [turn.id, turn.text])));
    return {
      id,
      timeZone: "UTC",
      profile: "general",
      interactions,
      questions: questions.map((asked) => ({
        id: asked.id,
        kind: asked.kind,
        text: asked.question,
        atMs: Date.parse(asked.at),
        after: countBefore(interactions, Date.parse(asked.at)),
        gold: [...new Set(asked.evidence.map((turnId) => turnId.split(":")[0]!))],
        evidence: asked.evidence.map((turnId) => splitSentences(said.get(turnId) ?? "")),
      })),
    };
  });
}

interface JourneyFile {
  readonly id: string;
  readonly person: { readonly timezone: string };
  readonly states: readonly { from: string; to: string; state: string }[];
  readonly interactions: readonly { id: string; at: string; turns: readonly Turn[]; summary: string }[];
  readonly queries: readonly { id: string; at: string; query: string; kind: string; gold: readonly string[] }[];
}

function readJourney(file: string): Person {
  const { id, person, states, queries, ...journey } = readJson<JourneyFile>(file);
  const interactions = journey.interactions.map(({ id: toldId, at, turns, summary }) => {
    const state = states.find(({ from, to }) => from <= at.slice(0, 10) && at.slice(0, 10) <= to)?.state;
    const told = { id: toldId, atMs: Date.parse(at), turns: turns.map(({ who, text }) => ({ who, text })), summary };
    return state === undefined ? told : { ...told, state };
  });
  const questions = queries.map(({ id: questionId, at, query, kind, gold }) => {
    const atMs = Date.parse(at);
    return { id: questionId, kind, text: query, atMs, after: countBefore(interactions, atMs), gold, evidence: [] };
  });
  return { id, timeZone: person.timezone, profile: "healthcare", interactions, questions };
}
