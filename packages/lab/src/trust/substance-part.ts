/** Substance: facts are kept, also those hidden in small talk, and small talk is dropped, also if it sounds personal. */
import type { SmallTalk } from "../data/clinc.js";
import type { SubstanceItem } from "../data/trust.js";
import { scoreClass } from "../report/filter-scores.js";
import { type Figures, type PartDefinition, type TrustVerdict, listProblems, share } from "./trust-part.js";
import { type Said, type TrustPerson, userTurn } from "./trust-system.js";

interface SubstanceVerdict extends TrustVerdict {
  readonly expected: "keep" | "drop";
  /** Why it is expected. */
  readonly label: string;
  readonly outcome: string;
  readonly isLost: boolean;
  readonly turns: Said["turns"];
  readonly trace: object | null;
}

const saidMs = Date.parse("2026-03-02T09:00:00Z");

export const substancePart: PartDefinition<SubstanceItem, SubstanceVerdict> = {
  name: "substance",
  measure: async (item, person) => [await judgeSubstance(item, person)],
  score: (verdicts) => {
    const facts = verdicts.filter(({ expected }) => expected === "keep");
    const talk = verdicts.filter(({ expected }) => expected === "drop");
    const droppedTalk = talk.filter(isLost).length;
    return {
      factsKept: share(facts, (verdict) => !isLost(verdict)),
      smallTalkDropped: share(talk, isLost),
      smallTalkF1: scoreClass(droppedTalk, facts.filter(isLost).length, talk.length - droppedTalk).f1,
    };
  },
};

/** Requests of CLINC150; all of them are to be dropped. Figures by intent too. */
export const smallTalkPart: PartDefinition<SmallTalk, SubstanceVerdict> = {
  name: "small-talk",
  measure: async ({ id, text, intent }, person) => [
    await judgeSubstance({ id, turns: userTurn(text), keep: false, why: intent }, person),
  ],
  score: (verdicts) => {
    const byIntent = new Map<string, SubstanceVerdict[]>();
    for (const verdict of verdicts) {
      const same = byIntent.get(verdict.label);
      if (same === undefined) byIntent.set(verdict.label, [verdict]);
      else same.push(verdict);
    }
    const figures = [...byIntent].map(([intent, same]) => [intent, share(same, isLost)]);
    return { dropped: share(verdicts, isLost), ...(Object.fromEntries(figures) as Figures) };
  },
};

function isLost(verdict: SubstanceVerdict): boolean {
  return verdict.isLost;
}

async function judgeSubstance({ id, turns, keep, why }: SubstanceItem, person: TrustPerson): Promise<SubstanceVerdict> {
  await person.commit({ id, atMs: saidMs, turns });
  const { outcome, isLost: lost, trace } = (await person.fates()).get(id)!;
  return {
    id,
    problems: listProblems({ "a fact was dropped": keep && lost, "small talk was kept": !keep && !lost }),
    expected: keep ? "keep" : "drop",
    label: why,
    outcome,
    isLost: lost,
    turns,
    trace,
  };
}
