/**
 * One of the processes that work on a store at once. The argument: `engine`, the folder of the store in stores/; `options`
 * for its `open`; `worker`, a name that no other process has; `persons`; `seed`. A line on standard input ends it.
 *
 * Every write puts a pair of records, whose bytes follow from their id. A write with a base raises a counter, too, whose
 * value is in its pair and in the one record called token, which sometimes is replaced by another. So any reading shows
 * whether a write is there in half, twice, or on top of one that it did not know.
 *
 * A write is said before it begins and after it ended, before anything else happens: what was said is true whenever the
 * process is killed.
 */
import { writeSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { StaleRevisionError, StoreError } from "mnemosyne-edge";
import { seededRandom } from "../durability/hashing-embedder.mjs";
import { bytesOf, findContradictions } from "./scenes-records.mjs";

const { engine, options, worker, persons, seed } = JSON.parse(process.argv[2]);
const passing = new Set(["store_busy", "store_failed"]);
const pauseMs = 50;
const random = seededRandom(seed);
let isStopped = false;
process.stdin.once("data", () => (isStopped = true));

function say(...words) {
  const line = Buffer.from(`${words.join(" ")}\n`);
  for (let from = 0; from < line.length;) {
    try {
      from += writeSync(1, line, from);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
}

async function openStore() {
  const module = await import(`mnemosyne-edge/internal/stores/${engine}/store.js`);
  const [, store] = Object.entries(module).find(([name, value]) => name.endsWith("Store") && "open" in value);
  for (;;) {
    try {
      return await store.open(options);
    } catch (error) {
      if (!passing.has(error.code) || isStopped) throw error;
      say("again", error.code, error.message);
      await delay(pauseMs);
    }
  }
}

/** What this process knows of each person, kept up by differences. */
const known = new Map(persons.map((person) => [person, { revision: 0, records: new Map() }]));

async function follow(store, person) {
  const before = known.get(person);
  const snapshot = await store.read(person, { since: before.revision });
  const records = new Map(snapshot.isWhole ? [] : before.records);
  const damage = [];
  for await (const page of snapshot.pages) {
    for (const record of page.records) {
      if (record.version > (records.get(record.id)?.version ?? 0)) records.set(record.id, record);
    }
    damage.push(...page.damage);
  }
  // Only now: in a reading that is given up, what was deleted meanwhile may look like damage.
  for (const each of damage) say("contradiction", JSON.stringify(each));
  const { revision } = snapshot;
  known.set(person, { revision, records });
  for (const each of findContradictions([...records.values()])) say("contradiction", person, each);
  return { revision, records };
}

function pair(id, number, due) {
  return ["a", "b"].map((half) => {
    const name = `${id}.${number}.${half}`;
    return { kind: "pair", id: name, bytes: bytesOf(name), was: 0, ...(due && { due }) };
  });
}

async function append(store, person, id) {
  return store.write(person, null, { put: pair(id, "append", { expiry: 1 }) });
}

async function raise(store, person, id) {
  const { revision, records } = await follow(store, person);
  const number = Number(Buffer.from(records.get("count")?.bytes ?? []).toString()) + 1;
  const bytes = Buffer.from(String(number));
  const old = [...records.keys()].filter((each) => each.startsWith("token"));
  const token = old.length === 0 || number % 6 === 0 ? `token ${number}` : old[0];
  const gone = old.filter((each) => each !== token);
  return store.write(person, revision, {
    put: [
      ...pair(id, number, { queue: number }),
      // The base alone has to do where the version is not named.
      { kind: "count", id: "count", bytes, ...(random() < 0.5 && { was: records.get("count")?.version ?? 0 }) },
      { kind: "token", id: token, bytes },
    ],
    delete: gone.map((each) => ({ kind: "token", id: each })),
  });
}

async function work(store, lane) {
  for (let n = 0; !isStopped; n++) {
    const person = persons[Math.floor(random() * persons.length)];
    const id = `${worker}-${lane}-${n}`;
    const task = random() < 0.5 ? append : raise;
    say("begun", person, id);
    try {
      const revision = await task(store, person, id);
      say(revision === null ? "refused" : "acknowledged", person, id, revision);
    } catch (error) {
      if (error instanceof StaleRevisionError) say("refused", person, id);
      else if (error instanceof StoreError && passing.has(error.code)) {
        say("again", error.code, error.message);
        await delay(pauseMs);
      } else throw error;
    }
  }
}

const store = await openStore();
say("opened");
await Promise.all([1, 2].map((lane) => work(store, lane)));
await store.close();
say("closed");
process.stdin.destroy();
