/**
 * The payload of an interaction: three lines, of which JSON never has a break: the interaction without its id, what became
 * of it, and why. The last two change while the first stays.
 */
import type { Payload } from "../../stores/codec.js";
import { layout } from "./kinds.js";
import type {
  AcceptedEntry,
  Interaction,
  InteractionVersion,
  Metadata,
  Outcome,
  StoredTrace,
  Turn,
} from "./person-data.js";

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

export function packEntry({ interaction, outcome, trace }: AcceptedEntry): Payload {
  const { initMs, acceptedMs, turns, summary, state, restored, kept, updates, metadata, expiresMs, versions } =
    interaction;
  const said = [initMs, acceptedMs, turns, summary, state] as const;
  const packed: Packed = [...said, restored, kept, updates, metadata, expiresMs, versions];
  return { layout, bytes: Buffer.from([JSON.stringify(packed), outcome, trace ?? ""].join("\n")) };
}

export function unpackEntry(id: string, payload: Payload): AcceptedEntry {
  const [json, outcome, trace] = linesOf(payload);
  const [initMs, acceptedMs, turns, summary, state, ...wishes] = JSON.parse(json) as Packed;
  const [restored, kept, updates, metadata, expiresMs, versions] = wishes;
  const said = { id, initMs, acceptedMs, turns, summary, state };
  const interaction: Interaction = { ...said, restored, kept, updates, metadata, expiresMs, versions };
  return { interaction, outcome, trace: trace === "" ? null : trace };
}

/** Without reading what was said. */
export function unpackOutcome(id: string, payload: Payload): StoredTrace & Pick<AcceptedEntry, "outcome"> {
  const [, outcome, trace] = linesOf(payload);
  return { id, outcome, trace: trace === "" ? null : trace };
}

function linesOf({ bytes }: Payload): [json: string, outcome: Outcome, trace: string] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  return text.split("\n") as [string, Outcome, string];
}
