/**
 * Commits interactions of the journey and says each id once it is acknowledged. The argument: `open` for how to open,
 * `positions` to commit one after the other (or `atOnce`), `person` (the journey's own where absent), `prefix` of the ids,
 * `waits` for a line on standard input before it begins. Lines are written before anything else happens, so that what was
 * said was true at that moment, whenever the process is killed.
 */
import { writeSync } from "node:fs";
import { Mnemosyne } from "mnemosyne-edge";
import { interactionAt, laboratory, personAt } from "./laboratory.mjs";

const { open, positions, person, prefix = "", atOnce = false, waits = false } = JSON.parse(process.argv[2]);

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
  const memories = await Mnemosyne.open(laboratory(open));
  for (const name of await memories.persons()) {
    say(`revision ${name} ${(await memories.person(name).statistics()).revision}`);
  }
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
