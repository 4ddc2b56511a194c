/** A person whose judge takes everything for a change of everything, more or less surely; and two things told in turn. */
import type { CommitTrace, PersonMemory } from "mnemosyne-edge";
import { openMemories } from "../durability/opened-memories.js";
import { type JudgeScript, ScriptedJudge } from "../engine/scripted-judge.js";

interface Doubt {
  readonly update: number;
  readonly areas: JudgeScript["areas"];
  readonly parameters?: Record<string, number>;
}

export async function openWithDoubt({ update, areas, parameters = {} }: Doubt): Promise<PersonMemory> {
  const judge = new ScriptedJudge({
    relation: () => ({ repetition: 0, update, different: 1 - update }),
    areas: areas!,
  });
  const memories = await openMemories({
    path: ":memory:",
    judge,
    parameters: { relationCosineMin: -1, updateProbabilityMin: 0.7, ...parameters },
  });
  return memories.person("ada");
}

export function tell(person: PersonMemory, id: string, day: string, text: string) {
  return person.commit({ id, at: `${day}T10:00:00Z`, turns: [{ who: "user", text }] }, { wait: true });
}

/** The first of two that are told one day after the other. */
export const tellFirst = (person: PersonMemory, text: string) => tell(person, "first", "2025-05-01", text);

/** What the next one makes outdated, and why it is not what the judge says of the first. */
export async function relationAfter(person: PersonMemory, text: string) {
  const { id, updates } = await tell(person, "next", "2025-05-02", text);
  const [entry] = await person.history({ ids: [id] });
  const relation = (entry!.trace as CommitTrace).relations?.find((each) => each.id === "first");
  return { updates, byWords: relation?.byWords };
}
