/**
 * A person as JSON Lines. An export holds everything: the submitted interactions, the memories with all their vectors, the
 * edges, the core summary. Imported into an empty person it restores the same memory, byte for byte. A file of plain
 * interactions, one object per line, is a history to commit.
 */
import { type EmbeddedNode, type GraphChange, compareAge, compareIds, noChange } from "../../core/graph/memory-node.js";
import { StoreError } from "../../errors.js";
import type { EmbedderIdentity } from "../../ports/embedder.js";
import { type AcceptedEntry, type PersonSnapshot, type Store, readPages } from "../../ports/store.js";
import type { PersonState } from "../person-state.js";
import { type ParsedExport, exportVersion, versionFields } from "./export-parsing.js";

/** Each in one order, whichever store they come from. */
const interactionFields = [
  "id",
  "initMs",
  "acceptedMs",
  "turns",
  "summary",
  "state",
  "restored",
  "kept",
  "updates",
  "metadata",
  "expiresMs",
] as const;
const nodeFields = [
  "id",
  "initMs",
  "pairId",
  "summaryText",
  "state",
  "keywords",
  "hypotheticalQuery",
  "statements",
  "questions",
  "updates",
  "pinnedArea",
  "metadata",
  "expiresMs",
] as const;
const factFields = ["text", "area", "probability"] as const;

/** The lines of an export, in the same order for every store. */
export function* linesOfMoment(
  person: string,
  { entries, snapshot, change }: PersonMoment,
  embedder: EmbedderIdentity | null,
): Generator<string> {
  yield JSON.stringify({ type: "mnemosyne-export", version: exportVersion, person, embedder });
  for (const { interaction, outcome, trace } of entries) {
    const versions = interaction.versions.map((version) => pick(version, versionFields));
    const exported = { ...pick(interaction, interactionFields), versions };
    yield JSON.stringify({ type: "interaction", interaction: exported, outcome, trace });
  }
  yield* graphLines(change);
  const { coreSummary, commitsSinceCoreSummary: commitsSince } = snapshot;
  yield JSON.stringify({ type: "core-summary", commitsSince, ...coreSummary });
}

function pick<Whole, Name extends keyof Whole>(whole: Whole, names: readonly Name[]): Pick<Whole, Name> {
  return Object.fromEntries(names.map((name) => [name, whole[name]])) as Pick<Whole, Name>;
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

function* graphLines(change: GraphChange): Generator<string> {
  for (const { node, fullText, ...vectors } of change.putNodes.toSorted((x, y) => compareAge(x.node, y.node))) {
    yield JSON.stringify({
      type: "memory",
      ...pick(node, nodeFields),
      facts: node.facts?.map((fact) => pick(fact, factFields)) ?? null,
      fullText,
      summaryVector: toBase64(vectors.summaryVector),
      hypotheticalVector: toBase64(vectors.hypotheticalVector),
      statementVectors: vectors.statementVectors.map(toBase64),
      questionVectors: vectors.questionVectors.map(toBase64),
      tokens: vectors.tokenBytes && toBase64(vectors.tokenBytes),
    });
  }
  for (const edge of change.putEdges.toSorted((x, y) => compareIds(x.a, y.a) || compareIds(x.b, y.b))) {
    yield JSON.stringify({ type: "edge", ...edge });
  }
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
