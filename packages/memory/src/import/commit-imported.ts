/**
 * Submits what was read, one interaction at a time, through the public API. Ids make it safe to repeat: what is stored is
 * not stored twice, and a conversation that has grown since is continued with what is new.
 */
import { InputError, MnemosyneError } from "../errors.js";
import type { CommitResult, HistoryItem, InteractionInput, Turn } from "../index.js";
import type { ImportedInteraction } from "./imported-interaction.js";

/** What is needed of a person's memory. */
export interface ImportTarget {
  commit(input: InteractionInput): Promise<Pick<CommitResult, "id" | "isNew">>;
  history(selection: { ids: readonly string[] }): PromiseLike<readonly HistoryItem[]>;
}

export interface CommitImportedOptions {
  /** Called after each interaction with how many have been submitted or were known. */
  readonly onProgress?: (doneCount: number) => void;
  /** Leaves out, and counts, what the memory refuses, such as a time in the future. */
  readonly skipDamaged?: boolean;
  /** Stops before the next interaction; what was submitted stays. */
  readonly signal?: AbortSignal;
}

export interface ImportedCounts {
  /** New in this run. */
  readonly acceptedCount: number;
  /** Stored already, with the same content. */
  readonly knownCount: number;
  /** Of the new ones, those that continue what was stored in an earlier run. */
  readonly continuedCount: number;
  /** Stored already with other content, which stays as it is. */
  readonly changedCount: number;
  /** What the memory refused. */
  readonly refusedCount: number;
}

type Outcome = "accepted" | "known" | "continued" | "changed";

export async function commitImported(
  person: ImportTarget,
  interactions: AsyncIterable<ImportedInteraction>,
  options: CommitImportedOptions = {},
): Promise<ImportedCounts> {
  const { onProgress = () => {}, skipDamaged = false, signal } = options;
  const counts = { acceptedCount: 0, knownCount: 0, continuedCount: 0, changedCount: 0, refusedCount: 0 };
  let doneCount = 0;
  for await (const interaction of interactions) {
    signal?.throwIfAborted();
    const outcome = await commitOne(person, interaction).catch((error: unknown) => {
      if (!(error instanceof InputError)) throw error;
      if (skipDamaged) return null;
      const remedy = "leave it out with --skip-damaged (skipDamaged)";
      throw new MnemosyneError("input", error.code, `${interaction.id}: ${error.message}; or ${remedy}`, {
        cause: error,
      });
    });
    if (outcome === null) counts.refusedCount++;
    if (outcome === "accepted" || outcome === "continued") counts.acceptedCount++;
    if (outcome === "continued") counts.continuedCount++;
    if (outcome === "known") counts.knownCount++;
    if (outcome === "changed") counts.changedCount++;
    onProgress(++doneCount);
  }
  return counts;
}

async function commitOne(person: ImportTarget, interaction: ImportedInteraction, isRest = false): Promise<Outcome> {
  const isNew = await person.commit(interaction).then((accepted) => accepted.isNew, falseIfTaken);
  if (isNew) return isRest ? "continued" : "accepted";
  const [known] = await person.history({ ids: [interaction.id] });
  // Forgotten by somebody else in the meantime.
  if (known === undefined) return "known";
  const { turns = [], summary } = interaction;
  if (turns.length === 0) return known.summary === summary ? "known" : "changed";
  if (!continues(known.turns, turns)) return "changed";
  const rest = turns.slice(known.turns.length);
  if (rest.length === 0) return "known";
  // Named by what it follows, so that a third run finds it again.
  const id = `${interaction.id}.from-${known.turns.length + 1}`;
  return commitOne(person, { ...interaction, id, turns: rest }, true);
}

/** A memory may refuse a known id with other content; what it holds is compared below. */
function falseIfTaken(error: unknown): false {
  if (error instanceof MnemosyneError && (error.code as string) === "id_taken") return false;
  throw error;
}

function continues(stored: readonly Turn[], turns: readonly Turn[]): boolean {
  return stored.every(({ who, text }, i) => turns[i]?.who === who && turns[i].text === text);
}
