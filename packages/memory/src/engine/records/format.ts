/** Whether a store has our format, and was written with this key: said when it is opened, before anything is read. */
import { StoreError } from "../../errors.js";
import { type Codec, type Payload, isSealed, unreadableFormat } from "../../stores/codec.js";
import type { Store } from "../../stores/store.js";
import { kinds, layout } from "./kinds.js";

/** Of the kinds and layouts in this folder. */
export const formatVersion = 2;

const nobody = "";

/** Notes the format in a new store. One that lost the note is opened with the key that reads what is there. */
export async function checkFormat(store: Store, codec: Codec): Promise<void> {
  if (await checkRecord(nobody, store, codec)) return;
  const [person] = await store.persons({ limit: 1 });
  if (person !== undefined) await checkRecord(person, store, codec);
  const key = { kind: kinds.format, id: "" };
  const bytes = codec.encode(nobody, key, { layout, bytes: Buffer.from(JSON.stringify(formatVersion)) });
  await store.write(nobody, null, { put: [{ ...key, bytes, was: 0 }] });
}

/** The note itself, or the first record of a person; false if there is none. */
async function checkRecord(person: string, store: Store, codec: Codec): Promise<boolean> {
  const selection = person === nobody ? { kinds: [kinds.format] } : { limit: 1 };
  for await (const { records } of (await store.read(person, selection)).pages) {
    for (const { kind, id: text, bytes } of records) {
      const name = codec.toName(person);
      const id = name === null ? null : codec.toName(text, name);
      const open = () => (name === null || id === null ? null : codec.decode(name, { kind, id }, bytes));
      const refusal = refusalOf(bytes, kind, open, codec);
      if (refusal === null) return true;
      const { location } = await store.describe();
      throw refusal(location);
    }
  }
  return false;
}

type Refusal = (location: string) => StoreError;

function refusalOf(frame: Uint8Array, kind: string, open: () => Payload | null, codec: Codec): Refusal | null {
  const sealed = isSealed(frame);
  if (sealed === null) return (location) => unreadableFormat(location, frame[0]);
  const opened = sealed === codec.isEncrypting ? open() : null;
  if (opened !== null) {
    const version = kind === kinds.format ? readVersion(opened) : formatVersion;
    return version === formatVersion ? null : (location) => unreadableFormat(location, version);
  }
  if (!sealed && !codec.isEncrypting) {
    return (location) => new StoreError("store_damaged", `open ${location}: the format is damaged; restore a backup`);
  }
  const reason = !sealed
    ? "it is not encrypted; open it without a key"
    : codec.isEncrypting
      ? "the encryption key is not the one it was written with"
      : "it is encrypted; open it with its encryption key";
  return (location) => new StoreError("store_not_ours", `open ${location}: ${reason}`);
}

function readVersion(payload: Payload): unknown {
  return payload.layout > layout ? `above ${formatVersion}` : JSON.parse(Buffer.from(payload.bytes).toString());
}
