/** One person in memory and others who write at the same time: what is computed again, how often, and what is taken over. */
import { describe, expect, it } from "vitest";
import { type RecordChange, StaleRevisionError } from "mnemosyne-edge";
import { MemoryStore } from "mnemosyne-edge/store/memory";
import { noChange } from "../../src/graph/memory-node.js";
import type { EngineContext } from "../../src/engine/engine-context.js";
import { MemoryEmitter } from "../../src/engine/memory-events.js";
import { PersonState } from "../../src/engine/person-state.js";
import { type Preset, parseParameters } from "../../src/parameters.js";
import { bareInteraction } from "./bare-interaction.js";
import { embed } from "../graph/graph-fixtures.js";
import { WatchedStore, recordsOf } from "./records/opened-records.js";

const interaction = { ...bareInteraction, summary: "The knee is better." };
const nothing = { change: noChange, outcomes: [], forgetInteractions: [] };

async function stateOver(store: MemoryStore, dimensions = 8, preset: Preset = "default"): Promise<PersonState> {
  const records = await recordsOf(store);
  const embedding = { identity: { name: "sketch", dimensions } };
  const events = new MemoryEmitter(() => {});
  const context = { records, embedding, events, parameters: parseParameters({}, preset) };
  return new PersonState("ada", context as unknown as EngineContext);
}

/** Refuses the first batches as stale, whoever wrote in between. */
class BusyStore extends WatchedStore {
  refusals = 0;
  readonly tries: [kind: "disturb" | "try", base: number][] = [];

  override async beforeWrite(person: string, { put = [] }: RecordChange, base: number | null): Promise<void> {
    if (base === null) return;
    this.tries.push([put.length === 0 ? "disturb" : "try", base]);
    if (put.length > 0 && this.refusals-- > 0) throw new StaleRevisionError(person, base, 99);
  }
}

async function knownIn<S extends MemoryStore>(store: S): Promise<S> {
  await (await recordsOf(store)).accept("ada", { id: "a", ...interaction }, "queued");
  return store;
}

describe("a batch that the store refuses as stale", () => {
  it("is computed again, in peace once, then with a disturbance before each try", async () => {
    const store = await knownIn(new BusyStore());
    store.refusals = 4;
    const state = await stateOver(store);
    let computed = 0;
    const result = await state.change(async () => {
      computed++;
      return { batch: { ...nothing, commitsSinceCoreSummary: 7 }, result: "done" };
    });
    expect([result, computed, state.commitsSinceCoreSummary]).toEqual(["done", 5, 7]);
    const kinds = store.tries.map(([kind]) => kind);
    expect(kinds).toEqual(["try", "try", "disturb", "try", "disturb", "try", "disturb", "try"]);
    expect(store.tries.map(([, base]) => base)).toEqual([1, 1, 1, 2, 2, 3, 3, 4]);
    expect(state.revision).toBe(5);
  });
});

describe("what another one wrote", () => {
  const coreSummary = { text: "- The knee.", updatedMs: 1, sourceIds: ["a"], trace: "{}", facts: "[]" };

  it("is taken over, whole at first and then by its difference, and counted", async () => {
    const store = await knownIn(new MemoryStore());
    const [here, there] = [await stateOver(store), await stateOver(store)];
    const put = (id: string, extra: object = {}): Promise<number> =>
      here.change(async () => ({
        batch: { ...nothing, change: { ...noChange, putNodes: [embed({ id })] }, ...extra },
        result: 1,
      }));
    await (await recordsOf(store)).accept("ada", { id: "b", ...interaction }, "queued");
    await put("a");
    await there.refresh();
    expect([...there.graph.nodes()].map(({ id }) => id)).toEqual(["a"]);
    expect(there.changesByOthers).toBe(1);
    await put("b", { coreSummary, commitsSinceCoreSummary: 3 });
    expect([here.coreSummary, here.commitsSinceCoreSummary]).toEqual([coreSummary, 3]);
    await there.refresh();
    expect([...there.graph.nodes()].map(({ id }) => id).toSorted()).toEqual(["a", "b"]);
    expect([there.coreSummary, there.commitsSinceCoreSummary, there.revision]).toEqual([coreSummary, 3, here.revision]);
    expect(there.changesByOthers).toBe(2);
    await there.refresh();
    expect(there.changesByOthers).toBe(2);
    // What is not named in a batch stays.
    await here.change(async () => ({ batch: nothing, result: 1 }));
    expect([here.coreSummary, here.commitsSinceCoreSummary]).toEqual([coreSummary, 3]);
    await here.change(async () => ({ batch: { ...nothing, coreSummary: null }, result: 1 }));
    expect(here.coreSummary).toBeNull();
  });

  it("with vectors of another length is refused with the command that mends it", async () => {
    const store = await knownIn(new MemoryStore());
    const state = await stateOver(store);
    await state.change(async () => ({
      batch: { ...nothing, change: { ...noChange, putNodes: [embed({ id: "a" })] } },
      result: 1,
    }));
    await expect((await stateOver(store, 4)).refresh()).rejects.toMatchObject({
      code: "embedder_mismatch",
      message: 'memory "a" has a vector of 8 dimensions, but the embedder returns 4; run `mnemosyne reembed`',
    });
  });
});

it("somebody erased is unknown, and what comes after is a new beginning", async () => {
  const store = await knownIn(new MemoryStore());
  const state = await stateOver(store);
  const coreSummary = { text: "- The knee.", updatedMs: 1, sourceIds: ["a"], trace: "{}", facts: "[]" };
  await state.change(async () => ({
    batch: {
      ...nothing,
      change: { ...noChange, putNodes: [embed({ id: "a" })] },
      coreSummary,
      commitsSinceCoreSummary: 3,
    },
    result: 1,
  }));
  await state.erase(async () => (await recordsOf(store)).erase("ada"));
  expect([state.graph.nodeCount, state.revision, state.coreSummary, state.commitsSinceCoreSummary]).toEqual([
    0,
    0,
    null,
    0,
  ]);
});
