/** Keys that Redis evicted, and values that were altered: named, never taken for less, and what is whole stays readable. */
import { MnemosyneError } from "mnemosyne-edge";
import { type RedisOptions, RedisStore } from "mnemosyne-edge/store/redis";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { readPages } from "../../src/ports/store.js";
import { openMemories } from "../durability/opened-memories.js";
import { RedisServer, hasRedis } from "./redis-server.mjs";
import { batch, interaction, memory, noChange } from "./scenes.js";

/** Alters the value of a field (or of a string) in the way that is asked for. */
const alter = `
local function altered(value)
  local middle = math.floor(#value / 2) + 1
  if ARGV[1] == 'cut' then return string.sub(value, 1, middle - 1) end
  local byte = string.byte(value, middle)
  return string.sub(value, 1, middle - 1) .. string.char(byte >= 128 and byte - 128 or byte + 128) .. string.sub(value, middle + 1)
end
local kind = redis.call('TYPE', KEYS[1]).ok
if kind == 'string' then return redis.call('SET', KEYS[1], altered(redis.call('GET', KEYS[1]))) end
if kind == 'hash' then return redis.call('HSET', KEYS[1], ARGV[2], altered(redis.call('HGET', KEYS[1], ARGV[2]))) end
local score = redis.call('ZSCORE', KEYS[1], ARGV[2])
redis.call('ZREM', KEYS[1], ARGV[2])
return redis.call('ZADD', KEYS[1], score, altered(ARGV[2]))
`;

const person = "ada";
const variants: readonly Omit<RedisOptions, "url">[] = [{}, { encryptionKey: "correct horse" }];

describe.runIf(hasRedis)("damage", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await RedisServer.start();
  });
  afterAll(() => server?.stop());

  async function open(prefix: string, options: Omit<RedisOptions, "url"> = {}): Promise<RedisStore> {
    const store = await RedisStore.open({ url: server.url, prefix, ...options });
    onTestFinished(() => store.close());
    return store;
  }

  /** Three memories in a ring of edges, one discarded, one that waits, one that was restored; everything that a key can hold. */
  async function settle(store: RedisStore): Promise<number> {
    await store.claimEmbedder({ name: "one", dimensions: 64 });
    for (const id of ["a", "b", "c", "d", "e", "f"]) {
      const said = { ...interaction(id), turns: [{ who: "user", text: `hello ${id}` }], state: "at home" };
      await store.accept(person, said, "queued");
    }
    const edge = { weight: 0.75, boostMs: 5, boostedMs: 7 };
    const base = await store.apply(
      person,
      batch(await store.revision(person), {
        change: {
          ...noChange,
          putNodes: [memory("a"), memory("b", 2), memory("c", 3)],
          putEdges: [
            { a: "a", b: "b", ...edge },
            { a: "b", b: "c", ...edge },
            { a: "a", b: "c", ...edge },
          ],
          setPairs: [{ id: "b", pairId: "a" }],
        },
        outcomes: [
          ...["a", "b", "c"].map((id) => ({ id, outcome: "committed" as const, trace: '{"why":"violin"}' })),
          { id: "d", outcome: "discarded", trace: null },
          { id: "f", outcome: "pruned", trace: "{}" },
        ],
        coreSummary: { text: "Plays the violin.", updatedMs: 1, sourceIds: ["a"], trace: "{}" },
        commitsSinceCoreSummary: 3,
      }),
    );
    await store.apply(
      person,
      batch(base, { change: { ...noChange, removeEdges: [["a", "c"]] }, requeueInteractions: ["f"] }),
    );
    const kept = { id: "a", phrase: "last violin", fromMs: 1, untilMs: 2, vector: Int8Array.of(1, 2) };
    await store.keepMetaVectors(person, [kept]);
    await store.cache("examples", Uint8Array.of(1, 2, 3, 4));
    return base;
  }

  /** Everything a reader can ask, each answer or the code of its error. */
  async function readAll(prefix: string, since: number, options: Omit<RedisOptions, "url">): Promise<unknown[]> {
    let store: RedisStore;
    try {
      store = await RedisStore.open({ url: server.url, prefix, ...options });
    } catch (error) {
      return [codeOf(error)];
    }
    const load = async (from: number): Promise<unknown> => {
      const { pages: _, ...snapshot } = await store.load(person, from);
      return { ...snapshot, ...(await readPages(await store.load(person, from))) };
    };
    const questions: readonly (() => Promise<unknown>)[] = [
      () => store.embedder(),
      () => store.persons(),
      () => store.personsWithQueue(),
      () => store.revision(person),
      () => store.history(person),
      () => store.queued(person, 10),
      () => store.queuedCount(person),
      () => store.outcomeCounts(person),
      () => store.traces(person, ["committed", "queued", "discarded"]),
      () => store.cached("examples"),
      () => load(0),
      () => load(since),
    ];
    const answers: unknown[] = [];
    for (const ask of questions) answers.push(await ask().catch(codeOf));
    await store.close();
    return answers;
  }

  function codeOf(error: unknown): string {
    expect(error).toBeInstanceOf(MnemosyneError);
    const { code, message, cause } = error as MnemosyneError;
    expect(`${message} ${String(cause)}`).not.toMatch(/violin|hello|at home|summary of/u);
    return `refused: ${code}`;
  }

  async function damageOf(prefix: string, options: Omit<RedisOptions, "url">): Promise<string[]> {
    const store = await RedisStore.open({ url: server.url, prefix, ...options });
    const found = (await store.damage()).map((damage) => JSON.stringify(damage));
    await store.close();
    return found;
  }

  async function partsOf(key: string): Promise<string[]> {
    const type = String(await server.command("TYPE", key));
    if (type === "hash") return (await server.command("HKEYS", key)) as string[];
    return type === "zset" ? ((await server.command("ZRANGE", key, "0", "-1")) as string[]) : [""];
  }

  /** Nobody reads these, or what is there can be done without. */
  const unread = /:\{\w+\} (?:listed|queue_listed|batch|store|embedder|sequence)$|:interaction:\w stamp$|:revisions /u;

  describe.each(variants)("with %j", (options) => {
    const prefix = `ruin${variants.indexOf(options)}:`;

    test("of any value is refused or changes no answer, and is reported", async () => {
      const since = await settle(await open(prefix, options));
      const whole = await readAll(prefix, since, options);
      expect(whole.filter((answer) => String(answer).startsWith("refused"))).toEqual([]);
      expect(await damageOf(prefix, options)).toEqual([]);
      const silent: string[] = [];
      const unnoticed: string[] = [];
      for (const key of ((await server.command("KEYS", `${prefix}*`)) as string[]).sort()) {
        await server.command("COPY", key, "spare");
        const harms: [string, () => Promise<unknown>][] = [
          ["evicted", () => server.command("DEL", key)],
          [
            "of another type",
            () => server.command("EVAL", "redis.call('DEL',KEYS[1]) redis.call('RPUSH',KEYS[1],'x')", "1", key),
          ],
        ];
        for (const part of await partsOf(key)) {
          for (const how of ["cut", "flip"]) {
            harms.push([`${part} ${how}`, () => server.command("EVAL", alter, "1", key, how, part)]);
          }
        }
        for (const [harm, inflict] of harms) {
          await inflict();
          const answers = await readAll(prefix, since, options);
          const name = `${key} ${harm}`;
          if (answers.length > 1) {
            const wrong = answers.filter((answer, i) => !isSameOrRefused(answer, whole[i]));
            if (wrong.length > 0) silent.push(`${name}: ${JSON.stringify(wrong)}`);
            const isIdle =
              unread.test(name.replace(/ (?:cut|flip)$/u, "")) || /:revisions evicted|cache:|:settings/u.test(name);
            if (!isIdle && (await damageOf(prefix, options)).length === 0) unnoticed.push(name);
          }
          await server.command("COPY", "spare", key, "REPLACE");
        }
        await server.command("DEL", "spare");
      }
      expect(silent).toEqual([]);
      expect(unnoticed).toEqual([]);
      expect(await readAll(prefix, since, options)).toEqual(whole);
    }, 300_000);
  });

  function isSameOrRefused(answer: unknown, whole: unknown): boolean {
    if (typeof answer === "string" && answer.startsWith("refused: ")) return true;
    // What was cached can be computed again.
    return (whole instanceof Uint8Array && answer === null) || JSON.stringify(answer) === JSON.stringify(whole);
  }
});
