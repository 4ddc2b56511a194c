/** Somebody who tells something now and then, to a reader that answers from a script. */
import type { CommitTrace, InteractionInput, MnemosyneOptions, PersonMemory, Reading, Turn } from "mnemosyne-edge";
import { dayMs } from "../../src/text/time.js";
import { openMemories } from "../durability/opened-memories.js";
import { type ReaderScript, ScriptedReader } from "../engine/scripted-reader.js";

export const startMs = Date.parse("2025-05-01T10:00:00Z");

export interface Told {
  readonly person: PersonMemory;
  readonly reader: ScriptedReader;
}

/** Without a script, no reader. Nothing repeats by the paper's score, so that only the reader's verdicts count. */
export async function openTold(
  script: ReaderScript | null,
  parameters: MnemosyneOptions["parameters"] = {},
): Promise<Told> {
  const reader = new ScriptedReader(script ?? {});
  const memories = await openMemories({
    path: ":memory:",
    reader: script !== null && reader,
    parameters: { redundancyThreshold: 10, ...parameters },
  });
  return { person: memories.person("ada"), reader };
}

/** On a day, counted from the first of May; a text is what the person says. */
export async function tell(
  person: PersonMemory,
  id: string,
  day: number,
  said: string | readonly Turn[] | Partial<InteractionInput>,
): Promise<CommitTrace> {
  const input: Partial<InteractionInput> =
    typeof said === "string" ? { turns: [{ who: "user", text: said }] } : "length" in said ? { turns: said } : said;
  await person.commit({ id, at: startMs + day * dayMs, ...input });
  await person.settled();
  return traceOf(person, id);
}

export async function traceOf(person: PersonMemory, id: string): Promise<CommitTrace> {
  return (await person.history({ ids: [id] }))[0]!.trace as CommitTrace;
}

/** What each statement ended, by their names: "porto#0: lisbon#0". */
export async function endsOf(person: PersonMemory): Promise<string[]> {
  const memories = await person.list();
  return memories
    .flatMap(({ statements }) => statements.flatMap(({ id, endedBy }) => endedBy.map((by) => `${by}: ${id}`)))
    .sort();
}

/** Areas of a life by a word; what has none of them is of the person's self. All of it lasts. */
export function readAreas(text: string): Partial<Reading> {
  const areas = [
    [/allerg|aspirin/iu, "alert"],
    [/\blive|\bhome|flat|moved/iu, "home"],
    [/\bmg\b|ramipril/iu, "medicine"],
    [/sister|brother|mum|dad/iu, "people"],
    [/work|nurse/iu, "work"],
    [/vegan|meat|nuts|tea/iu, "food"],
    [/code|pin/iu, "codes"],
  ] as const;
  const area = areas.find(([word]) => word.test(text))?.[1] ?? "self";
  return { area, lasting: 1 };
}
