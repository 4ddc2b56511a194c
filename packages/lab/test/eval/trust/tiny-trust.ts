/** Small invented trust data, and a system whose verdicts are planted. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Fate,
  type TrustAnswer,
  type TrustPerson,
  type TrustSystemDefinition,
  partNames,
} from "../../../src/trust/trust-system.js";

/** Loose, so that a test can spoil any field. */
type RawItem = Record<string, unknown>;

interface RawStory {
  id: string;
  statements: RawItem[];
  questions: RawItem[];
}

export interface RawTrust {
  substance: RawItem[];
  pairs: RawItem[];
  corrections: RawStory[];
  unanswerable: RawStory[];
  core: RawItem[];
}

export function makeTrust(): RawTrust {
  const statements = [
    { at: "2026-01-05T09:00:00Z", text: "I live in Evora." },
    { at: "2026-02-05T09:00:00Z", text: "The parrot learned to whistle." },
    { at: "2026-03-05T09:00:00Z", text: "I moved to Porto." },
  ];
  const ask = (question: string, fields: object): RawItem => ({ at: "2026-04-01T09:00:00Z", question, ...fields });
  return {
    substance: [
      substance("f1", "My sister Ruth moved to Leeds.", true),
      substance("f2", "I am allergic to penicillin.", true),
      substance("t1", "Tell me a joke.", false),
      substance("t2", "What time is it in Tokyo?", false),
    ],
    pairs: [
      pair("r1", "Ruth has a boat.", "Ruth's boat, you know.", "repetition"),
      pair("r2", "I take amlodipine.", "I take amlodipine, as I said.", "repetition"),
      pair("u1", "My room is 12.", "My room is 14 now.", "update"),
      pair("d1", "My room is 12.", "My sister's room is 12.", "different"),
    ],
    corrections: [
      {
        id: "c1",
        statements,
        questions: [
          ask("Where do I live?", { current: [2], outdated: [0], answer: "Porto", about: "present" }),
          ask("Where did I live in January?", { current: [0], outdated: [], answer: "Evora", about: "past" }),
        ],
      },
    ],
    unanswerable: [
      {
        id: "n1",
        statements,
        questions: [
          ask("What did the parrot learn?", { answerable: true, gold: [1] }),
          ask("Where do I live now?", { answerable: true, gold: [2] }),
          ask("What is the parrot called?", { answerable: false, gold: [] }),
          ask("How old is the parrot?", { answerable: false, gold: [] }),
        ],
      },
    ],
    core: [
      {
        id: "k1",
        profile: "healthcare",
        statements,
        mustKnow: [
          { fact: "lives in Porto", keywords: ["Porto"] },
          { fact: "has a parrot", keywords: ["cockatoo", "parrot"] },
        ],
        mustNotSay: [{ fact: "lives in Evora", keywords: ["Evora"] }],
      },
      {
        id: "k2",
        profile: "general",
        statements: statements.slice(1, 2),
        mustKnow: [{ fact: "has a parrot", keywords: ["parrot"] }],
        mustNotSay: [],
      },
    ],
  };
}

function substance(id: string, text: string, keep: boolean): RawItem {
  return { id, turns: [{ who: "user", text }], keep, why: keep ? "a fact" : "small talk" };
}

function pair(id: string, first: string, second: string, relation: string): RawItem {
  return { id, first, second, daysApart: 3, relation };
}

/** A folder with one file per part. */
export function writeTrust(folder: string, trust: RawTrust = makeTrust()): string {
  mkdirSync(folder, { recursive: true });
  for (const [part, items] of Object.entries(trust)) writeFileSync(join(folder, `${part}.json`), JSON.stringify(items));
  return folder;
}

/** As CLINC150's file is written. */
export function writeClinc(file: string, requests: readonly unknown[] = clincRequests): string {
  writeFileSync(file, JSON.stringify({ train: requests, oos_train: [["is it so", "oos"]] }));
  return file;
}

const clincRequests = [
  ["flip a coin for me", "flip_coin"],
  ["heads or tails", "flip_coin"],
  ["add milk to my shopping list", "shopping_list_update"],
  ["how old are you", "how_old_are_you"],
];

export interface Plan {
  /** What becomes of a text, where it is not kept as it is. */
  readonly fates: Readonly<Record<string, Partial<Fate>>>;
  readonly answers: Readonly<Record<string, Partial<TrustAnswer>>>;
  /** By person. */
  readonly coreSummaries: Readonly<Record<string, string>>;
}

/** Every verdict right, for the tiny data. */
export const faultless: Plan = {
  fates: {
    "Tell me a joke.": { outcome: "discarded", isLost: true },
    "What time is it in Tokyo?": { outcome: "discarded", isLost: true },
    "Ruth's boat, you know.": { outcome: "paired", isMerged: true },
    "I take amlodipine, as I said.": { outcome: "paired", isMerged: true },
    "My room is 14 now.": { updates: ["first"] },
  },
  answers: {
    "Where do I live?": { ranked: ["s2", "s0"] },
    "Where did I live in January?": { ranked: ["s0"] },
    "What did the parrot learn?": { ranked: ["s1"], confidence: 0.9 },
    "Where do I live now?": { ranked: ["s2"], confidence: 0.8 },
    "What is the parrot called?": { ranked: ["s1"], confidence: 0.4, isAbstained: true },
    "How old is the parrot?": { ranked: [], confidence: 0.2, isAbstained: true },
  },
  coreSummaries: { "core k1": "Home\n- I moved from Evora to Porto.\n- My PARROT whistles.", "core k2": "A parrot." },
};

/** Does as planned. */
export function makePlanned({ fates, answers, coreSummaries }: Plan): TrustSystemDefinition {
  const person = async (name: string): Promise<TrustPerson> => {
    const known = new Map<string, Fate>();
    return {
      commit: async ({ id, turns }) => {
        const kept = { outcome: "committed", isLost: false, isMerged: false, updates: [], trace: null };
        known.set(id, { ...kept, ...fates[turns[0]!.text] });
      },
      fates: async () => known,
      ask: async ({ text }) => ({ ranked: [], confidence: 0, isAbstained: false, trace: null, ...answers[text] }),
      coreSummary: async () => coreSummaries[name]!,
    };
  };
  return { name: "planned", parts: partNames, open: async () => ({ person, close: async () => {} }) };
}
