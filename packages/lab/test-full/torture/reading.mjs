/** What is there, through the public door and in the bytes of files, and errors as data. */
import { existsSync, readFileSync } from "node:fs";
import { Mnemosyne, MnemosyneError, describeDamage } from "mnemosyne-edge";
import { openRecords } from "mnemosyne-edge/internal/opening.js";

/** Everybody's history and export, what is pinned, and what `check` finds. */
export async function readEverything(memories) {
  const persons = {};
  for (const name of await memories.persons()) {
    const memory = memories.person(name);
    const list = await memory.list();
    persons[name] = {
      history: await memory.history(),
      exported: await exportLines(memory),
      problems: await memory.check(),
      pinned: list.filter(({ pinnedArea }) => pinnedArea !== null).map(({ id }) => id),
    };
  }
  return { persons };
}

/** Each way of reading a file that may be damaged with its answer or error, and the damage that is named when asked for. */
export async function readInAllWays({ options, store, names, copy }) {
  const ways = {};
  const named = [];
  const way = async (name, work) => (ways[name] = await tried(work));
  await way("open", async () => {
    const memories = await Mnemosyne.open(options);
    try {
      await way("persons", () => memories.persons());
      for (const name of names) named.push(...(await readPerson(memories.person(name), way)));
    } finally {
      await memories.close();
    }
  });
  await way("backup", async () => {
    const { personCount, interactionCount, memoryCount } = await Mnemosyne.backup(store, copy);
    return { personCount, interactionCount, memoryCount };
  });
  const damage = await tried(async () => {
    const records = await openRecords(store);
    return records.damage().finally(() => records.close());
  });
  named.push(...(damage.answer?.map(describeDamage) ?? [damage.code ?? damage.raw]));
  return { ways, named };
}

async function readPerson(memory, way) {
  const { name } = memory;
  const { answer: problems, ...failed } = await tried(() => memory.check());
  await way(`history ${name}`, async () => {
    const items = await memory.history();
    // Where the graph is damaged, the links are null.
    if (items.every(({ updates, outdatedBy }) => updates !== null && outdatedBy !== null))
      await way(`links ${name}`, async () => items.map(({ updates, outdatedBy }) => [updates, outdatedBy]));
    return items.map(({ updates: _, outdatedBy: __, ...item }) => item);
  });
  await way(`list ${name}`, () => memory.list());
  await way(`statistics ${name}`, async () => ({ ...(await memory.statistics()), revision: 0 }));
  await way(`recall ${name}`, async () => (await memory.recall("the garden and the knee", { seed: 7 })).context);
  await way(`core ${name}`, () => memory.coreSummary());
  await way(`export ${name}`, () => exportLines(memory));
  await way(`salvage ${name}`, () => exportLines(memory, { skipDamaged: true }));
  return problems ?? [failed.code?.startsWith("unknown_") ? [] : (failed.code ?? failed.raw)].flat();
}

async function tried(work) {
  try {
    return { answer: (await work()) ?? null };
  } catch (error) {
    const { isOurs, code, message } = describeError(error);
    return isOurs ? { code } : { raw: message };
  }
}

export async function exportLines(memory, options) {
  const lines = [];
  for await (const line of memory.export(options)) lines.push(line);
  return lines;
}

export function describeError(error) {
  const isOurs = error instanceof MnemosyneError;
  const { family, code } = isOurs ? error : {};
  const place = isOurs ? code : `${error?.name ?? typeof error} ${/\n\s+at (.*)/u.exec(error?.stack ?? "")?.[1] ?? ""}`;
  return { isOurs, family, code, message: `${place}: ${error?.message ?? error}` };
}

/** The bytes of everything that SQLite keeps for a database. */
export function filesIn(path) {
  const files = ["", "-wal", "-shm", "-journal"].map((ending) => path + ending).filter((file) => existsSync(file));
  return Buffer.concat(files.map((file) => readFileSync(file)));
}
