/**
 * A wish to forget: "please forget what I said about …", "don't remember this". It is neither a fact nor a repetition. The
 * statements that it means are held back at once, from recall and core memory alike, until the application forgets or
 * restores them.
 */
import type { PersonState } from "../engine/person-state.js";
import { runInSlices } from "../engine/serial-lock.js";
import { isSilent, withMark } from "../graph/holding.js";
import type { MemoryGraph } from "../graph/memory-graph.js";
import { type GraphChange, compareAge } from "../graph/memory-node.js";
import { type Mark, type Place, type Statement, isFact } from "../graph/statement.js";
import { cosine } from "../graph/vectors/quantized-vector.js";
import { assistant, embeddedText } from "../reader/cut.js";
import { type ReadInteraction, isTold } from "../reader/read.js";
import { splitTerms } from "../text/words.js";

export interface HeldBack {
  /** What is meant in other memories and, by its own id, in this one. */
  readonly places: readonly Place[];
  /** Marks of the new memory's own statements. */
  readonly own: readonly Mark[];
  /** Whether the interaction says nothing else, so that it becomes no memory. */
  readonly isAll: boolean;
}

const nothing: HeldBack = { places: [], own: [], isAll: false };

/** Statements that are looked at, and from which closeness on they are meant where they do not share the topic's words. */
const nearestCount = 16;
const closenessMin = 0.5;

/** What the interaction asks to be forgotten; nothing if it asks for nothing. */
export async function findMeant(read: ReadInteraction, state: PersonState): Promise<HeldBack> {
  const { forgetWishes, statements, interaction } = read;
  if (forgetWishes.length === 0 || interaction.kept || interaction.restored) return nothing;
  const wishes = new Set(forgetWishes.map(({ position }) => position));
  const own = new Set(wishes);
  const places: Place[] = [];
  for (const { topic, position } of forgetWishes) {
    if (topic !== null) {
      const about = await findAbout(topic, read, wishes, state);
      for (const place of about) if (place.memory === interaction.id) own.add(place.position);
      places.push(...about.filter(({ memory }) => memory !== interaction.id));
    } else {
      const earlier = statements.flatMap((each, i) => (i < position && isTold(each) && !wishes.has(i) ? [i] : []));
      const last = earlier.filter((each) => statements[each]!.turn === statements[earlier.at(-1)!]!.turn);
      for (const each of last) own.add(each);
      if (last.length === 0) places.push(...lastSaid(read, state.graph));
    }
  }
  const others = statements.flatMap((statement, position) =>
    isTold(statement) && !own.has(position) ? [statement] : [],
  );
  // Where nobody read them, other words may be facts.
  const isAll = !others.some((statement) => statement.reading === null || isFact(statement));
  const marks = [...own].map((position): Mark => ({ position, kind: "held", area: null }));
  const told = [...own].filter((position) => !wishes.has(position));
  const ownPlaces = isAll
    ? told.length > 0
      ? [{ memory: interaction.id, position: null }]
      : []
    : told.map((position) => ({ memory: interaction.id, position }));
  return { places: [...places, ...ownPlaces], own: isAll ? [] : marks, isAll };
}

/** The marks that hold back what is meant in memories that are there. */
export function holdMarks({ places }: HeldBack, graph: MemoryGraph): GraphChange["setMarks"] {
  const marks = new Map<string, readonly Mark[]>();
  for (const { memory, position } of places) {
    const node = graph.node(memory);
    if (node === undefined) continue;
    marks.set(memory, withMark(marks.get(memory) ?? node.marks, { position, kind: "held", area: null }));
  }
  return [...marks].map(([id, each]) => ({ id, marks: each }));
}

interface Candidate {
  readonly place: Place & { readonly position: number };
  readonly text: string;
  readonly closeness: number;
  readonly isNamed: boolean;
}

/** Statements about a topic, here and in memories: they share its words, or come close. */
async function findAbout(
  topic: string,
  { statements, statementVectors, interaction }: ReadInteraction,
  wishes: ReadonlySet<number>,
  { graph, context }: PersonState,
): Promise<Candidate["place"][]> {
  const [vector] = await context.embedding.embed([topic], "commitment");
  const terms = new Set(splitTerms(topic));
  const found: Candidate[] = [];
  const consider = (memory: string, position: number, statement: Statement, closeness: number): void => {
    const own = new Set(splitTerms(embeddedText(statement)));
    const isNamed = terms.size > 0 && [...terms].every((term) => own.has(term));
    if (!isNamed && closeness < closenessMin) return;
    found.push({ place: { memory, position }, text: embeddedText(statement), closeness, isNamed });
  };
  function* considerSteps(): Generator<void, void> {
    const { vectors, slots } = graph.statements;
    const cosines = new Float64Array(vectors.rowCount);
    vectors.cosines(vector!, cosines);
    yield;
    for (let row = 0; row < vectors.rowCount; row++) {
      if (slots[row]! < 0) continue;
      const node = graph.nodeAt(slots[row]!);
      const position = graph.statements.positionOf(row);
      const statement = node.statements[position]!;
      if (statement.who !== assistant && !isSilent(node, position))
        consider(node.id, position, statement, cosines[row]!);
      if (row % 500 === 499) yield;
    }
  }
  await runInSlices(considerSteps());
  for (const [position, statement] of statements.entries()) {
    if (!isTold(statement) || wishes.has(position)) continue;
    consider(interaction.id, position, statement, cosine(vector!, statementVectors[position]!));
  }
  found.sort((x, y) => Number(y.isNamed) - Number(x.isNamed) || y.closeness - x.closeness);
  const named = found.filter(({ isNamed }) => isNamed);
  const others = found.filter(({ isNamed }) => !isNamed).slice(0, nearestCount);
  return [...named, ...others].map(({ place }) => place);
}

/** Of the newest memory, what was said last: "forget that I said that". */
function lastSaid({ interaction }: ReadInteraction, graph: MemoryGraph): Place[] {
  const older = [...graph.nodes()].filter((node) => compareAge(node, interaction) < 0);
  const last = older.toSorted(compareAge).at(-1);
  if (last === undefined) return [];
  const told = last.statements.flatMap((statement, position) => (isTold(statement) ? [position] : []));
  if (told.length === 0) return [{ memory: last.id, position: null }];
  const turn = last.statements[told.at(-1)!]!.turn;
  return told
    .filter((position) => last.statements[position]!.turn === turn)
    .map((position) => ({ memory: last.id, position }));
}
