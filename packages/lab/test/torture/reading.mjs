/** Reading a memory in every way there is, through the public door. */
import { MnemosyneError } from "mnemosyne-edge";
import { checkReading, finding } from "./checks.mjs";

const questions = ["What did Marta tell about the garden?", "How was the knee last summer?"];
const seed = 7;

/** Everybody's history and export, and what `check` finds. */
export async function readEverything(memories) {
  const persons = {};
  for (const name of await memories.persons()) {
    const memory = memories.person(name);
    persons[name] = {
      history: await memory.history(),
      exported: await exportLines(memory),
      problems: await memory.check(),
    };
  }
  return { persons };
}

async function exportLines(memory) {
  const lines = [];
  for await (const line of memory.export()) lines.push(line);
  return lines;
}

/**
 * Ways of reading a person. `items` takes what has to be the original's whatever happens, one text each; `rest` what follows
 * from all of them together, and may differ once damage is named. What came before an error counts.
 */
const ways = {
  async history(memory, items) {
    for (const item of await memory.history()) items.push(JSON.stringify(item));
  },
  async list(memory, items, rest) {
    for (const { edgeCount, pairId, ...item } of await memory.list()) {
      items.push(JSON.stringify(item));
      rest.push(`${item.id} ${pairId} ${edgeCount}`);
    }
  },
  async recall(memory, items, rest) {
    for (const question of questions) {
      const { context, memories } = await memory.recall(question, { seed });
      for (const recalled of memories) items.push(recalledText(recalled));
      rest.push(context, memories.map(({ id }) => id).join(" "));
    }
  },
  async export(memory, items) {
    for await (const line of memory.export()) items.push(line);
  },
  async coreSummary(memory, items) {
    items.push(JSON.stringify(await memory.coreSummary()));
  },
};

function recalledText({ id, summary, at, state }) {
  return JSON.stringify([id, summary, at, state]);
}

/** Reads a store in every way: an error where it could not be opened, and a reading for each way, as `checkReading` takes it. */
export async function readAllWays(open, persons) {
  const named = [];
  const opened = await attempt(() => open((event) => event.level !== "info" && named.push(event)));
  if (opened.error !== null) return { opening: opened.error, readings: [] };
  const readings = [];
  const read = async (name, way) => {
    const [items, rest] = [[], []];
    const { error } = await attempt(() => way(items, rest));
    readings.push({ name, items, rest, error, isNamed: named.length > 0 });
  };
  await read("persons", async (items) => items.push(...(await opened.value.persons())));
  for (const person of persons) {
    const memory = opened.value.person(person);
    for (const [way, run] of Object.entries(ways)) await read(`${way} of ${person}`, (...into) => run(memory, ...into));
  }
  await read("closing", () => opened.value.close());
  return { opening: null, readings };
}

/** What `inspectCopy` compares with, from the readings of a healthy store. */
export function originalOf(readings, persons) {
  const original = Object.fromEntries(readings.map(({ name, items, rest }) => [name, { items, rest, known: items }]));
  for (const person of persons) {
    // A recall may come to other memories when some are named as damaged, but not to other words.
    original[`recall of ${person}`].known = original[`list of ${person}`].items.map((item) =>
      recalledText(JSON.parse(item)),
    );
  }
  return original;
}

/** Ids of a person that can still be read, each by itself, as they were. */
export async function countReadable(open, originals) {
  const opened = await attempt(() => open(() => {}));
  if (opened.error !== null) return 0;
  let count = 0;
  for (const [person, items] of Object.entries(originals)) {
    for (const item of items) {
      const { id } = JSON.parse(item);
      const { value } = await attempt(() => opened.value.person(person).history({ ids: [id] }));
      if (value?.length === 1 && JSON.stringify(value[0]) === item) count++;
    }
  }
  await attempt(() => opened.value.close());
  return count;
}

/** Compares a damaged copy with what was read from the healthy one. */
export async function inspectCopy(open, { persons, original, histories }) {
  const { opening, readings } = await readAllWays(open, persons);
  const total = Object.values(histories).flat().length;
  if (opening !== null) {
    const findings = opening.isOurs ? [] : [finding("raw", `opening: ${opening.message}`)];
    return { findings, isNamed: true, readable: 0, total };
  }
  const findings = readings.flatMap((reading) => checkReading(reading, original[reading.name]));
  const isNamed = readings.some(({ error, isNamed }) => error !== null || isNamed);
  const readable = isNamed || findings.length > 0 ? await countReadable(open, histories) : total;
  return { findings, isNamed, readable, total };
}

async function attempt(work) {
  try {
    return { value: await work(), error: null };
  } catch (error) {
    return { error: describeError(error) };
  }
}

export function describeError(error) {
  const isOurs = error instanceof MnemosyneError;
  const { family, code } = isOurs ? error : {};
  const place = isOurs ? "" : ` ${/\n\s+at (.*)/u.exec(error?.stack ?? "")?.[1] ?? ""}`;
  return {
    isOurs,
    family,
    code,
    message: `${isOurs ? code : (error?.name ?? typeof error)} ${error?.message ?? error}${place}`,
  };
}
