/** The kinds of records, and how damage names them. */
export const kinds = {
  /** An interaction and what became of it: the queue and the history. */
  interaction: "interaction",
  /** Pair, updates, pin, metadata and edges of a memory. */
  links: "links",
  /** What a memory says, and its vectors. */
  memory: "memory",
  /** Vectors of a memory's words: large, and read for a few memories at a time. */
  tokens: "tokens",
  core: "core",
  /** How many commits there were since the core summary was written. */
  commits: "commits",
  /** Everybody's: which format and key, whose vectors, and bytes that are costly to compute. */
  format: "format",
  embedder: "embedder",
  cache: "cache",
} as const;

/** The form of every payload so far; kept with each record, so that any of them can change alone. */
export const layout = 1;

/** Of a record in place of a memory that is no longer one. */
export const goneLayout = 0;

/** Of which the graph in memory is made. */
export const graphKinds: readonly string[] = [kinds.links, kinds.memory, kinds.core, kinds.commits];

const names: Readonly<Record<string, string>> = {
  [kinds.interaction]: "the interaction",
  [kinds.links]: "the memory's record of links",
  [kinds.memory]: "the memory",
  [kinds.tokens]: "the memory's record of words",
  [kinds.core]: "the core summary",
  [kinds.commits]: "the number of commits since the core summary",
  [kinds.format]: "the format",
  [kinds.embedder]: "the name of the embedder",
  [kinds.cache]: "a cached vector",
};

export function nameOfKind(kind: string): string {
  return names[kind] ?? `the record "${kind}"`;
}
