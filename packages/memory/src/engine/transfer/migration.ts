/**
 * From one store to another, person by person: each is written in one batch, then read back and compared with the
 * original, line by line of an export. Persons who are already there, identical to the last byte, were migrated before,
 * so an interrupted migration is simply started again. Persons who are there and differ are left alone and reported. At
 * the end the target has to list everyone.
 */
import { createHash } from "node:crypto";
import { noChange } from "../../core/graph/memory-node.js";
import { StoreError, isDamage } from "../../errors.js";
import { type EmbedderIdentity, isSameEmbedder } from "../../ports/embedder.js";
import type { Store, StoreDamage } from "../../ports/store.js";
import { describeInterruption } from "./reembedding.js";
import { salvageMoment } from "./salvage.js";
import { type PersonMoment, linesOfMoment, readMoment } from "./transfer.js";

export interface MigrationProgress {
  readonly person: string;
  readonly doneCount: number;
  readonly totalCount: number;
}

export interface MigrationReport {
  readonly migratedCount: number;
  /** Persons who were already there, identical to the last byte. */
  readonly knownCount: number;
  /** Persons who were already there and differ; their data was not touched. */
  readonly differentPersons: readonly string[];
  readonly memoryCount: number;
  readonly interactionCount: number;
  /** What is damaged in the source and was left out or made again. */
  readonly damage: readonly StoreDamage[];
}

/** How often a person who changes during the migration is read again. */
const triesMax = 5;

export interface MigrationOptions {
  /** Copies what is whole from a store that is damaged. */
  readonly skipDamaged?: boolean;
}

/** How a person is read from the source. */
type ReadSource = (person: string) => Promise<PersonMoment>;

export async function migrateStore(
  from: Store,
  to: Store,
  { skipDamaged = false }: MigrationOptions,
  onProgress: (progress: MigrationProgress) => void,
): Promise<MigrationReport> {
  const { embedder, isKnown } = await agreeOnEmbedder(from, to, skipDamaged);
  const persons = skipDamaged && from.salvagePersons !== undefined ? await from.salvagePersons() : await from.persons();
  const readSource: ReadSource = (person) =>
    skipDamaged ? salvageMoment(person, from, isKnown) : readMoment(person, from);
  const differentPersons: string[] = [];
  let [migratedCount, knownCount, memoryCount, interactionCount] = [0, 0, 0, 0];
  for (const [i, person] of persons.entries()) {
    const { result, moment } = await migratePerson(person, readSource, to, embedder);
    if (result === "different") differentPersons.push(person);
    else {
      if (result === "migrated") migratedCount++;
      else knownCount++;
      memoryCount += moment.change.putNodes.length;
      interactionCount += moment.entries.length;
    }
    onProgress({ person, doneCount: i + 1, totalCount: persons.length });
  }
  await listEverybody(persons, to);
  const damage = skipDamaged ? ((await from.damage?.()) ?? []) : [];
  return { migratedCount, knownCount, differentPersons, memoryCount, interactionCount, damage };
}

/** The embedder whose vectors both stores hold; null if there are none to migrate, or nobody knows whose they are. */
async function agreeOnEmbedder(
  from: Store,
  to: Store,
  skipDamaged: boolean,
): Promise<{ readonly embedder: EmbedderIdentity | null; readonly isKnown: boolean }> {
  const known = await to.embedder();
  let own: EmbedderIdentity | null;
  try {
    own = await from.embedder();
  } catch (error) {
    if (!skipDamaged || !isDamage(error)) throw error;
    return { embedder: null, isKnown: false };
  }
  if (own === null) return { embedder: null, isKnown: true };
  refuseInterrupted("source", own);
  refuseInterrupted("target", known);
  const other = known ?? (await to.claimEmbedder(own));
  if (!isSameEmbedder(own, other)) {
    throw new StoreError(
      "embedder_mismatch",
      `the source store was filled by embedder "${own.name}", the target by "${other.name}"; give one of them vectors of the other's embedder with \`mnemosyne reembed\` first`,
    );
  }
  return { embedder: own, isKnown: true };
}

/** Vectors of two embedders are of no use to anybody. */
function refuseInterrupted(which: "source" | "target", embedder: EmbedderIdentity | null): void {
  const interruption = describeInterruption(embedder);
  if (interruption === null) return;
  throw new StoreError(
    "embedder_mismatch",
    `${which}: ${interruption}; finish it with \`mnemosyne reembed\` there first`,
  );
}

async function migratePerson(
  person: string,
  readSource: ReadSource,
  to: Store,
  embedder: EmbedderIdentity | null,
): Promise<{ result: "migrated" | "known" | "different"; moment: PersonMoment }> {
  const digest = (moment: PersonMoment): string => digestOf(linesOfMoment(person, moment, embedder));
  for (let tries = 1; ; tries++) {
    const moment = await readSource(person);
    const there = await readMoment(person, to);
    if (there.entries.length > 0) {
      return { result: digest(there) === digest(moment) ? "known" : "different", moment };
    }
    if (moment.entries.length === 0) return { result: "known", moment };
    await to.apply(person, {
      baseRevision: there.snapshot.revision,
      acceptEntries: moment.entries,
      change: moment.change,
      outcomes: [],
      forgetInteractions: [],
      coreSummary: moment.snapshot.coreSummary,
      commitsSinceCoreSummary: moment.snapshot.commitsSinceCoreSummary,
    });
    if (digest(await readMoment(person, to)) !== digest(moment)) {
      await to.forgetPerson(person);
      throw new StoreError("store_failed", `"${person}" does not read back as written; the copy was removed again`);
    }
    if (digest(await readSource(person)) === digest(moment)) return { result: "migrated", moment };
    // The person changed in the meantime: what was written is out of date.
    await to.forgetPerson(person);
    if (tries === triesMax) {
      throw new StoreError(
        "store_busy",
        `"${person}" changes too often to be migrated; stop the processes that commit to it`,
      );
    }
  }
}

/** A migration that stopped between writing a person and listing them left the listing to the next write. */
async function listEverybody(persons: readonly string[], to: Store): Promise<void> {
  const listed = new Set(await to.persons());
  for (const person of persons.filter((name) => !listed.has(name))) {
    const baseRevision = await to.revision(person);
    if (baseRevision === 0) continue;
    await to.apply(person, { baseRevision, change: noChange, outcomes: [], forgetInteractions: [] });
  }
}

function digestOf(lines: Iterable<string>): string {
  const hash = createHash("sha256");
  for (const line of lines) hash.update(line).update("\n");
  return hash.digest("hex");
}
