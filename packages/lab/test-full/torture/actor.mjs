/**
 * The process that everything is done to. The argument: `seed` of the scene, `open` for how to open, `acts` to carry out one
 * after the other, each a list of a name and a value, `isPersistent` to try again what the store refuses. What it has to say
 * is a line with a word, a value and the time, written before anything else happens, so that it was true at that moment,
 * whenever the process is killed.
 */
import { readFileSync, writeFileSync, writeSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { Mnemosyne } from "mnemosyne-edge";
import { HashingEmbedder } from "../../../memory/test/durability/hashing-embedder.mjs";
import { laboratory } from "../../../memory/test/durability/laboratory.mjs";
import { contentOf, editOf, interactionOf, markOf, marksIn } from "./interactions.mjs";
import { describeError, exportLines, filesIn, readEverything, readInAllWays } from "./reading.mjs";

const { seed, open, acts, isPersistent = false } = JSON.parse(process.argv[2]);
const triesMax = 200;
const pauseMs = 100;
/** Of deeds whose memory another process, or a step before, may have replaced, pruned or made outdated. */
const passedBy = new Set(["unknown_id", "unknown_person", "id_invalid", "conversation_ended"]);
const { embedder: _, ...store } = open ?? {};
let memories;
let attemptCount = 0;

/** The clock is the same for all processes of a machine. */
function say(word, value = null) {
  const ms = Number(process.hrtime.bigint()) / 1e6;
  writeSync(1, `${JSON.stringify({ word, value, ms })}\n`);
}

/** Says that registers of interactions are about to change, does it, and says that it was acknowledged. */
async function attempt(changes, work) {
  const begun = changes.map((change) => ({ attempt: `${process.pid} ${++attemptCount}`, ...change }));
  for (const each of begun) say("try", { ...each, mark: markOf(seed, each.number) });
  await work();
  for (const { attempt: name, number } of begun) say("acknowledged", { attempt: name, number });
}

/** A killed process must not keep its queue for long. */
const parameters = { queueLeaseSeconds: 3 };

function optionsOf({ embedder, ...options }) {
  const other = embedder === "other" ? { name: "another", dimensions: 48 } : {};
  return laboratory({ ...options, parameters, embedder: new HashingEmbedder(other) });
}

/** What the store refuses for the moment is tried again. */
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
  const change = { number, register: "content", value: contentOf({ person, input }) };
  await attempt([change], () =>
    persist(async () => {
      try {
        return await memories.person(person).commit(id === undefined ? input : { ...input, id });
      } catch (error) {
        const named = /with the id "(.+)" stores it/u.exec(error.message)?.[1];
        // Without an id it is not known whether it was stored; submitting it again could double it.
        if (id === undefined && named === undefined) throw Object.assign(error, { family: "unsure" });
        id ??= named;
        throw error;
      }
    }),
  );
}

function memoryOf(number) {
  return memories.person(interactionOf(seed, number).person);
}

async function itemOf(number) {
  const mark = markOf(seed, number);
  const history = await persist(() => memoryOf(number).history());
  return history.find((item) => JSON.stringify([item.summary, item.turns]).includes(mark));
}

/** Changes a register of something that is there; it may no longer be what that needs. */
async function changeKnown({ number, register, value }, work) {
  const item = await itemOf(number);
  if (item === undefined) return say("passed", number);
  await attempt([{ number, register, value }], () => persist(() => work(memoryOf(number), item)));
  return undefined;
}

const deeds = {
  async open() {
    memories = await persist(() => Mnemosyne.open(optionsOf(open)));
    say("opened");
  },
  close: () => memories.close(),
  /** Until it is killed. */
  hold() {
    say("holding");
    return delay(60_000);
  },
  commit,
  commitAll: (list) => Promise.all(list.map((each) => tryAct("commit", each))),
  settle: () => persist(() => memories.settled()),
  recall: ({ person, question }) => persist(() => memories.person(person).recall(question, { seed: 7 })),
  async edit({ number, version }) {
    const text = editOf(seed, number, version);
    const known = await itemOf(number);
    const { person, input } = interactionOf(seed, number);
    const value = { person, turns: [{ who: "user", text }], state: known?.state ?? null, at: input.at };
    await changeKnown({ number, register: "content", value }, (memory, { id }) => memory.update(id, { text }));
  },
  /** The correction is an interaction of its own. */
  async correct({ number, of }) {
    const text = editOf(seed, number, 0);
    const item = await itemOf(of);
    if (item === undefined) return say("passed", of);
    const id = `c${number}`;
    const value = { person: interactionOf(seed, of).person, id, turns: [{ who: "user", text }] };
    await attempt([{ number, register: "content", value }], () =>
      persist(() => memoryOf(of).correct(item.id, text, { id })),
    );
  },
  pin: (number) => changeKnown({ number, register: "pinned", value: true }, (memory, { id }) => memory.pin(id)),
  unpin: (number) => changeKnown({ number, register: "pinned", value: false }, (memory, { id }) => memory.unpin(id)),
  restore: (number) =>
    changeKnown({ number, register: "restored", value: true }, (memory, { id }) => memory.restore(id)),
  prune: ({ number, memoryCountMax }) => persist(() => memoryOf(number).prune({ memoryCountMax })),
  /** Of one person, so that one call forgets them all. */
  async forget(list) {
    const items = await Promise.all(list.map(itemOf));
    const ids = items.filter((item) => item !== undefined).map(({ id }) => id);
    const changes = list.map((number) => ({ number, register: "content", value: null }));
    await attempt(changes, () => ids.length > 0 && persist(() => memoryOf(list[0]).forget(ids)));
  },
  async talk({ id, person, turns, isEnded = false }) {
    // As another process would find it: a turn whose answer was lost may be there.
    const conversation = () => memories.person(person).conversation({ id });
    for (const { number, ...turn } of turns) {
      await attempt([{ number, register: "content", value: { person, turn } }], () =>
        persist(async () => {
          const found = await conversation();
          if (!found.turns.some(({ text }) => text === turn.text)) await found.add(turn);
        }),
      );
    }
    if (isEnded) await persist(async () => (await conversation()).end());
  },
  /** Either interactions with their numbers, or an export. */
  async importLines({ person, entries = [], file }) {
    const lines =
      file === undefined
        ? entries.map(({ input }) => JSON.stringify(input))
        : readFileSync(file, "utf8").trimEnd().split("\n");
    const changes = entries.map(({ number, ...told }) => ({ number, register: "content", value: contentOf(told) }));
    await attempt(changes, async () => {
      say("importing");
      await memories.person(person).import(lines, { onProgress: (done) => say("imported", done) });
    });
    say("done", "import");
  },
  async exportTo({ person, file }) {
    say("exporting", { person, file });
    const lines = await persist(() => exportLines(memories.person(person)));
    writeFileSync(file, `${lines.join("\n")}\n`);
    say("exported", { file });
  },
  async backup({ file }) {
    say("copying", { file });
    await persist(() => Mnemosyne.backup(store, file, () => say("copied"), { replace: true }));
    say("backedUp", { file });
  },
  async reembed({ embedder }) {
    say("begin");
    await Mnemosyne.reembed(optionsOf({ ...open, embedder }), ({ doneCount }) => say("progress", doneCount));
    say("done", "reembed");
  },
  look: async (file) => writeFileSync(file, JSON.stringify(await readEverything(memories))),
  async lookInAllWays({ names, copy, file }) {
    writeFileSync(file, JSON.stringify(await readInAllWays({ options: optionsOf(open), store, names, copy })));
  },
  bytes: (path) => say("inBytes", marksIn(filesIn(path).toString("latin1"))),
};

async function tryAct(name, value) {
  try {
    await deeds[name](value);
    return true;
  } catch (error) {
    const described = describeError(error);
    if (passedBy.has(described.code)) say("passed", described.message);
    else say(described.isOurs ? "refused" : "raw", { act: name, ...described });
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
  if (!(await tryAct(name, value)) && name === "open") break;
}
say("end");
process.stdin.destroy();
