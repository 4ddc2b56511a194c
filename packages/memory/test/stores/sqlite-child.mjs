/**
 * Puts records one after the other and says each id once it is acknowledged. The argument: `path`, `person`, `prefix` of
 * the ids, `count`, `isInline`, `byteCount` of each record, `pauseMs` between two; `reopens` for another try after
 * store_moved. A line on standard input ends it. Lines are written before anything else happens, so that they are true
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
} = JSON.parse(process.argv[2]);

let isStopped = false;
process.stdin.once("data", () => (isStopped = true));

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

try {
  let store = await SqliteStore.open({ path, isInline });
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
      store = await SqliteStore.open({ path, isInline });
    }
    if (pauseMs > 0) await delay(pauseMs);
  }
  await store.close();
  say("closed");
} catch (error) {
  say(`failed ${error.code} ${error.message}`);
  process.exitCode = 1;
}
process.stdin.destroy();
