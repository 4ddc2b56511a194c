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

export interface ImportedCounts {
  /** New in this run. */
  readonly acceptedCount: number;
  /** Stored already, with the same content. */
  readonly knownCount: number;
  /** Stored already with other content, which stays as it is. */
  readonly changedCount: number;
  /** Refused by the memory and left out, such as what lies in the future. */
  readonly refusedCount: number;
}

type Outcome = "acceptedCount" | "knownCount" | "changedCount";

/** What the memory refuses ends the import, unless it may be left out. */
export async function commitImported(
  person: ImportTarget,
  interactions: AsyncIterable<ImportedInteraction>,
  { skipDamaged = false }: { readonly skipDamaged?: boolean } = {},
): Promise<ImportedCounts> {
  const counts = { acceptedCount: 0, knownCount: 0, changedCount: 0, refusedCount: 0 };
  for await (const interaction of interactions) {
    try {
      counts[await commitOne(person, interaction)]++;
    } catch (cause) {
      if (!(cause instanceof InputError)) throw cause;
      const message = `${interaction.id}: ${cause.message}; or leave it out with --skip-damaged (skipDamaged)`;
      if (!skipDamaged) throw new MnemosyneError("input", cause.code, message, { cause });
      counts.refusedCount++;
    }
  }
  return counts;
}

async function commitOne(person: ImportTarget, interaction: ImportedInteraction): Promise<Outcome> {
  const isNew = await person.commit(interaction).then((accepted) => accepted.isNew, falseIfTaken);
  if (isNew) return "acceptedCount";
  const [known] = await person.history({ ids: [interaction.id] });
  // Forgotten by somebody else in the meantime.
  if (known === undefined) return "knownCount";
  const { turns = [], summary } = interaction;
  if (turns.length === 0) return known.summary === summary ? "knownCount" : "changedCount";
  if (!continues(known.turns, turns)) return "changedCount";
  const rest = turns.slice(known.turns.length);
  if (rest.length === 0) return "knownCount";
  // Named by what it follows, so that a third run finds it again.
  const id = `${interaction.id}.from-${known.turns.length + 1}`;
  return commitOne(person, { ...interaction, id, turns: rest });
}

/** A memory may refuse a known id with other content; what it holds is compared below. */
function falseIfTaken(error: unknown): false {
  if (error instanceof MnemosyneError && (error.code as string) === "id_taken") return false;
  throw error;
}

function continues(stored: readonly Turn[], turns: readonly Turn[]): boolean {
  return stored.every(({ who, text }, i) => turns[i]?.who === who && turns[i].text === text);
}
