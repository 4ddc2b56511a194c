/**
 * Uses damaged databases one after the other in every way and reports what came of it, one line of JSON for each file and
 * way: the records and the damage, or the code of the error, or an error that is not one of ours.
 */
import { writeFileSync } from "node:fs";
import { MnemosyneError } from "mnemosyne-edge";
import { SqliteStore } from "mnemosyne-edge/internal/stores/sqlite/store.js";

const { paths, output, selections } = JSON.parse(process.argv[2]);
const lines = [];

for (const path of paths) {
  const opened = await tried(() => SqliteStore.open({ path, isInline: true }));
  const { value: store } = opened;
  if (store === undefined) {
    report(path, "open", opened);
    continue;
  }
  for (const [person, selection] of selections) {
    const way = `read ${JSON.stringify([person, selection])}`;
    report(path, way, await tried(() => readAll(store, person, selection)));
  }
  report(path, "persons", await tried(() => store.persons()));
  report(path, "due", await tried(() => store.due("expiry", { before: Infinity, limit: 9 })));
  report(path, "damage", await tried(() => store.damage()));
  const put = [{ kind: "note", id: "n1", bytes: Buffer.from("new") }];
  report(path, "write", await tried(async () => typeof (await store.write("bea", null, { put }))));
  report(path, "erase", await tried(() => store.erase("bea")));
  const closed = await tried(() => store.close());
  report(path, "close", { ...closed, value: null });
}
writeFileSync(output, JSON.stringify(lines));

async function readAll(store, person, selection) {
  const [records, damage] = [[], []];
  for await (const page of (await store.read(person, selection)).pages) {
    damage.push(...page.damage);
    records.push(
      ...page.records.map(({ bytes, ...rest }) => ({ ...rest, bytes: Buffer.from(bytes).toString("latin1") })),
    );
  }
  return { records, damage };
}

async function tried(work) {
  try {
    return { value: await work() };
  } catch (error) {
    if (error instanceof MnemosyneError) return { code: error.code, message: error.message };
    return { raw: `${error.stack ?? error}` };
  }
}

function report(path, way, result) {
  lines.push({ path, way, ...result });
}
