/**
 * Commits interactions of the journey and says each id once it is acknowledged. The argument: `path`, `positions` to
 * commit one after the other (or `atOnce`), `person` (the journey's own where absent), `prefix` of the ids, `waits` for a line on
 * standard input before it begins, `isInline` for SQLite on the caller's thread, `open` for how to open. Lines are written
 * before anything else happens, so that what was said was true at that moment, whenever the process is killed.
 */
import { writeSync } from "node:fs";
import { Mnemosyne } from "mnemosyne-edge";
import { SqliteStore } from "mnemosyne-edge/store/sqlite";
import { interactionAt, laboratory, personAt } from "./laboratory.mjs";

const {
  path,
  positions,
  person,
  prefix = "",
  atOnce = false,
  waits = false,
  isInline = false,
  open = {},
} = JSON.parse(process.argv[2]);

function say(line) {
  writeSync(1, `${line}\n`);
}

function wait() {
  say("ready");
  return new Promise((resolve) => process.stdin.once("data", resolve));
}

async function commit(memories, position) {
  const input = interactionAt(position);
  const id = prefix + input.id;
  await memories.person(person ?? personAt(position)).commit({ ...input, id });
  say(`acknowledged ${id}`);
}

if (waits) await wait();
try {
  const store = await SqliteStore.open({ path, isInline });
  for (const name of await store.persons()) say(`revision ${name} ${await store.revision(name)}`);
  const memories = await Mnemosyne.open(laboratory({ store, ...open }));
  if (atOnce) await Promise.all(positions.map((position) => commit(memories, position)));
  else for (const position of positions) await commit(memories, position);
  await memories.settled();
  say("settled");
  await memories.close();
} catch (error) {
  say(`failed ${error.code} ${error.message}`);
  process.exitCode = 1;
}
process.stdin.destroy();
