/**
 * The process that everything is done to. The argument: `seed` of the scene, `open` for how to open, `acts` to carry out one
 * after the other, each a list of a name and a value, `isPersistent` to submit again what the store refuses. What it has to
 * say is a line with a word and a value as JSON, written before anything else happens, so that it was true at that moment,
 * whenever the process is killed.
 */
import { readFileSync, writeFileSync, writeSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { Mnemosyne } from "mnemosyne-edge";
import { HashingEmbedder } from "../../../memory/test/durability/hashing-embedder.mjs";
import { laboratory } from "../../../memory/test/durability/laboratory.mjs";
import { filesIn } from "./bytes.mjs";
import { interactionOf } from "./interactions.mjs";
import { describeError, readEverything } from "./reading.mjs";

const { seed, open, acts, isPersistent = false } = JSON.parse(process.argv[2]);
const triesMax = 200;
const pauseMs = 100;
let memories;

function say(word, value = null) {
  writeSync(1, `${word} ${JSON.stringify(value)}\n`);
}

/** Whoever waits for the queue of a killed process does not wait long. */
const parameters = { queueLeaseSeconds: 3 };

function optionsOf({ embedder = "hashing", ...options }) {
  if (embedder === "bundled") return laboratory({ ...options, parameters, embedder: undefined });
  const other = embedder === "other" ? { name: "another", dimensions: 48 } : {};
  return laboratory({ ...options, parameters, embedder: new HashingEmbedder(other) });
}

/** What the store refuses for the moment is tried again under the id that the error names. */
async function persist(work) {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!isPersistent || error.family !== "store" || tries > triesMax) throw error;
      say("again", `${error.code} ${error.message}`);
      await delay(pauseMs);
    }
  }
}

async function commit({ number, hasId }) {
  const { person, input } = interactionOf(seed, number, { hasId });
  let { id } = input;
  say("try", number);
  const accepted = await persist(async () => {
    try {
      return await memories.person(person).commit(id === undefined ? input : { ...input, id });
    } catch (error) {
      const named = /with the id "(.+)" stores it/u.exec(error.message)?.[1];
      // Without an id it is not known whether it was stored; submitting it again could double it.
      if (id === undefined && named === undefined) throw Object.assign(error, { family: "unsure" });
      id ??= named;
      throw error;
    }
  });
  say("acknowledged", { number, id: accepted.id });
}

async function idOf(number) {
  const { person, mark } = interactionOf(seed, number);
  const history = await memories.person(person).history();
  return history.find((item) => JSON.stringify([item.summary, item.turns]).includes(mark))?.id;
}

const deeds = {
  async open() {
    memories = await persist(() => Mnemosyne.open(optionsOf(open)));
    say("opened");
  },
  close: () => memories.close(),
  commit,
  commitAll: (list) => Promise.all(list.map((each) => tryAct("commit", each))),
  settle: () => persist(() => memories.settled()),
  recall: ({ person, question }) => memories.person(person).recall(question, { seed: 7 }),
  /** Of one person, so that one call forgets them all. */
  async forget(list) {
    const { person } = interactionOf(seed, list[0]);
    const ids = (await Promise.all(list.map(idOf))).filter((id) => id !== undefined);
    say("forgetting", list);
    if (ids.length > 0) await persist(() => memories.person(person).forget(ids));
    say("forgotten", list);
  },
  async talk({ id, person, turns }) {
    const conversation = await memories.person(person).conversation({ id });
    for (const { number, ...turn } of turns) {
      if (conversation.turns.some(({ text }) => text === turn.text)) say("acknowledged", { number });
      else {
        await conversation.add(turn);
        say("acknowledged", { number });
      }
    }
  },
  async importLines({ person, lines, file }) {
    const read = lines ?? readFileSync(file, "utf8").trimEnd().split("\n");
    say("importing");
    await memories.person(person).import(read, { onProgress: (done) => say("imported", done) });
    say("done", "import");
  },
  async exportTo({ person, file }) {
    const lines = [];
    for await (const line of memories.person(person).export()) lines.push(line);
    writeFileSync(file, `${lines.join("\n")}\n`);
  },
  async reembed({ embedder }) {
    say("begin");
    await Mnemosyne.reembed(optionsOf({ ...open, embedder }), ({ doneCount }) => say("progress", doneCount));
    say("done", "reembed");
  },
  look: async (file) => writeFileSync(file, JSON.stringify(await readEverything(memories))),
  bytes: ({ path, marks }) =>
    say(
      "inBytes",
      marks.filter((mark) => filesIn(path).includes(mark)),
    ),
};

async function tryAct(name, value) {
  try {
    await deeds[name](value);
    return true;
  } catch (error) {
    const described = describeError(error);
    say(described.isOurs ? "refused" : "raw", { act: name, ...described });
    return false;
  }
}

for (const event of ["uncaughtException", "unhandledRejection"]) {
  process.on(event, (error) => {
    say("raw", { act: event, ...describeError(error) });
    process.exit(0);
  });
}
process.stdin.unref();
for (const [name, value] of acts) {
  const isDone = await tryAct(name, value);
  if (!isDone && name === "open") {
    say("unopened");
    break;
  }
}
say("end");
process.stdin.destroy();
