/** Reading a memory in every way there is, through the public door. */
import { MnemosyneError } from "mnemosyne-edge";
import { checkReading } from "./checks.mjs";

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

/** Ways of reading a person, each as a stream of texts to compare; what came before an error counts. */
const ways = {
  async *history(memory) {
    for (const item of await memory.history()) yield JSON.stringify(item);
  },
  async *list(memory) {
    for (const item of await memory.list()) yield JSON.stringify(item);
  },
  async *recall(memory) {
    for (const question of questions) {
      const { context, memories } = await memory.recall(question, { seed });
      yield context;
      for (const { id, summary, at, state } of memories) yield JSON.stringify([id, summary, at, state]);
    }
  },
  export: (memory) => memory.export(),
  async *coreSummary(memory) {
    yield JSON.stringify(await memory.coreSummary());
  },
};

/**
 * Reads a store in every way. `opening` is an error where it could not be opened; a reading is `{ name, items, error,
 * isNamed }` as `checkReading` takes it.
 */
export async function readAllWays(open, persons) {
  const named = [];
  const opened = await attempt(() => open((event) => event.level !== "info" && named.push(event)));
  if (opened.error !== null) return { opening: opened.error, readings: [] };
  const readings = [];
  const read = async (name, way) => {
    const items = [];
    const before = named.length;
    const { error } = await attempt(async () => {
      for await (const item of way()) items.push(item);
    });
    readings.push({ name, items, error, isNamed: named.length > before });
  };
  await read("persons", async function* () {
    yield* await opened.value.persons();
  });
  for (const person of persons) {
    const memory = opened.value.person(person);
    for (const [way, run] of Object.entries(ways)) await read(`${way} of ${person}`, () => run(memory));
  }
  const closing = await attempt(() => opened.value.close());
  readings.push({ name: "closing", items: [], error: closing.error, isNamed: named.length > 0 });
  return { opening: null, readings };
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
    const findings = opening.isOurs ? [] : checkReading({ name: "opening", items: [], error: opening }, []);
    return { findings, isNamed: true, readable: 0, total };
  }
  const findings = readings.flatMap((reading) => checkReading(reading, original[reading.name] ?? []));
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
