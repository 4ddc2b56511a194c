/**
 * LoCoMo (Maharana et al. 2024): long conversations of two people. A session is an interaction, without its summary, which
 * nobody writes in everyday use; every question is asked a day after the last session. Category 5 has no answer and is
 * left out.
 */
import { splitSentences } from "mnemosyne-edge/internal/text/sentences.js";
import { readJson } from "./files.js";
import type { Person } from "./person.js";

const dayMs = 86_400_000;
/** In the order of their numbers, which start at 1. */
const categories = ["multi-hop", "temporal", "open-domain", "single-hop"];

interface LocomoTurn {
  readonly speaker: string;
  readonly dia_id: string;
  readonly text: string;
  readonly blip_caption?: string;
}

interface LocomoFile {
  readonly sample_id: string;
  readonly conversation: Readonly<Record<string, string | readonly LocomoTurn[]>>;
  readonly qa: readonly { question: string; evidence: readonly string[]; category: number }[];
}

export function readLocomo(file: string): Person[] {
  return readJson<LocomoFile[]>(file).map(({ sample_id: id, conversation, qa }) => {
    const numbers = Object.keys(conversation)
      .flatMap((name) => /^session_(\d+)$/u.exec(name)?.[1] ?? [])
      .map(Number)
      .sort((a, b) => a - b);
    const sessions = numbers.map((number) => conversation[`session_${number}`] as readonly LocomoTurn[]);
    const interactions = numbers.map((number, i) => ({
      id: `D${number}`,
      atMs: readMoment(conversation[`session_${number}_date_time`] as string),
      turns: sessions[i]!.map(({ speaker, text, blip_caption: caption }) => ({
        who: speaker,
        text: `${text}${caption === undefined ? "" : ` [shares a photo: ${caption}]`}`.trim(),
      })),
    }));
    const said = new Map(sessions.flat().map((turn) => [turn.dia_id, turn.text]));
    const atMs = Math.max(...interactions.map((told) => told.atMs)) + dayMs;
    const questions = qa.flatMap(({ question, evidence, category }, i) => {
      const named = [...new Set(evidence.flatMap((text) => text.match(/D\d+:\d+/gu) ?? []))];
      const turnIds = named.filter((turnId) => (said.get(turnId) ?? "") !== "");
      const kind = categories[category - 1];
      if (kind === undefined || turnIds.length === 0) return [];
      return {
        id: `q${i + 1}`,
        kind,
        text: question,
        atMs,
        after: interactions.length,
        gold: [...new Set(turnIds.map((turnId) => turnId.split(":")[0]!))],
        evidence: turnIds.map((turnId) => splitSentences(said.get(turnId)!)),
      };
    });
    return { id, timeZone: "UTC", profile: "general", interactions, questions };
  });
}

/** "1:56 pm on 8 May, 2023". */
function readMoment(text: string): number {
  const [, clock, half, date] = /^(\d{1,2}:\d{2}) (am|pm) on (.+)$/u.exec(text.trim())!;
  return Date.parse(`${date!.replace(",", "")} ${clock} ${half} UTC`);
}
