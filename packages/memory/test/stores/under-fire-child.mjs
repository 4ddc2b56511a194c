/**
 * One of the processes of the trial under fire. The argument: `path` of the store, `parameters`, `tasks` to submit, each
 * with its person and the position of its interaction, and how many `lanes` submit at a time. An id is said once its
 * promise has resolved, and before anything else happens, so that what was said is true whenever the process is killed. What is
 * refused for the moment (a master that fails, no replica to wait for) is submitted again under its id.
 */
import { writeSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { Mnemosyne } from "mnemosyne-edge";
import { laboratory } from "../durability/laboratory.mjs";
import { inputOf } from "./under-fire-tasks.mjs";

const { path, parameters, tasks, lanes } = JSON.parse(process.argv[2]);
const pauseMs = 200;

function say(line) {
  writeSync(1, `${line}\n`);
}

async function persist(work) {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (error.family !== "store") throw error;
      say(`again ${error.code} ${error.message}`);
      await delay(pauseMs);
    }
  }
}

async function handIn(memories) {
  for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) {
    await persist(() => memories.person(task.person).commit(inputOf(task)));
    say(`acknowledged ${task.id}`);
  }
}

const memories = await persist(() => Mnemosyne.open(laboratory({ path, parameters })));
say("ready");
await Promise.all(Array.from({ length: lanes }, () => handIn(memories)));
say("submitted");
await persist(() => memories.settled());
await memories.close();
