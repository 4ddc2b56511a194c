/** Interactions with a time to be forgotten at: when it has come they go from the store, with all that was made from them. */
import type { Clock, LogEvent, MemoryEvents, Mnemosyne, MnemosyneOptions } from "mnemosyne-edge";
import { afterEach, describe, expect, it, vi } from "vitest";
import { openMemories } from "../durability/opened-memories.js";
import { ScratchFolder, databaseBytes } from "../durability/scratch-folder.js";
import { WatchedStore } from "../engine/records/opened-records.js";

const scratch = new ScratchFolder();
const startMs = Date.parse("2025-12-01T12:00:00Z");
const dayMs = 86_400_000;
/** The machine may be busy. */
const patienceMs = 30_000;

/** A clock that a test sets. */
class SetClock implements Clock {
  ms = startMs;
  nowMs(): number {
    return this.ms;
  }
}

type Forgotten = MemoryEvents["forgotten"];

function nextForgotten(mnemosyne: Mnemosyne): Promise<Forgotten> {
  return new Promise((resolve) => mnemosyne.on("forgotten", resolve));
}

const idsOf = async (mnemosyne: Mnemosyne, person = "ada"): Promise<string[]> =>
  (await mnemosyne.person(person).history()).map(({ id }) => id);

describe.each([
  ["memory", () => ":memory:"],
  ["SQLite", () => scratch.next()],
])("in a store in %s", (_name, path) => {
  it("what expires is forgotten soon after, told and logged without a word of it", async () => {
    const [clock, logged, at] = [new SetClock(), [] as LogEvent[], path()];
    const memories = await openMemories({ path: at, clock, log: (event) => logged.push(event) });
    const ada = memories.person("ada");
    await ada.commit({ id: "stays", summary: "Ada rows." });
    await ada.commit({ id: "later", summary: "Ada has a parrot.", expiresAt: startMs + dayMs });
    const expiresAt = startMs + 60;
    await ada.commit({ id: "goes", summary: "The code is qsecret.", expiresAt }, { wait: true });
    expect(await ada.get("goes")).toMatchObject({ expiresAt: new Date(expiresAt).toISOString() });
    const forgotten = nextForgotten(memories);
    clock.ms = expiresAt;
    expect(await forgotten).toEqual({ person: "ada", ids: ["goes"], reason: "expired" });
    expect(await idsOf(memories)).toEqual(["stays", "later"]);
    await vi.waitFor(() => expect(logged.map(({ level }) => level)).toEqual(["info"]), patienceMs);
    expect(logged).toEqual([
      {
        level: "info",
        person: "ada",
        message: "forgotten because they expired (1 of the history, 1 memories): goes",
      },
    ]);
    if (at !== ":memory:") expect(databaseBytes(at).toString("latin1")).not.toContain("qsecret");
  });
});

it("what expired while nothing was open is forgotten when it is opened, of everybody", async () => {
  const [path, clock] = [scratch.next(), new SetClock()];
  const first = await openMemories({ path, clock });
  for (const person of ["ada", "bea"]) {
    await first.person(person).commit({ id: "goes", summary: "It rains.", expiresAt: startMs + dayMs }, { wait: true });
    await first.person(person).commit({ id: "stays", summary: "The sun shines." }, { wait: true });
  }
  const talk = await first.person("ada").conversation({ id: "talk", expiresAt: startMs + dayMs });
  await talk.add({ who: "user", text: "Well." });
  await first.close();
  clock.ms = startMs + 40 * dayMs;
  const second = await openMemories({ path, clock });
  await vi.waitFor(async () => {
    for (const person of ["ada", "bea"]) expect(await idsOf(second, person)).toEqual(["stays"]);
  }, patienceMs);
});

describe("the timer", () => {
  afterEach(() => vi.useRealTimers());

  /** Timers that a test moves, and how long each was asked to wait. */
  async function openWithTimers(options: MnemosyneOptions): Promise<{ delays: number[]; memories: Mnemosyne }> {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const delays: number[] = [];
    const set = globalThis.setTimeout;
    vi.spyOn(globalThis, "setTimeout").mockImplementation(((work: () => void, delayMs: number) => {
      delays.push(delayMs);
      return set(work, delayMs);
    }) as typeof setTimeout);
    return { delays, memories: await openMemories(options) };
  }

  it("never waits longer than timers can, however far away the time is", async () => {
    const { delays, memories } = await openWithTimers({ path: ":memory:", clock: new SetClock() });
    await memories.person("ada").commit({ summary: "Ada rows.", expiresAt: startMs + 90 * dayMs }, { wait: true });
    await vi.advanceTimersByTimeAsync(dayMs);
    expect(delays.length).toBeGreaterThan(100);
    expect(Math.max(...delays)).toBeLessThan(2 ** 31);
    await memories.close();
  });

  it("goes on after a store that fails, waits longer each time, and does not let one person hold up the others", async () => {
    const clock = new SetClock();
    const store = new WatchedStore();
    const logged: LogEvent[] = [];
    const { delays, memories } = await openWithTimers({ store, clock, log: (event) => logged.push(event) });
    for (const person of ["ada", "bea"]) {
      await memories.person(person).commit({ id: "a", summary: "It rains.", expiresAt: startMs + 60 }, { wait: true });
    }
    let isFailing = true;
    store.beforeWrite = async (person) => {
      if (isFailing && person === "ada") throw new Error("no");
    };
    clock.ms += dayMs;
    delays.length = 0;
    await vi.advanceTimersByTimeAsync(60);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await store.persons()).toEqual(["ada"]);
    expect(delays.slice(0, 4)).toEqual([1_000, 2_000, 4_000, 8_000]);
    expect(logged.find(({ level }) => level === "warn")).toMatchObject({
      person: "ada",
      message: "what has expired could not be forgotten; it is tried again",
    });
    isFailing = false;
    await vi.advanceTimersByTimeAsync(dayMs);
    expect(await store.persons()).toEqual([]);
    await memories.close();
  });
});
