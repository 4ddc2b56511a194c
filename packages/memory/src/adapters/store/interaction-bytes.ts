/** An interaction as the stores with bytes keep it, without its id, its outcome and its trace. */
import type { Interaction, InteractionVersion, Metadata, Turn } from "../../ports/store.js";

/** A list: names would take a tenth of the room. */
type Packed = readonly [
  initMs: number,
  acceptedMs: number,
  turns: readonly Turn[],
  summary: string | null,
  state: string | null,
  restored: boolean,
  kept: boolean,
  updates: readonly string[],
  metadata: Metadata,
  expiresMs: number | null,
  versions: readonly InteractionVersion[],
];

export function packInteraction(interaction: Interaction): Buffer {
  const { initMs, acceptedMs, turns, summary, state, restored, kept, updates, metadata, expiresMs, versions } =
    interaction;
  const said = [initMs, acceptedMs, turns, summary, state] as const;
  const packed: Packed = [...said, restored, kept, updates, metadata, expiresMs, versions];
  return Buffer.from(JSON.stringify(packed));
}

/** Of bytes that were compared with their checksum, so they are what was written. */
export function unpackInteraction(id: string, { buffer, byteOffset, byteLength }: Uint8Array): Interaction {
  const json = Buffer.from(buffer, byteOffset, byteLength).toString("utf8");
  const [initMs, acceptedMs, turns, summary, state, ...wishes] = JSON.parse(json) as Packed;
  const [restored, kept, updates, metadata, expiresMs, versions] = wishes;
  const said = { id, initMs, acceptedMs, turns, summary, state };
  return { ...said, restored, kept, updates, metadata, expiresMs, versions };
}
