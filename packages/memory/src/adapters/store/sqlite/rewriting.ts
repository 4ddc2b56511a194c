/**
 * From schema 1, whose texts lie in many columns and have no marks, to schema 2. What cannot even be parsed is kept as
 * it is, with a mark that cannot be right, so that it is reported like any other damage.
 */
import { type Interaction, type Outcome, isOutcome } from "../../../ports/store.js";
import type { EmbeddedNode, MemoryNode } from "../../../core/graph/memory-node.js";
import { noMetadata } from "../../../core/graph/metadata.js";
import type { SqliteConnection } from "./connection.js";
import { decodeLeniently, decodeText } from "./damage.js";
import { memoryContent } from "./content.js";
import { interactionBody } from "./rows.js";
import { RowWriter } from "./writing.js";

type Values = readonly unknown[];

const wrongMark = -1;

export function rewriteRows(connection: SqliteConnection): void {
  const writer = new RowWriter(connection);
  const each = (sql: string, take: (values: Values) => void): void => {
    for (const values of connection.iterateValues(sql, [])) take(values);
  };
  each("SELECT CAST(name AS BLOB), CAST(value AS BLOB) FROM old_setting", ([name, value]) =>
    connection.setSetting(lenientText(name), lenientText(value)),
  );
  each(oldPersonSql, (values) => rewritePerson(values, writer));
  connection.run(
    "INSERT INTO sqlite_sequence SELECT 'interaction', seq FROM sqlite_sequence WHERE name = 'old_interaction'",
    [],
  );
  each(oldInteractionSql, (values) => rewriteInteraction(values, writer));
  each(oldMemorySql, (values) => rewriteMemory(values, writer));
  each(oldEdgeSql, ([a, b, person, revision, weight, boostMs, boostedMs]) =>
    writer.putEdge({ a, b, person, revision, weight, boostMs, boostedMs } as Parameters<RowWriter["putEdge"]>[0]),
  );
  for (const table of ["old_edge", "old_memory", "old_interaction", "old_person", "old_setting"]) {
    connection.run(`DROP TABLE ${table}`, []);
  }
  // The old rows are free space now.
  connection.noteErasing();
}

/** Removals are not taken over, so everybody else has to load everything. */
const oldPersonSql = `
  SELECT key, CAST(name AS BLOB), CAST(revision AS INTEGER), CAST(core_summary AS BLOB),
    CAST(commits_since_core_summary AS INTEGER)
  FROM old_person`;

const oldInteractionSql = `
  SELECT sequence, CAST(person AS INTEGER), CAST(id AS BLOB), CAST(outcome AS BLOB), CAST(init_ms AS REAL),
    CAST(accepted_ms AS REAL), CAST(body AS BLOB), CAST(restored AS INTEGER), CAST(trace AS BLOB)
  FROM old_interaction ORDER BY sequence`;

const oldMemorySql = `
  SELECT key, CAST(person AS INTEGER), CAST(id AS BLOB), CAST(revision AS INTEGER), CAST(pair_id AS BLOB),
    CAST(init_ms AS REAL), CAST(summary_text AS BLOB), CAST(full_text AS BLOB), CAST(state AS BLOB),
    CAST(keywords AS BLOB), CAST(hypothetical_query AS BLOB), CAST(statements AS BLOB), CAST(vectors AS BLOB)
  FROM old_memory ORDER BY key`;

const oldEdgeSql = `
  SELECT CAST(a AS INTEGER), CAST(b AS INTEGER), CAST(person AS INTEGER), CAST(revision AS INTEGER),
    CAST(weight AS REAL), CAST(boost_ms AS REAL), CAST(boosted_ms AS REAL)
  FROM old_edge`;

function rewritePerson([key, name, revision, coreSummary, commitsSince]: Values, writer: RowWriter): void {
  const text = coreSummary === null ? null : parsed(coreSummary) && lenientText(coreSummary);
  writer.putPerson({
    key: key as number,
    name: lenientText(name),
    revision: revision as number,
    wholeBelow: revision as number,
    coreSummary: text === undefined ? null : (text as string | null),
    commitsSinceCoreSummary: commitsSince as number,
  });
}

function rewriteInteraction(values: Values, writer: RowWriter): void {
  const [sequence, person, idBytes, outcomeBytes, initMs, acceptedMs, bodyBytes, restored, traceBytes] = values;
  const id = decodeText(idBytes as Uint8Array);
  const outcome = decodeText(outcomeBytes as Uint8Array);
  const body = parsed(bodyBytes) as Pick<Interaction, "turns" | "summary" | "state"> | undefined;
  const trace = traceBytes === null ? null : decodeText(traceBytes as Uint8Array);
  const place = { sequence: sequence as number, person: person as number };
  if (id === undefined || !isOutcome(outcome) || body === undefined || trace === undefined) {
    const kept = {
      id: lenientText(idBytes),
      outcome: lenientText(outcomeBytes) as Outcome,
      trace: null,
      expiresMs: null,
    };
    writer.insertInteraction({ ...place, ...kept, bodyMark: wrongMark, body: bodyBytes as Uint8Array }, wrongMark);
    return;
  }
  const interaction = {
    id,
    initMs: initMs as number,
    acceptedMs: acceptedMs as number,
    ...body,
    restored: restored === 1,
    kept: false,
    updates: [],
    metadata: noMetadata,
    expiresMs: null,
    versions: [],
  };
  writer.putInteraction({ ...place, id, outcome, body: interactionBody(interaction), trace, expiresMs: null });
}

function rewriteMemory(values: Values, writer: RowWriter): void {
  const [key, person, idBytes, revision, pairBytes, initMs, ...texts] = values;
  const vectors = texts.pop() as Uint8Array;
  const [summaryText, fullText, state, keywords, hypotheticalQuery, statements] = texts as (Uint8Array | null)[];
  const since = { updates: null, pinnedArea: null, metadata: null, expiresMs: null };
  const place = { key: key as number, person: person as number, revision: revision as number, ...since };
  const pairId = pairBytes === null ? null : lenientText(pairBytes);
  const node = {
    id: decodeText(idBytes as Uint8Array),
    initMs: initMs as number,
    pairId,
    summaryText: decodeText(summaryText!),
    state: state === null ? null : decodeText(state!),
    keywords: parsed(keywords),
    hypotheticalQuery: decodeText(hypotheticalQuery!),
    questions: [],
    statements: parsed(statements),
    updates: [],
    facts: null,
    pinnedArea: null,
    metadata: noMetadata,
    expiresMs: null,
  };
  const text = decodeText(fullText!);
  if (text === undefined || Object.values(node).includes(undefined)) {
    const kept = { id: lenientText(idBytes), pairId, contentMark: wrongMark, content: fullText! };
    writer.insertMemory({ ...place, ...kept }, wrongMark);
    return;
  }
  const memory = node as unknown as MemoryNode;
  const content = memoryContent({ node: memory, fullText: text, ...unpackVectors(memory, vectors) });
  writer.putMemory({ ...place, id: memory.id, pairId, content }, null);
}

/** Summary vector, then the hypothetical vector if there is a hypothetical query, then one per statement. */
function unpackVectors(
  { hypotheticalQuery, statements }: MemoryNode,
  bytes: Uint8Array,
): Omit<EmbeddedNode, "node" | "fullText"> {
  const leading = hypotheticalQuery === "" ? 1 : 2;
  const dimensions = bytes.byteLength / (leading + statements.length);
  const vectorAt = (i: number): Int8Array => new Int8Array(bytes.buffer, bytes.byteOffset + i * dimensions, dimensions);
  return {
    summaryVector: vectorAt(0),
    hypotheticalVector: vectorAt(leading - 1),
    statementVectors: statements.map((_, i) => vectorAt(leading + i)),
    questionVectors: [],
    topicVector: null,
    tokenBytes: null,
  };
}

function lenientText(value: unknown): string {
  return decodeLeniently(value) ?? "";
}

/** JSON, or undefined if it is damaged. */
function parsed(value: unknown): unknown {
  try {
    return JSON.parse(decodeText(value as Uint8Array) ?? "");
  } catch {
    return undefined;
  }
}
