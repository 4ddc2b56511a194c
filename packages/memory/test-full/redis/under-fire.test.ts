/**
 * The trial under fire: four processes submit interactions for the same persons in a Redis Cluster with `waitReplicas=1`.
 * Two of them are killed in the middle and started again, and a master is killed, so that its replica takes over. In the
 * end every acknowledged interaction is there once, nothing waits, and everybody's memory is, to the last byte of an export,
 * what one process makes of the same history.
 */
import type { Mnemosyne } from "mnemosyne-edge";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Child, startChild } from "../../test/durability/child-process.js";
import { exportLines } from "../../test/durability/export-lines.js";
import { openMemories } from "../../test/durability/opened-memories.js";
import { RedisCluster, eventually, hasRedis } from "../../test/stores/redis-server.mjs";
import { type Task, inputOf, makeTasks } from "../../test/stores/under-fire-tasks.mjs";

const interactionCount = 2_000;
const personCount = 20;
const processCount = 4;
/** It takes a minute; this is for a machine that has much else to do. */
const timeoutMs = 1_200_000;
const parameters = {
  queueLeaseSeconds: 3,
  personsInMemoryMax: Math.ceil(personCount / 3),
  coreSummaryIntervalCommits: 7,
  memoryCountMax: 60,
};

/** A process with its tasks, started again after it was killed with those that it has not said to be acknowledged. */
class Worker {
  readonly tasks: readonly Task[];
  readonly #path: string;
  readonly #children: Child[] = [];

  constructor(tasks: readonly Task[], path: string) {
    this.tasks = tasks;
    this.#path = path;
    this.start();
  }

  get acknowledged(): string[] {
    return this.#children.flatMap((child) => child.said("acknowledged"));
  }

  start(): void {
    const known = new Set(this.acknowledged);
    const tasks = this.tasks.filter(({ id }) => !known.has(id));
    this.#children.push(
      startChild("../stores/under-fire-child.mjs", { path: this.#path, parameters, tasks, lanes: 3 }),
    );
  }

  async kill(): Promise<void> {
    await this.#children.at(-1)!.kill();
  }

  async until(share: number): Promise<void> {
    await this.#children.at(-1)!.until(() => this.acknowledged.length >= share * this.tasks.length);
  }

  async finished(): Promise<void> {
    await this.#children.at(-1)!.succeeded();
  }
}

/** What one process makes of a person's history, in the order of that history. */
async function replay(history: readonly Task[]): Promise<string[]> {
  const memories = await openMemories({ path: ":memory:", parameters });
  const memory = memories.person(history[0]!.person);
  for (const task of history) await memory.commit(inputOf(task));
  await memory.settled();
  const lines = await exportLines(memory);
  await memories.close();
  return lines;
}

async function expectWhole(memories: Mnemosyne, tasks: readonly Task[]): Promise<void> {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  for (const name of await memories.persons()) {
    const memory = memories.person(name);
    const history = await memory.history();
    const expected = tasks.filter(({ person }) => person === name).map(({ id }) => id);
    expect(history.map(({ id }) => id).sort()).toEqual(expected.sort());
    expect(history.filter(({ outcome }) => outcome === "queued")).toEqual([]);
    expect(await memory.check()).toEqual([]);
    expect(await exportLines(memory)).toEqual(await replay(history.map(({ id }) => byId.get(id)!)));
  }
}

describe.runIf(hasRedis)("under fire", () => {
  let cluster: RedisCluster;
  beforeAll(async () => {
    cluster = await RedisCluster.start();
  });
  afterAll(() => cluster?.stop());

  test(
    "four processes, two of them killed, and a master that dies: each acknowledged interaction takes effect once",
    async () => {
      const lists = makeTasks({ interactionCount, personCount, processCount, seed: "under fire" });
      const path = `${cluster.url}?prefix=fire:&waitReplicas=1`;
      const workers = lists.map((tasks) => new Worker(tasks, path));
      const [first, second] = workers as [Worker, Worker];

      await first.until(0.3);
      await first.kill();
      expect(first.acknowledged.length).toBeLessThan(first.tasks.length);
      first.start();

      await second.until(0.4);
      await cluster.masters[1]!.kill();
      await second.kill();
      expect(second.acknowledged.length).toBeLessThan(second.tasks.length);
      second.start();
      await eventually("new master", async () =>
        String(await cluster.replicas[1]!.command("INFO", "replication")).includes("role:master"),
      );
      // As its replica: without one nothing would be acknowledged there.
      await cluster.masters[1]!.start();
      await Promise.all(workers.map((worker) => worker.finished()));

      const tasks = lists.flat();
      const acknowledged = workers.flatMap((worker) => worker.acknowledged);
      expect(acknowledged.toSorted()).toEqual(tasks.map(({ id }) => id).sort());
      const memories = await openMemories({ path, parameters: { ...parameters, personsInMemoryMax: personCount } });
      await memories.settled();
      expect(await memories.persons()).toEqual([...new Set(tasks.map(({ person }) => person))].sort());
      await expectWhole(memories, tasks);
    },
    timeoutMs,
  );
});
