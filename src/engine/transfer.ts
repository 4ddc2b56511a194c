/**
 * A person as JSON Lines. An export holds everything: the interactions handed in, the memories with their vectors, the
 * edges, the core summary. Read back into an empty person it restores the same memory, byte for byte. A file of plain
 * interactions, one object a line, is a history to commit.
 */
import { type Edge, type EmbeddedNode, compareAge, compareIds, noChange } from "../core/memory-node.js";
import { InputError } from "../errors.js";
import type { EmbedderIdentity } from "../ports/embedder.js";
import type { CoreSummary, HistoryEntry, PersonSnapshot } from "../ports/store.js";
import type { InteractionInput } from "./interaction.js";
import type { PersonState } from "./person-state.js";

export const exportVersion = 1;

type ExportLine =
  | {
      readonly type: "mnemosyne-export";
      readonly version: number;
      readonly person: string;
      readonly embedder: EmbedderIdentity;
    }
  | ({ readonly type: "interaction" } & HistoryEntry)
  | ({ readonly type: "memory" } & ExportedMemory)
  | ({ readonly type: "edge" } & Edge)
  | ({ readonly type: "core-summary"; readonly commitsSince: number } & Partial<CoreSummary>);

type ExportedMemory = EmbeddedNode["node"] & {
  readonly fullText: string;
  readonly summaryVector: string;
  readonly hypotheticalVector: string;
  readonly statementVectors: readonly string[];
};

export interface ParsedExport {
  readonly embedder: EmbedderIdentity;
  readonly entries: readonly HistoryEntry[];
  readonly nodes: readonly EmbeddedNode[];
  readonly edges: readonly Edge[];
  readonly coreSummary: CoreSummary | null;
  readonly commitsSinceCoreSummary: number;
}

/** Lines of an export, in one order whatever the store. */
export async function* exportLines(state: PersonState): AsyncGenerator<string> {
  const { store, embedding } = state.context;
  const { person } = state;
  const [entries, snapshot] = await state.exclusively(async () => [
    await store.history(person),
    await store.load(person),
  ]);
  const header = { type: "mnemosyne-export", version: exportVersion, person, embedder: embedding.identity } as const;
  yield JSON.stringify(header satisfies ExportLine);
  for (const entry of entries) yield JSON.stringify({ type: "interaction", ...entry } satisfies ExportLine);
  yield* graphLines(snapshot);
  const { coreSummary, commitsSinceCoreSummary: commitsSince } = snapshot;
  yield JSON.stringify({ type: "core-summary", commitsSince, ...coreSummary } satisfies ExportLine);
}

function* graphLines({ change }: PersonSnapshot): Generator<string> {
  for (const { node, fullText, ...vectors } of change.putNodes.toSorted((x, y) => compareAge(x.node, y.node))) {
    const line = {
      type: "memory",
      ...node,
      fullText,
      summaryVector: toBase64(vectors.summaryVector),
      hypotheticalVector: toBase64(vectors.hypotheticalVector),
      statementVectors: vectors.statementVectors.map(toBase64),
    } as const;
    yield JSON.stringify(line satisfies ExportLine);
  }
  for (const edge of change.putEdges.toSorted((x, y) => compareIds(x.a, y.a) || compareIds(x.b, y.b))) {
    yield JSON.stringify({ type: "edge", ...edge } satisfies ExportLine);
  }
}

/** Restores an export into a person that does not exist yet. */
export async function restoreExport(state: PersonState, parsed: ParsedExport): Promise<void> {
  const { store } = state.context;
  for (const { interaction, outcome } of parsed.entries) {
    await store.accept(state.person, interaction, outcome === "open" ? "open" : "queued");
  }
  await state.change(async () => ({
    batch: {
      change: { ...noChange, putNodes: parsed.nodes, putEdges: parsed.edges },
      outcomes: parsed.entries.map(({ interaction, outcome, trace }) => ({ id: interaction.id, outcome, trace })),
      forgetInteractions: [],
      coreSummary: parsed.coreSummary,
      commitsSinceCoreSummary: parsed.commitsSinceCoreSummary,
    },
    result: undefined,
  }));
}

/** An export, or null when the lines are plain interactions. */
export function parseExport(lines: readonly string[]): ParsedExport | null {
  const first = parseLine(lines[0] ?? "{}", 1);
  if (first["type"] !== "mnemosyne-export") return null;
  if (first["version"] !== exportVersion) {
    throw new InputError(
      "import_invalid",
      `line 1: export version ${String(first["version"])} is not ${exportVersion}`,
    );
  }
  const parsed = lines.map((line, i) => parseLine(line, i + 1) as unknown as ExportLine);
  const core = parsed.find((line) => line.type === "core-summary");
  return {
    embedder: first["embedder"] as EmbedderIdentity,
    entries: parsed.filter((line) => line.type === "interaction").map(({ type: _, ...entry }) => entry),
    nodes: parsed.filter((line) => line.type === "memory").map(toNode),
    edges: parsed.filter((line) => line.type === "edge").map(({ type: _, ...edge }) => edge),
    coreSummary: core?.text === undefined ? null : toCoreSummary(core),
    commitsSinceCoreSummary: core?.commitsSince ?? 0,
  };
}

/** One interaction of a plain file; what is wrong with it is said with its line. */
export function parseInteractionLine(line: string, lineNumber: number): InteractionInput {
  const object = parseLine(line, lineNumber);
  if (object["turns"] === undefined && object["summary"] === undefined) {
    throw new InputError(
      "import_invalid",
      `line ${lineNumber}: neither "turns" nor "summary"; a line is one interaction`,
    );
  }
  return object as InteractionInput;
}

function parseLine(line: string, lineNumber: number): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch (cause) {
    throw new InputError("import_invalid", `line ${lineNumber}: not JSON (${(cause as Error).message})`, { cause });
  }
  throw new InputError("import_invalid", `line ${lineNumber}: not a JSON object`);
}

function toCoreSummary(core: Partial<CoreSummary>): CoreSummary {
  const { text, updatedMs, sourceIds, trace } = core;
  return { text: text!, updatedMs: updatedMs!, sourceIds: sourceIds!, trace: trace! };
}

function toNode(line: { readonly type: "memory" } & ExportedMemory): EmbeddedNode {
  const { type: _, fullText, summaryVector, hypotheticalVector, statementVectors, ...node } = line;
  return {
    node,
    fullText,
    summaryVector: fromBase64(summaryVector),
    hypotheticalVector: fromBase64(hypotheticalVector),
    statementVectors: statementVectors.map(fromBase64),
  };
}

function toBase64(vector: Int8Array): string {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString("base64");
}

function fromBase64(text: string): Int8Array {
  return Int8Array.from(Buffer.from(text, "base64"));
}
