/**
 * The statements of memories as a context may quote them, each with what it is worth there: its memory's score and its own
 * closeness to the question. A context quotes what people said; an assistant's words, and a summary of what stands beside it
 * word for word, come after that. Of what ended, only those who ask about then are told, or it stands beside what replaced it,
 * which is worth as much.
 */
import { pointsBack } from "../english/day-words.js";
import { type Ender, endersOf, isSilent } from "../graph/holding.js";
import type { MemoryGraph } from "../graph/memory-graph.js";
import { type MemoryNode, compareAge } from "../graph/memory-node.js";
import { nameOf } from "../graph/statement.js";
import { type QuantizedVector, cosine } from "../graph/vectors/quantized-vector.js";
import type { StartScore } from "../paper/start-node.js";
import { assistant } from "../reader/cut.js";

export interface QuotedStatement {
  readonly memory: MemoryNode;
  /** Its position among the memory's statements; null for the summary of a memory without any. */
  readonly position: number | null;
  readonly name: string;
  readonly who: string | null;
  readonly text: string;
  readonly asked: string | null;
  readonly value: number;
  /** The statement before it, where it points back to that: "she starts in May". */
  readonly needs: string | null;
  /** Since when it no longer holds, and the statements that ended it; null while it holds. */
  readonly ended: { readonly untilMs: number; readonly by: readonly string[] } | null;
}

/** What somebody else's word for it is worth less than the person's own. */
const secondHandPenalty = 0.5;
/** Words say which memory, and less which statement: a long talk has some in common with any question. */
const wordShare = 0.3;

/** What a memory is worth to its statements: how close it comes and when it was, and a share of what its words add. */
export function worthOf({ score, querySimilarity, timeGain }: StartScore): number {
  const said = querySimilarity + timeGain;
  return said + wordShare * (score - said);
}

/** What statements are compared with. */
export interface Compared {
  readonly query: QuantizedVector;
  readonly atMs: number;
  readonly graph: MemoryGraph;
  readonly passes: (node: MemoryNode) => boolean;
}

/** Statements of a memory worth `worth`, in order; a memory without any is its summary. `matches`: of their words. */
export function quoteMemory(
  memory: MemoryNode,
  worth: number,
  matches: readonly number[],
  compared: Compared,
): QuotedStatement[] {
  const { statements, summaryText, id } = memory;
  if (statements.length === 0) {
    const ended = endOf(memory, null, compared);
    return [
      { memory, position: null, name: id, who: null, text: summaryText, asked: null, value: worth, needs: null, ended },
    ];
  }
  const vectors = compared.graph.statements.vectorsOf(compared.graph.slotOf(id));
  const hasTurns = statements.some(({ turn }) => turn !== null);
  return statements.flatMap(({ who, text, asked, turn, kind }, position) => {
    if (isSilent(memory, position)) return [];
    const closeness = cosine(compared.query, vectors[position]!) + wordShare * (matches[position] ?? 0);
    const isSecondHand = who === assistant || (hasTurns && turn === null && kind === "said");
    const value = worth + closeness - (isSecondHand ? secondHandPenalty : 0);
    const name = nameOf({ memory: id, position });
    const isNext = position > 0 && statements[position - 1]!.turn === turn && asked === null && pointsBack(text);
    const needs = isNext ? nameOf({ memory: id, position: position - 1 }) : null;
    return [{ memory, position, name, who, text, asked, value, needs, ended: endOf(memory, position, compared) }];
  });
}

function endOf(memory: MemoryNode, position: number | null, compared: Compared): QuotedStatement["ended"] {
  const enders = endersIn(memory, position, compared);
  if (enders.length === 0) return null;
  return { untilMs: enders[0]!.memory.initMs, by: enders.flatMap(namesOf) };
}

/** A single statement; of a memory that ended another as a whole, all of its own. */
function namesOf({ memory, by }: Ender): string[] {
  if (by !== null) return [nameOf({ memory: memory.id, position: by })];
  if (memory.statements.length === 0) return [memory.id];
  return memory.statements.map((_, position) => nameOf({ memory: memory.id, position }));
}

/**
 * The statements with those that ended some of them, which may be of memories that were not found, each worth as much as what
 * it ended: the question was about that.
 */
export function withEnders(statements: readonly QuotedStatement[], compared: Compared): QuotedStatement[] {
  const all = new Map(statements.map((statement) => [statement.name, statement]));
  // A list that grows while it is walked: what ended something may have ended, too.
  const open = [...statements].sort((x, y) => y.value - x.value);
  for (const { ended, value, memory, position } of open) {
    for (const { memory: newer, by } of ended === null ? [] : endersIn(memory, position, compared)) {
      for (const found of quoteMemory(newer, value, [], compared)) {
        if (by !== null && found.position !== by) continue;
        const known = all.get(found.name);
        if (known !== undefined && known.value >= value) continue;
        const raised = { ...(known ?? found), value };
        all.set(found.name, raised);
        open.push(raised);
      }
    }
  }
  return [...all.values()];
}

function endersIn(memory: MemoryNode, position: number | null, { graph, atMs, passes }: Compared): Ender[] {
  return endersOf(memory, position, graph, (node) => node.initMs <= atMs && passes(node));
}

/** Most valuable first. */
export function compareQuoted(x: QuotedStatement, y: QuotedStatement): number {
  return y.value - x.value || compareAge(x.memory, y.memory) || (x.position ?? 0) - (y.position ?? 0);
}
