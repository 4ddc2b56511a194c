/** Everything about a person at one moment, even while other processes write. */
import type { Edge, EmbeddedNode } from "../../core/graph/memory-node.js";
import { StaleRevisionError, StoreError } from "../../errors.js";
import {
  type OpenedRecord,
  damagedPart,
  embeddedOf,
  goneLayout,
  takeCore,
  takeLinks,
} from "../records/graph-loading.js";
import type { LoadedCore } from "../records/graph-loading.js";
import { unpackEntry } from "../records/interaction-record.js";
import { kinds, nameOfKind } from "../records/kinds.js";
import type { LinksRecord } from "../records/links-record.js";
import type { AcceptedEntry, CoreSummary } from "../records/person-data.js";
import type { DamagedPart, Records } from "../records/records.js";

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
      return await readOnce(person, records, onDamage);
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
  onDamage: (damage: DamagedPart) => void,
): Promise<PersonMoment> {
  const snapshot = await records.read(person);
  const core: LoadedCore = {};
  const links = new Map<string, LinksRecord>();
  // A record that changed while the pages were read comes again, in its old place.
  const [entries, contents, tokens] = [1, 2, 3].map(() => new Map<string, OpenedRecord>()) as [Found, Found, Found];
  for await (const page of snapshot.pages) {
    page.damage.forEach(onDamage);
    for (const record of page.records) {
      if (takeCore(record, core)) continue;
      if (record.kind === kinds.links) takeLinks(record, links);
      if (record.kind === kinds.interaction) entries.set(record.id, record);
      if (record.kind === kinds.memory) contents.set(record.id, record);
      if (record.kind === kinds.tokens) tokens.set(record.id, record);
    }
  }
  const nodes: EmbeddedNode[] = [];
  for (const content of contents.values()) {
    if (content.layout === goneLayout) continue;
    const own = links.get(content.id);
    if (own === undefined) {
      onDamage({ person, id: content.id, part: `${nameOfKind(kinds.links)} are missing` });
      continue;
    }
    const words = tokens.get(content.id);
    const tokenBytes = words === undefined || words.bytes.byteLength === 0 ? null : words.bytes;
    nodes.push({ ...embeddedOf(content, own), tokenBytes });
  }
  const ids = new Set(nodes.map(({ node }) => node.id));
  const edges = [...links.values()].flatMap((own) => own.edges);
  for (const { a, b } of edges) {
    const missing = [a, b].find((id) => !ids.has(id));
    if (missing !== undefined) onDamage({ person, id: missing, part: `${nameOfKind(kinds.memory)} is missing` });
  }
  return {
    revision: snapshot.revision,
    entries: [...entries].map(([id, record]) => unpackEntry(id, record)),
    nodes,
    edges: edges.filter(({ a, b }) => ids.has(a) && ids.has(b)),
    coreSummary: core.coreSummary ?? null,
    commitsSinceCoreSummary: core.commitsSinceCoreSummary ?? 0,
  };
}

type Found = Map<string, OpenedRecord>;

function refuse({ person, id, part }: DamagedPart): never {
  throw damagedPart(person ?? "", id, part);
}
