/**
 * Puts records one after the other and says each id once it is acknowledged. The argument: `path`, `person`, `prefix` of
 * the ids, `count`, `isInline`, `byteCount` of each record, `pauseMs` between two; `reopens` for another try after
 * store_moved; `waits` for the line that ends it; `closes` the store. A line on standard input ends it. Lines are written before anything else happens, so that they are true
 * whenever the process is killed.
 */
import { writeSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { SqliteStore } from "mnemosyne-edge/internal/stores/sqlite/store.js";

const {
  path,
  person = "ada",
  prefix = "",
  count = Infinity,
  isInline = false,
  byteCount = 100,
  pauseMs = 0,
  reopens = false,
  waits = false,
  closes = true,
} = JSON.parse(process.argv[2]);

let isStopped = false;
const stopped = new Promise((resolve) => process.stdin.once("data", resolve)).then(() => (isStopped = true));

function say(line) {
  for (;;) {
    try {
      writeSync(1, `${line}\n`);
      return;
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
}

async function open() {
  for (let tries = 0; ; tries++) {
    try {
      return await SqliteStore.open({ path, isInline });
    } catch (error) {
      if (error.code !== "store_moved" || !reopens || tries === 20) throw error;
      await delay(5);
    }
  }
}

try {
  let store = await open();
  say("opened");
  for (const warning of (await store.describe()).warnings ?? []) say(`warned ${warning}`);
  for (let i = 0; i < count && !isStopped; i++) {
    const id = `${prefix}${i}`;
    try {
      await store.write(person, null, { put: [{ kind: "note", id, bytes: new Uint8Array(byteCount).fill(i) }] });
      say(`acknowledged ${id}`);
    } catch (error) {
      if (error.code !== "store_moved" || !reopens) throw error;
      say(`refused ${id}`);
      await store.close();
      store = await open();
    }
    if (pauseMs > 0) await delay(pauseMs);
  }
  if (waits) {
    say("waiting");
    await stopped;
  }
  if (closes) await store.close();
  say("ended");
} catch (error) {
  say(`failed ${error.code} ${error.message}`);
  process.exitCode = 1;
}
process.stdin.destroy();
