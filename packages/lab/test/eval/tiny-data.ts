/** Small invented data in the formats of the data sets, and systems that record their input. */
import { readChats } from "../../src/data/chats.js";
import type { Dataset } from "../../src/data/dataset.js";
import { readJourneys } from "../../src/data/journeys.js";
import { readLocomo } from "../../src/data/locomo.js";
import type { SystemDefinition } from "../../src/systems/system.js";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

interface RawInteraction {
  id: string;
  at: string;
  turns: { who: string; text: string }[];
  summary: string;
  substantial: boolean;
  redundantWith: string | null;
}

export interface RawJourney {
  id: string;
  person: { name: string; timezone: string };
  states: { from: string; to: string; state: string }[];
  interactions: RawInteraction[];
  queries: { id: string; at: string; query: string; kind: string; gold: string[]; answer: string }[];
}

function talk(
  id: string,
  at: string,
  said: string,
  reply: string,
  labels: Partial<RawInteraction> = {},
): RawInteraction {
  const turns = [
    { who: "user", text: said },
    { who: "assistant", text: reply },
  ];
  const summary = `Ada says: ${said}`;
  return { id, at, turns, summary, substantial: true, redundantWith: null, ...labels };
}

export function makeJourney(): RawJourney {
  const greeting = { substantial: false };
  return {
    id: "ada",
    person: { name: "Ada", timezone: "Europe/London" },
    states: [
      { from: "2025-01-01", to: "2025-01-31", state: "before the operation" },
      { from: "2025-02-01", to: "2025-03-31", state: "after the operation" },
    ],
    interactions: [
      talk("i1", "2025-01-03T09:00:00Z", "The surgeon operates on my left knee on 1 February.", "I noted the date."),
      talk("i2", "2025-01-04T09:00:00Z", "Good morning, lovely weather.", "Good morning!", greeting),
      talk("i3", "2025-01-10T09:00:00Z", "I take 10 mg of amlodipine for blood pressure.", "Every morning, I see."),
      talk("i4", "2025-01-12T09:00:00Z", "I take 10 mg of amlodipine for blood pressure.", "Every morning, I see.", {
        redundantWith: "i3",
      }),
      talk("i5", "2025-02-05T09:00:00Z", "The knee bends to 60 degrees, pain is 4 of 10.", "That is good progress."),
      talk("i6", "2025-02-20T09:00:00Z", "The knee bends to 95 degrees, pain is 2 of 10.", "Better every week."),
      talk("i7", "2025-03-01T09:00:00Z", "My sister Ruth visits from Leeds on Sunday.", "How nice, enjoy it."),
    ],
    queries: [
      {
        id: "q1",
        at: "2025-01-20T10:00:00Z",
        query: "Which tablets do I take for blood pressure?",
        kind: "single",
        gold: ["i3", "i4"],
        answer: "10 mg of amlodipine",
      },
      {
        id: "q2",
        at: "2025-02-10T10:00:00Z",
        query: "How far does the knee bend?",
        kind: "change",
        gold: ["i5"],
        answer: "60 degrees",
      },
      {
        id: "q3",
        at: "2025-03-05T10:00:00Z",
        query: "Who visits from Leeds?",
        kind: "single",
        gold: ["i7"],
        answer: "her sister Ruth",
      },
    ],
  };
}

interface RawReply {
  substantial: 0 | 1;
  category: string;
  keywords: string[];
  statements: string[];
  hypotheticalQueries: string[];
}

/** What a model might have replied to each interaction of the journey. */
export function makeReplies(): { journey: string; replies: Record<string, RawReply> } {
  const { id, interactions } = makeJourney();
  const replies = interactions.map(({ id, turns, summary, substantial }): [string, RawReply] => [
    id,
    {
      substantial: substantial ? 1 : 0,
      category: substantial ? "condition and care" : "none",
      keywords: turns[0]!.text.split(" ").slice(-2),
      statements: [summary],
      hypotheticalQueries: [],
    },
  ]);
  return { journey: id, replies: Object.fromEntries(replies) };
}

/** A folder with one journey in it. */
export function writeJourney(folder: string, journey: unknown = makeJourney()): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "ada.json"), typeof journey === "string" ? journey : JSON.stringify(journey));
  return folder;
}

export async function readTinyJourneys(folder: string): Promise<Dataset> {
  return readJourneys(writeJourney(folder));
}

export interface RawConversation {
  sample_id: string;
  conversation: Record<string, unknown>;
  session_summary: Record<string, string>;
  qa: Record<string, unknown>[];
}

export function makeConversation(): RawConversation {
  return {
    sample_id: "conv-1",
    conversation: {
      speaker_a: "Ada",
      speaker_b: "Ben",
      session_2: [{ speaker: "Ben", dia_id: "D2:1", text: "My boat is called Heron. She leaks." }],
      session_2_date_time: "12:05 am on 9 May, 2023",
      session_1: [
        { speaker: "Ada", dia_id: "D1:1", text: "I adopted a parrot from the harbour." },
        { speaker: "Ben", dia_id: "D1:2", text: "Show me!", blip_caption: "a green parrot" },
      ],
      session_1_date_time: "1:56 pm on 8 May, 2023",
      session_3_date_time: "1:00 pm on 10 May, 2023",
    },
    session_summary: {
      session_1_summary: "Ada adopted a parrot and Ben wants to see it.",
      session_2_summary: "Ben talks about his boat.",
    },
    qa: [
      { question: "What did Ada adopt?", answer: "a parrot", evidence: ["D1:1"], category: 4 },
      { question: "How many animals?", answer: 1, evidence: ["D1:1; D2:1", "D"], category: 1 },
      { question: "What is Ada's boat called?", adversarial_answer: "Heron", evidence: ["D2:1"], category: 5 },
      { question: "Nobody knows?", answer: "no", evidence: [], category: 2 },
      { question: "Pointing nowhere?", answer: "no", evidence: ["D9:1"], category: 3 },
    ],
  };
}

export function writeLocomo(file: string, conversations: unknown = [makeConversation()]): string {
  writeFileSync(file, JSON.stringify(conversations));
  return file;
}

export async function readTinyLocomo(file: string): Promise<Dataset> {
  return readLocomo(writeLocomo(file));
}

interface RawChatQuestion {
  id: string;
  at: string;
  question: string;
  answer: string;
  evidence: string[];
  kind: string;
}

export interface RawChat {
  id: string;
  speakers: string[];
  sessions: { at: string; turns: { id: string; who: string; text: string }[] }[];
  questions: RawChatQuestion[];
}

export function makeChat(): RawChat {
  const asked = { at: "2026-02-01T08:00:00Z" };
  return {
    id: "ada-and-ben",
    speakers: ["Ada", "Ben"],
    sessions: [
      {
        at: "2026-01-05T18:00:00Z",
        turns: [
          { id: "D1:1", who: "Ada", text: "got the parrot!!" },
          { id: "D1:2", who: "Ben", text: "the harbour one?" },
          { id: "D1:3", who: "Ada", text: "yep. hes called Rollo" },
        ],
      },
      {
        at: "2026-01-09T18:00:00Z",
        turns: [
          { id: "D2:1", who: "Ben", text: "boat leaks again" },
          { id: "D2:2", who: "Ada", text: "oh no. rollo says ahoy" },
        ],
      },
    ],
    questions: [
      {
        ...asked,
        id: "q1",
        question: "What is Ada's parrot called?",
        answer: "Rollo",
        evidence: ["D1:3"],
        kind: "single",
      },
      {
        ...asked,
        id: "q2",
        question: "Which animals and vehicles came up?",
        answer: "a parrot and a boat",
        evidence: ["D1:1", "D2:1", "D2:2"],
        kind: "multi",
      },
      {
        at: "2026-01-06T08:00:00Z",
        id: "q3",
        question: "Where is the parrot from?",
        answer: "the harbour",
        evidence: ["D1:2", "D1:3"],
        kind: "inference",
      },
      {
        ...asked,
        id: "q4",
        question: "What is Ben's dog called?",
        answer: "not said",
        evidence: [],
        kind: "unanswerable",
      },
    ],
  };
}

export function writeChats(file: string, chats: unknown = [makeChat()]): string {
  writeFileSync(file, JSON.stringify(chats));
  return file;
}

export async function readTinyChats(file: string): Promise<Dataset> {
  return readChats([writeChats(file)]);
}

/** Returns the ids it was given, newest first, and records every call. */
export function makeDiary(): { definition: SystemDefinition; diary: string[] } {
  const diary: string[] = [];
  const definition: SystemDefinition = {
    name: "diary",
    open: async () => {
      const ids: string[] = [];
      return {
        commit: async ({ id }) => {
          diary.push(`commit ${id}`);
          ids.unshift(id);
          return null;
        },
        ask: async ({ id }, tokenBudget) => {
          diary.push(`ask ${id} within ${tokenBudget}`);
          return { ranked: [...ids], context: ids.join(" "), contextTokens: ids.length };
        },
        close: async () => void diary.push("close"),
      };
    },
  };
  return { definition, diary };
}
