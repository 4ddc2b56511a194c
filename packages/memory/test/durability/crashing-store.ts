import { MemoryStore } from "mnemosyne-edge/store/memory";
import type { DuePerson, DueList, DueSelection, ReadSelection, RecordChange, RecordSnapshot } from "mnemosyne-edge";

export type Moment = "before" | "after";

/** What is kept outlives a crash: the n-th write is lost, or was just done, and then nothing answers until a restart. */
export class CrashingStore extends MemoryStore {
  writeCount = 0;
  lastWrite = "";
  #crash: { readonly at: number; readonly moment: Moment } | null = null;
  #hasCrashed = false;

  /** Counts from 1, from now on. */
  crashAt(at: number, moment: Moment): void {
    this.writeCount = 0;
    this.#crash = { at, moment };
  }

  restart(): void {
    this.#crash = null;
    this.#hasCrashed = false;
  }

  override async write(person: string, base: number | null, change: RecordChange): Promise<number> {
    const { put = [], delete: gone = [] } = change;
    const what = [...put.map(({ kind }) => `put ${kind}`), ...gone.map(({ kind }) => `delete ${kind}`)];
    return this.#count([...new Set(what)].join(", "), () => super.write(person, base as number, change));
  }

  override async erase(person: string): Promise<number> {
    return this.#count("erase", () => super.erase(person));
  }

  override async read(person: string, selection?: ReadSelection): Promise<RecordSnapshot> {
    this.#checkAlive();
    return super.read(person, selection);
  }

  override async due(list: DueList, selection: DueSelection): Promise<DuePerson[]> {
    this.#checkAlive();
    return super.due(list, selection);
  }

  /** Nobody waits for a process that has crashed. */
  override async lease(): Promise<boolean> {
    this.#checkAlive();
    return true;
  }

  /** What was kept stays. */
  override async close(): Promise<void> {}

  async #count<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
    this.#checkAlive();
    this.writeCount++;
    this.lastWrite = what;
    if (this.writeCount !== this.#crash?.at) return work();
    this.#hasCrashed = true;
    if (this.#crash.moment === "after") await work();
    throw new Error("crashed");
  }

  #checkAlive(): void {
    if (this.#hasCrashed) throw new Error("crashed");
  }
}
