/** Everything about a person at one moment, even while other processes write. */
import type { Edge, EmbeddedNode } from "../../graph/memory-node.js";
import { StaleRevisionError, StoreError } from "../../errors.js";
import { type LoadedCore, damagedPart, embeddedOf, takeCore, takeLinks } from "../../engine/records/graph-loading.js";
import { unpackEntry } from "../../engine/records/interaction-record.js";
import { goneLayout, kinds, nameOfKind } from "../../engine/records/kinds.js";
import type { LinksRecord } from "../../engine/records/links-record.js";
import { type AcceptedEntry, type CoreSummary, isMemory } from "../../engine/records/person-data.js";
import type { DamagedPart, EngineRecord } from "../../engine/records/opened-store.js";
import { type Records, isOnItsLists } from "../../engine/records/records.js";

export interface PersonMoment {
  readonly revision: number;
  readonly entries: readonly AcceptedEntry[];
  /** With their token vectors. */
  readonly nodes: readonly EmbeddedNode[];
  readonly edges: readonly Edge[];
  readonly coreSummary: CoreSummary | null;
  readonly commitsSinceCoreSummary: number;
}

const triesMax = 50;

/** Refuses what is damaged unless `onDamage` takes it. */
export async function readMoment(
  person: string,
  records: Records,
  onDamage: (damage: DamagedPart) => void = refuse,
): Promise<PersonMoment> {
  for (let tries = 1; ; tries++) {
    try {
      const { damage, ...moment } = await readOnce(person, records);
      damage.forEach(onDamage);
      return moment;
    } catch (error) {
      if (!(error instanceof StaleRevisionError)) throw error;
      if (tries < triesMax) continue;
      throw new StoreError("store_busy", `"${person}" changes too often to be read whole now; try again`);
    }
  }
}

async function readOnce(
  person: string,
  records: Records,
): Promise<PersonMoment & { readonly damage: readonly DamagedPart[] }> {
  const snapshot = await records.read(person);
  const damage: DamagedPart[] = [];
  const core: LoadedCore = {};
  const links = new Map<string, LinksRecord>();
  // A record that changed while the pages were read comes again, in its old place.
  const [interactions, contents, tokens] = [1, 2, 3].map(() => new Map<string, EngineRecord>()) as [
    Found,
    Found,
    Found,
  ];
  for await (const page of snapshot.pages) {
    damage.push(...page.damage);
    for (const record of page.records) {
      if (takeCore(record, core)) continue;
      if (record.kind === kinds.links) takeLinks(record, links);
      if (record.kind === kinds.interaction) interactions.set(record.id, record);
      if (record.kind === kinds.memory) contents.set(record.id, record);
      if (record.kind === kinds.tokens) tokens.set(record.id, record);
    }
  }
  const named = new Set(damage.map(({ id }) => id));
  /** Once for each id: a record that is damaged is also missing. */
  const miss = (id: string, part: string): void => {
    if (!named.has(id)) damage.push({ person, id, part });
    named.add(id);
  };
  const nodes: EmbeddedNode[] = [];
  for (const content of contents.values()) {
    const { id, layout } = content;
    if (layout === goneLayout) continue;
    if (!interactions.has(id)) miss(id, `${nameOfKind(kinds.interaction)} is missing`);
    const own = links.get(id);
    if (own === undefined) miss(id, `${nameOfKind(kinds.links)} is missing`);
    else nodes.push({ ...embeddedOf(content, own), tokenBytes: tokenBytesOf(tokens.get(id)) });
  }
  const ids = new Set(nodes.map(({ node }) => node.id));
  const edges = [...links.values()].flatMap((own) => own.edges);
  const missingMemory = `${nameOfKind(kinds.memory)} is missing`;
  for (const id of edges.flatMap(({ a, b }) => [a, b])) if (!ids.has(id)) miss(id, missingMemory);
  const entries: AcceptedEntry[] = [];
  for (const record of interactions.values()) {
    const entry = unpackEntry(record.id, record);
    if (isMemory(entry) && !ids.has(record.id)) miss(record.id, missingMemory);
    if (!isOnItsLists(entry, record)) miss(record.id, `${nameOfKind(kinds.interaction)} is not on its lists`);
    entries.push(entry);
  }
  return {
    damage,
    revision: snapshot.revision,
    entries,
    nodes,
    edges: edges.filter(({ a, b }) => ids.has(a) && ids.has(b)),
    coreSummary: core.coreSummary ?? null,
    commitsSinceCoreSummary: core.commitsSinceCoreSummary ?? 0,
  };
}

type Found = Map<string, EngineRecord>;

/** Null where there are none, or none any more. */
function tokenBytesOf(tokens: EngineRecord | undefined): Uint8Array | null {
  return tokens === undefined || tokens.bytes.byteLength === 0 ? null : tokens.bytes;
}

function refuse({ person, id, part }: DamagedPart): never {
  throw damagedPart(person ?? "", id, part);
}
