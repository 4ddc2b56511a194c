/** Pairs: what is said twice is one memory, what changed is an update, and what merely sounds alike is neither. */
import { type PairItem, type Relation, relations } from "../data/trust.js";
import { scoreClass } from "../report/filter-scores.js";
import { type PartDefinition, type TrustVerdict, listProblems, share } from "./trust-part.js";
import { type Fate, type TrustPerson, userTurn } from "./trust-system.js";

interface PairVerdict extends TrustVerdict, Omit<PairItem, "id" | "relation"> {
  readonly expected: Relation;
  readonly isMerged: boolean;
  readonly isUpdate: boolean;
  readonly isLost: boolean;
  readonly fates: { readonly first: Fate; readonly second: Fate };
}

const firstMs = Date.parse("2026-03-02T09:00:00Z");
const dayMs = 86_400_000;

export const pairsPart: PartDefinition<PairItem, PairVerdict> = {
  name: "pairs",
  measure: async (item, person) => [await judgePair(item, person)],
  score: (verdicts) => {
    const [repetition, update, different] = relations.map((relation) =>
      verdicts.filter(({ expected }) => expected === relation),
    ) as [PairVerdict[], PairVerdict[], PairVerdict[]];
    return {
      repetitionF1: findingF1(repetition, [...update, ...different], ({ isMerged }) => isMerged),
      updateF1: findingF1(update, [...repetition, ...different], ({ isUpdate }) => isUpdate),
      repetitionsFound: share(repetition, ({ isMerged }) => isMerged),
      differentMerged: share(different, ({ isMerged }) => isMerged),
      updatesMerged: share(update, ({ isMerged }) => isMerged),
      lost: verdicts.filter(({ isLost }) => isLost).length,
    };
  },
};

function findingF1(
  members: readonly PairVerdict[],
  others: readonly PairVerdict[],
  isFound: (verdict: PairVerdict) => boolean,
): number | null {
  const foundCount = members.filter(isFound).length;
  return scoreClass(foundCount, others.filter(isFound).length, members.length - foundCount).f1;
}

/** Both are submitted to be kept: whether they have substance is another part's question. */
async function judgePair({ id, relation, ...item }: PairItem, person: TrustPerson): Promise<PairVerdict> {
  const secondMs = firstMs + item.daysApart * dayMs;
  await person.commit({ id: "first", atMs: firstMs, turns: userTurn(item.first), keep: true });
  await person.commit({ id: "second", atMs: secondMs, turns: userTurn(item.second), keep: true });
  const known = await person.fates();
  const fates = { first: known.get("first")!, second: known.get("second")! };
  const { isMerged, updates } = fates.second;
  const isUpdate = updates.includes("first");
  const isLost = fates.first.isLost || fates.second.isLost;
  const problems = listProblems({
    "one of the two was lost": isLost,
    "the repetition was not recognized": relation === "repetition" && !isMerged,
    "the update was not recognized": relation === "update" && !isUpdate,
    "the update was merged": relation === "update" && isMerged,
    "different facts were merged": relation === "different" && isMerged,
    "the repetition was taken for an update": relation === "repetition" && isUpdate,
    "different facts were taken for an update": relation === "different" && isUpdate,
  });
  return { id, problems, expected: relation, ...item, isMerged, isUpdate, isLost, fates };
}
