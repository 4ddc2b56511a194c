/**
 * A person as JSON Lines. An export holds everything: the submitted interactions, the memories with all their vectors, the
 * edges, the core summary. Imported into an empty person it restores the same memory, byte for byte. A file of plain
 * interactions, one object per line, is a history to commit.
 */
import { compareAge, compareIds, noChange } from "../../core/graph/memory-node.js";
import type { EmbedderIdentity } from "../../ports/embedder.js";
import type { PersonState } from "../person-state.js";
import { type ParsedExport, exportVersion, versionFields } from "./export-parsing.js";
import type { PersonMoment } from "./person-moment.js";

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
  moment: PersonMoment,
  embedder: EmbedderIdentity | null,
): Generator<string> {
  yield JSON.stringify({ type: "mnemosyne-export", version: exportVersion, person, embedder });
  for (const { interaction, outcome, trace } of moment.entries) {
    const versions = interaction.versions.map((version) => pick(version, versionFields));
    const exported = { ...pick(interaction, interactionFields), versions };
    yield JSON.stringify({ type: "interaction", interaction: exported, outcome, trace });
  }
  yield* graphLines(moment);
  const { coreSummary, commitsSinceCoreSummary: commitsSince } = moment;
  yield JSON.stringify({ type: "core-summary", commitsSince, ...coreSummary });
}

function pick<Whole, Name extends keyof Whole>(whole: Whole, names: readonly Name[]): Pick<Whole, Name> {
  return Object.fromEntries(names.map((name) => [name, whole[name]])) as Pick<Whole, Name>;
}

function* graphLines({ nodes, edges }: PersonMoment): Generator<string> {
  for (const { node, fullText, ...vectors } of nodes.toSorted((x, y) => compareAge(x.node, y.node))) {
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
  for (const edge of edges.toSorted((x, y) => compareIds(x.a, y.a) || compareIds(x.b, y.b))) {
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
