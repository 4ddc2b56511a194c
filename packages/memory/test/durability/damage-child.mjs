/**
 * Uses damaged databases one after the other, in every way that reads them, and reports for each file and way what came
 * of it: the answer, or the code of the error, or the name of an error that is not one of ours.
 */
import { createHash } from "node:crypto";
import { Mnemosyne, MnemosyneError } from "mnemosyne-edge";
import { openRecords } from "mnemosyne-edge/internal/opening.js";
import { laboratory } from "./laboratory.mjs";

const { paths, people, encryptionKey } = JSON.parse(process.argv[2]);
const options = encryptionKey === undefined ? {} : { encryptionKey };

for (const path of paths) {
  report(path, "damage", await tried(() => damageOf(path)));
  const memories = await tried(() => Mnemosyne.open(laboratory({ path, ...options })));
  if (!(memories.answer instanceof Mnemosyne)) {
    report(path, "open", memories);
    continue;
  }
  const { answer } = memories;
  report(path, "persons", await tried(() => answer.persons()));
  for (const name of people) {
    const person = answer.person(name);
    report(path, `export ${name}`, await tried(() => all(person.export())));
    const { answer: items, ...refused } = await tried(() => person.history());
    const links = items?.map(({ updates, outdatedBy }) => [updates, outdatedBy]);
    const told = items?.map(({ updates: _, outdatedBy: __, ...item }) => item);
    report(path, `history ${name}`, items === undefined ? refused : { answer: told });
    const areKnown = links?.every(([updates, outdatedBy]) => updates !== null && outdatedBy !== null);
    if (areKnown) report(path, `links ${name}`, { answer: links });
    report(path, `list ${name}`, await tried(() => person.list()));
    report(path, `statistics ${name}`, await tried(() => person.statistics()));
    const { answer: recall, ...failure } = await tried(() => person.recall("the garden and the knee", { seed: 1 }));
    report(path, `recall ${name}`, recall === undefined ? failure : { answer: recall.context });
    report(path, `core ${name}`, await tried(() => person.coreSummary()));
    report(path, `get ${name}`, await tried(() => person.get("i010")));
    const { answer: salvaged, ...trouble } = await tried(() => all(person.export({ skipDamaged: true })));
    report(path, `salvage ${name}`, { salvaged, ...trouble });
  }
  const closed = await tried(() => answer.close());
  if (!("answer" in closed)) report(path, "close", closed);
}

async function tried(work) {
  try {
    return { answer: (await work()) ?? null };
  } catch (error) {
    if (error instanceof MnemosyneError) return { code: error.code, message: error.message };
    return { raw: `${error.stack ?? error}` };
  }
}

async function damageOf(path) {
  const records = await openRecords({ path, ...options });
  try {
    return (await records.damage()).length;
  } finally {
    await records.close();
  }
}

async function all(lines) {
  const list = [];
  for await (const line of lines) list.push(line);
  return list;
}

function report(path, way, result) {
  const { answer } = result;
  const digest = answer === undefined ? undefined : createHash("sha256").update(JSON.stringify(answer)).digest("hex");
  const count = typeof answer === "number" ? { count: answer } : {};
  process.stdout.write(`${JSON.stringify({ path, way, ...result, ...count, answer: digest })}\n`);
}
