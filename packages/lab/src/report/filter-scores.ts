/**
 * How well the substance and redundancy filters decide, compared with the labels of a data set. Redundancy labels form
 * chains (c repeats b, b repeats a), so all interactions of a chain count as the same content.
 */
import type { DatasetGroup, DatasetInteraction } from "../data/dataset.js";
import type { FilterDecision } from "../systems/system.js";

/** Null if there is nothing to divide by. */
export interface ClassScore {
  readonly precision: number | null;
  readonly recall: number | null;
  readonly f1: number | null;
}

export interface SubstanceScore {
  /** Finding what is worth remembering. */
  readonly substantial: ClassScore;
  /** Finding what is not. */
  readonly mundane: ClassScore;
  readonly substantialKept: number;
  readonly substantialDiscarded: number;
  readonly mundaneKept: number;
  readonly mundaneDiscarded: number;
}

export interface RedundancyScore extends ClassScore {
  /** Labelled as a repetition, and found to repeat a memory of the same content. */
  readonly truePositives: number;
  /** Found to repeat something, but not labelled as a repetition, or labelled as one of other content. */
  readonly falsePositives: number;
  /** Labelled as a repetition, but not found to repeat that content. */
  readonly falseNegatives: number;
  /** Share of the labelled repetitions that reached the filter whose most redundant memory has the same content. */
  readonly partnerFirst: number | null;
  /** Substantial interactions that repeat nothing, yet were paired: a changed detail may have been merged away. */
  readonly changedDetailMerged: number;
}

/** An interaction with what the filters decided. */
export interface LabelledDecision extends FilterDecision {
  readonly isSubstantial: boolean;
  readonly isRepetition: boolean;
  readonly repeatsSameContent: boolean;
  readonly mostRedundantIsSameContent: boolean;
}

/** Decisions with their labels; empty if the group has no labels. */
export function labelDecisions(group: DatasetGroup, decisions: readonly FilterDecision[]): LabelledDecision[] {
  const interactions = new Map(group.interactions.map((interaction) => [interaction.id, interaction]));
  const contentOf = findContents(group.interactions);
  return decisions.flatMap((decision) => {
    const labels = interactions.get(decision.id)!.labels;
    if (labels === null) return [];
    const isRepetition = labels.redundantWith !== null;
    const isSameContent = (id: string | null): boolean =>
      isRepetition && id !== null && contentOf.get(id) === contentOf.get(decision.id);
    return {
      ...decision,
      isSubstantial: labels.substantial,
      isRepetition,
      repeatsSameContent: isSameContent(decision.repeatsId),
      mostRedundantIsSameContent: isSameContent(decision.mostRedundantId),
    };
  });
}

/** The first interaction with the same content; a label names an earlier interaction, so one pass is enough. */
function findContents(interactions: readonly DatasetInteraction[]): Map<string, string> {
  const contents = new Map<string, string>();
  for (const { id, labels } of interactions) {
    const partner = labels?.redundantWith ?? null;
    contents.set(id, partner === null ? id : contents.get(partner)!);
  }
  return contents;
}

export function scoreSubstance(decisions: readonly LabelledDecision[]): SubstanceScore {
  const count = (isSubstantial: boolean, isDiscarded: boolean): number =>
    decisions.filter((d) => d.isSubstantial === isSubstantial && d.isDiscarded === isDiscarded).length;
  const substantialKept = count(true, false);
  const substantialDiscarded = count(true, true);
  const mundaneKept = count(false, false);
  const mundaneDiscarded = count(false, true);
  return {
    substantial: scoreClass(substantialKept, mundaneKept, substantialDiscarded),
    mundane: scoreClass(mundaneDiscarded, substantialDiscarded, mundaneKept),
    substantialKept,
    substantialDiscarded,
    mundaneKept,
    mundaneDiscarded,
  };
}

export function scoreRedundancy(decisions: readonly LabelledDecision[]): RedundancyScore {
  const truePositives = decisions.filter(({ repeatsSameContent }) => repeatsSameContent).length;
  const falsePositives = decisions.filter((d) => d.repeatsId !== null && !d.repeatsSameContent).length;
  const falseNegatives = decisions.filter((d) => d.isRepetition && !d.repeatsSameContent).length;
  const compared = decisions.filter((d) => d.isRepetition && d.mostRedundantId !== null);
  const isMerged = (d: LabelledDecision): boolean => d.isSubstantial && !d.isRepetition && d.repeatsId !== null;
  return {
    ...scoreClass(truePositives, falsePositives, falseNegatives),
    truePositives,
    falsePositives,
    falseNegatives,
    partnerFirst: ratio(compared.filter((d) => d.mostRedundantIsSameContent).length, compared.length),
    changedDetailMerged: decisions.filter(isMerged).length,
  };
}

/** Of a class to find. */
export function scoreClass(truePositives: number, falsePositives: number, falseNegatives: number): ClassScore {
  return {
    precision: ratio(truePositives, truePositives + falsePositives),
    recall: ratio(truePositives, truePositives + falseNegatives),
    f1: ratio(2 * truePositives, 2 * truePositives + falsePositives + falseNegatives),
  };
}

/** Null if there is nothing to divide by. */
export function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}
