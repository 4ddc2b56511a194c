/**
 * A person as JSON Lines. An export holds everything: the submitted interactions, the memories with all their vectors, the
 * edges, the core summary. Imported into an empty person it restores the same memory, byte for byte. A file of plain
 * interactions, one object per line, is a history to commit.
 */
import {
  type Edge,
  type EmbeddedNode,
  type GraphChange,
  type LastingFact,
  type MemoryNode,
  compareAge,
  compareIds,
  noChange,
} from "../../core/graph/memory-node.js";
import { type Metadata, hasMetadata } from "../../core/graph/metadata.js";
import { StoreError } from "../../errors.js";
import type { EmbedderIdentity } from "../../ports/embedder.js";
import {
  type AcceptedEntry,
  type CoreSummary,
  type Interaction,
  type InteractionVersion,
  type PersonSnapshot,
  type Store,
  noFacts,
  readPages,
} from "../../ports/store.js";
import { type ParsedExport, exportVersion as formatVersion } from "./export-parsing.js";
import type { PersonState } from "../person-state.js";

type ExportLine =
  | {
      readonly type: "mnemosyne-export";
      readonly version: number;
      readonly person: string;
      /** Null while two stores are compared that have no vectors. */
      readonly embedder: EmbedderIdentity | null;
    }
  | ({ readonly type: "interaction"; readonly interaction: ExportedInteraction } & Omit<AcceptedEntry, "interaction">)
  | ({ readonly type: "memory" } & ExportedMemory)
  | ({ readonly type: "edge" } & Edge)
  | ({ readonly type: "core-summary"; readonly commitsSince: number } & Partial<CoreSummary>);

/** What most interactions and memories do not have is left out where it says nothing. */
type ExportedInteraction = Omit<Interaction, "kept" | "updates" | "versions" | keyof ExportedNotes> &
  Partial<Pick<Interaction, "kept" | "updates" | "versions">> &
  ExportedNotes;

interface ExportedNotes {
  readonly metadata?: Metadata;
  readonly expiresMs?: number;
}

type ExportedMemory = Omit<MemoryNode, "questions" | "updates" | "facts" | "pinnedArea" | keyof ExportedNotes> & {
  readonly questions?: readonly string[];
  readonly updates?: readonly string[];
  readonly facts?: readonly LastingFact[];
  readonly pinnedArea?: string;
  readonly fullText: string;
  readonly summaryVector: string;
  readonly hypotheticalVector: string;
  readonly statementVectors: readonly string[];
  readonly questionVectors?: readonly string[];
  readonly tokens?: string;
} & ExportedNotes;

/** The lines of an export, in the same order for every store. */
export function* linesOfMoment(
  person: string,
  { entries, snapshot, change }: PersonMoment,
  embedder: EmbedderIdentity | null,
): Generator<string> {
  const header = { type: "mnemosyne-export", version: formatVersion, person, embedder } as const;
  yield JSON.stringify(header satisfies ExportLine);
  for (const { interaction, outcome, trace } of entries) {
    const line = { type: "interaction", interaction: exportInteraction(interaction), outcome, trace } as const;
    yield JSON.stringify(line satisfies ExportLine);
  }
  yield* graphLines(change);
  const { coreSummary, commitsSinceCoreSummary: commitsSince } = snapshot;
  const { facts = noFacts, ...rest } = coreSummary ?? {};
  const core = { ...rest, ...(facts === noFacts ? {} : { facts }) };
  yield JSON.stringify({ type: "core-summary", commitsSince, ...core } satisfies ExportLine);
}

/** History and graph as they were at one moment. */
export interface PersonMoment {
  readonly entries: readonly AcceptedEntry[];
  readonly snapshot: PersonSnapshot;
  readonly change: GraphChange;
}

/** Everything about a person at one moment, even while other processes write. */
export async function readMoment(person: string, store: Store): Promise<PersonMoment> {
  for (let tries = 1; ; tries++) {
    const snapshot = await store.load(person);
    const { change: loaded } = await readPages(snapshot);
    const change = { ...loaded, putNodes: await withTokens(person, loaded.putNodes, store) };
    const entries = await store.history(person);
    if ((await store.revision(person)) === snapshot.revision) return { entries, snapshot, change };
    if (tries === momentTriesMax) {
      throw new StoreError("store_busy", `"${person}" changes too often to be exported now; try again`);
    }
  }
}

const momentTriesMax = 100;
const tokensPerPage = 200;

/** Memories as they were put; a load leaves their token vectors out. */
async function withTokens(person: string, nodes: readonly EmbeddedNode[], store: Store): Promise<EmbeddedNode[]> {
  const whole: EmbeddedNode[] = [];
  for (let from = 0; from < nodes.length; from += tokensPerPage) {
    const page = nodes.slice(from, from + tokensPerPage);
    const ids = page.map(({ node }) => node.id);
    const tokens = await store.tokens?.(person, ids);
    for (const embedded of page) whole.push({ ...embedded, tokenBytes: tokens?.get(embedded.node.id) ?? null });
  }
  return whole;
}

/** Its fields in one order, whichever store they come from. */
function exportInteraction(interaction: Interaction): ExportedInteraction {
  const { id, initMs, acceptedMs, turns, summary, state, restored } = interaction;
  const { kept, updates, metadata, expiresMs, versions } = interaction;
  return {
    id,
    initMs,
    acceptedMs,
    turns,
    summary,
    state,
    restored,
    ...(kept ? { kept } : {}),
    ...(updates.length === 0 ? {} : { updates }),
    ...exportNotes({ metadata, expiresMs }),
    ...(versions.length === 0 ? {} : { versions: versions.map(exportVersion) }),
  };
}

function exportNotes({ metadata, expiresMs }: Pick<Interaction, "metadata" | "expiresMs">): ExportedNotes {
  return { ...(hasMetadata(metadata) ? { metadata } : {}), ...(expiresMs === null ? {} : { expiresMs }) };
}

/** Its fields in one order, whichever store they come from. */
function exportVersion({
  replacedMs,
  initMs,
  turns,
  summary,
  state,
  metadata,
}: InteractionVersion): InteractionVersion {
  return { replacedMs, initMs, turns, summary, state, metadata };
}

function* graphLines(change: GraphChange): Generator<string> {
  for (const { node, fullText, ...vectors } of change.putNodes.toSorted((x, y) => compareAge(x.node, y.node))) {
    const { questions, updates, facts, pinnedArea, metadata, expiresMs, ...rest } = node;
    const { tokenBytes } = vectors;
    const line = {
      type: "memory",
      ...rest,
      ...(questions.length === 0 ? {} : { questions }),
      ...(updates.length === 0 ? {} : { updates }),
      ...(facts === null ? {} : { facts: facts.map(exportFact) }),
      ...(pinnedArea === null ? {} : { pinnedArea }),
      ...exportNotes({ metadata, expiresMs }),
      fullText,
      summaryVector: toBase64(vectors.summaryVector),
      hypotheticalVector: toBase64(vectors.hypotheticalVector),
      statementVectors: vectors.statementVectors.map(toBase64),
      ...(questions.length === 0 ? {} : { questionVectors: vectors.questionVectors.map(toBase64) }),
      ...(tokenBytes === null ? {} : { tokens: toBase64(tokenBytes) }),
    } as const;
    yield JSON.stringify(line satisfies ExportLine);
  }
  for (const edge of change.putEdges.toSorted((x, y) => compareIds(x.a, y.a) || compareIds(x.b, y.b))) {
    yield JSON.stringify({ type: "edge", ...edge } satisfies ExportLine);
  }
}

/** Its fields in one order, whichever store they come from. */
function exportFact({ text, area, probability }: LastingFact): LastingFact {
  return { text, area, probability };
}

/** Restores an export into a person who does not exist yet, all or nothing. */
export async function restoreExport(state: PersonState, parsed: ParsedExport): Promise<void> {
  await state.change(async () => ({
    batch: {
      acceptEntries: parsed.entries,
      change: { ...noChange, putNodes: parsed.nodes, putEdges: parsed.edges },
      outcomes: [],
      forgetInteractions: [],
      coreSummary: parsed.coreSummary,
      commitsSinceCoreSummary: parsed.commitsSinceCoreSummary,
    },
    result: undefined,
  }));
}

function toBase64(vector: Int8Array | Uint8Array): string {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString("base64");
}
