/**
 * Idempotency-Key: a write that is sent again is done once, also after a restart or a crash. Three things see to that. The
 * answer to a key is kept for a day and given again. An interaction that is submitted without an id gets one made from the
 * key. And a write whose repetition would do more than itself is noted before it is done, so that one which a process began
 * before it died can be told from one that was never done (again.ts).
 *
 * What is kept is sealed with the caller's own key, and bound to who called, what was called, and what was said.
 */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";
import { RequestError, problemOf } from "../problem.js";
import type { AnswerJournal } from "../server-context.js";
import type { Answer, Note } from "./route.js";

const keyLengthMax = 255;
const nonceBytes = 12;
const proofBytes = 16;

export function readIdempotencyKey(header: string | undefined): string | null {
  if (header === undefined) return null;
  if (header.trim() !== "" && header.length <= keyLengthMax) return header;
  throw new RequestError("request_invalid", `Idempotency-Key must have 1 to ${keyLengthMax} characters`);
}

/** The same for the same key; ids are a person's own, so that keys of others do not matter. */
export function deriveId(key: string): string {
  return `key-${createHash("sha256").update(key).digest("base64url").slice(0, 22)}`;
}

/** A write that may have been sent before. */
export interface Repeatable {
  readonly key: string;
  /** The id of the API key; empty where none are asked for. */
  readonly caller: string;
  /** The method and the address. */
  readonly place: string;
  readonly said: Said;
  /** What must be known before it is done; null if it may simply be done again. */
  readonly note: () => Promise<Note | null>;
  /** The answer, if it was done since that note was made. */
  readonly wasDone: (note: Note) => Promise<Answer | null>;
  readonly work: () => Promise<Answer>;
}

interface Kept {
  readonly fingerprint: string;
  readonly note?: Note;
  readonly answer?: Answer;
}

export class KeptAnswers {
  readonly #journal: AnswerJournal;
  readonly #running = new Map<string, { readonly said: Said; readonly answer: Promise<Answer> }>();

  constructor(journal: AnswerJournal) {
    this.#journal = journal;
  }

  /** Does the work, or gives the answer to the same request again; one that failed is done again. */
  async answer(write: Repeatable): Promise<Answer> {
    const { caller, place, key } = write;
    const name = createHash("sha256").update(`${caller} ${place}\n${key}`).digest("base64url");
    const running = this.#running.get(name);
    if (running !== undefined) return answerOfRunning(running, write.said);
    const answer = this.#answer(name, write).finally(() => this.#running.delete(name));
    this.#running.set(name, { said: write.said, answer });
    return answer;
  }

  async #answer(name: string, write: Repeatable): Promise<Answer> {
    const seal = new Seal(write.key, name);
    const entry = this.#journal.find(name);
    const kept = entry === undefined ? null : (seal.open(entry.box) as Kept);
    if (kept !== null) checkSame(kept.fingerprint, await write.said.fingerprint());
    if (kept?.answer !== undefined) return kept.answer;
    const done = kept?.note === undefined ? null : await write.wasDone(kept.note).catch(() => null);
    const answer = done ?? (await this.#do(name, write, seal, kept?.note));
    this.#journal.keep(name, seal.close({ fingerprint: await write.said.fingerprint(), answer }), ownerOf(write));
    return answer;
  }

  async #do(name: string, write: Repeatable, seal: Seal, noted: Note | undefined): Promise<Answer> {
    // What cannot be noted is refused below, or may be damaged: that must not keep anybody from forgetting it.
    const note = noted ?? (await write.note().catch(() => null));
    if (note !== null && noted === undefined) {
      const box = seal.close({ fingerprint: await write.said.fingerprint(), note });
      await this.#journal.begin(name, box, ownerOf(write));
    }
    try {
      return await write.work();
    } catch (error) {
      // What was refused was not done; of a store that fails nobody knows, until it is asked again.
      if (note !== null && problemOf(error).status < 500) this.#journal.drop(name, ownerOf(write));
      throw error;
    }
  }
}

/** Says which answers have the same caller, not who that is. */
function ownerOf({ caller }: Repeatable): string {
  return createHash("sha256").update(`mnemosyne answers of ${caller}`).digest("base64url").slice(0, 16);
}

async function answerOfRunning(running: { said: Said; answer: Promise<Answer> }, said: Said): Promise<Answer> {
  // What is read as it comes is known when it has been read.
  if (running.said.isStreamed) await running.answer;
  checkSame(await running.said.fingerprint(), await said.fingerprint());
  return running.answer;
}

function checkSame(before: string, now: string): void {
  if (before === now) return;
  const detail = "this Idempotency-Key was sent with another body or query; use another key";
  throw new RequestError("idempotency_key_reused", detail);
}

/** Query and body of a request, as a fingerprint. A body that is a stream is counted in as it is read. */
export class Said {
  readonly isStreamed: boolean;
  readonly #hash = createHash("sha256");
  readonly #stream: AsyncIterable<Uint8Array> | null;
  #fingerprint: string | null = null;
  #reading: AsyncIterator<Uint8Array> | null = null;

  constructor(query: string, body: Uint8Array | null | AsyncIterable<Uint8Array>) {
    this.#hash.update(query).update("\n");
    this.isStreamed = body !== null && !(body instanceof Uint8Array);
    this.#stream = this.isStreamed ? (body as AsyncIterable<Uint8Array>) : null;
    if (body instanceof Uint8Array) this.#hash.update(body);
  }

  /** The body, once. */
  async *stream(): AsyncGenerator<Uint8Array, void, undefined> {
    this.#reading ??= this.#stream![Symbol.asyncIterator]();
    for (let next = await this.#reading.next(); next.done !== true; next = await this.#reading.next()) {
      this.#hash.update(next.value);
      yield next.value;
    }
  }

  /** Reads what has not been read. */
  async fingerprint(): Promise<string> {
    if (this.#fingerprint === null && this.isStreamed) for await (const _ of this.stream());
    return (this.#fingerprint ??= this.#hash.digest("base64url"));
  }
}

/** AES-256-GCM under a key that is made from the caller's: who reads the journal without it learns nothing. */
class Seal {
  readonly #secret: Uint8Array;

  constructor(key: string, name: string) {
    this.#secret = new Uint8Array(hkdfSync("sha256", key, "", `mnemosyne answer ${name}`, 32));
  }

  close(content: Kept): string {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv("aes-256-gcm", this.#secret, nonce);
    const sealed = [cipher.update(JSON.stringify(content), "utf8"), cipher.final()];
    return Buffer.concat([nonce, ...sealed, cipher.getAuthTag()]).toString("base64");
  }

  open(box: string): Kept | null {
    const bytes = Buffer.from(box, "base64");
    try {
      const decipher = createDecipheriv("aes-256-gcm", this.#secret, bytes.subarray(0, nonceBytes));
      decipher.setAuthTag(bytes.subarray(-proofBytes));
      const content = [decipher.update(bytes.subarray(nonceBytes, -proofBytes)), decipher.final()];
      return JSON.parse(Buffer.concat(content).toString("utf8")) as Kept;
    } catch {
      // A line that was damaged is no line.
      return null;
    }
  }
}
