/** A file that nobody uses is damaged; then every answer is right, or the damage is named. */
import { copyFileSync, existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkDamaged, checkLook } from "../checks.mjs";
import { numbers } from "../interactions.mjs";
import { livingActs } from "../living.mjs";

const pageSize = 4096;
const copyCount = 4;
const names = ["ada", "bea", "cem"];

/** A cut says little that the others do not. */
const damages = [bytes, bytes, page, page, cut];

export const damage = {
  kind: "damage",
  stores: ["sqlite", "sqlite-encrypted"],
  run(scene) {
    const acts = livingActs(scene, { first: 0, count: 24, name: "life" });
    // Both on each store.
    return Math.floor(scene.number / 2) % 3 === 2 ? damageLog(scene, acts) : damageFile(scene, acts);
  },
};

async function damageFile(scene, acts) {
  await scene.perform([["open"], ...acts, ["settle"], ["close"]]);
  await scene.look();
  const whole = await lookInAllWays(scene, scene.path(), "whole");
  if (whole === null) return;
  const errors = Object.values(whole.ways).flatMap(({ code = "unknown_", raw }) => raw ?? code);
  const wrong = [...whole.named, ...errors.filter((error) => !error.startsWith("unknown_"))];
  for (const named of wrong) scene.note("silent", `damage is named where there is none: ${named}`);
  for (const i of numbers(0, copyCount)) {
    const path = scene.path(`damaged-${i}`);
    copyFileSync(scene.path(), path);
    const damageOne = scene.random.pick(damages);
    damageOne(path, scene.random);
    const kept = `${path}-as-it-was`;
    copyFileSync(path, kept);
    const damaged = await lookInAllWays(scene, path, `damaged-${i}`);
    const findings = damaged === null ? [] : [...checkDamaged(whole, damaged), ...checkWords(whole, damaged)];
    for (const { fault, what } of findings) scene.note(fault, `${damageOne.name} in ${kept}: ${what}`);
    if (findings.length === 0) for (const file of [path, kept]) rmSync(file);
  }
}

/** Whatever a damaged store still tells is in the words of the whole one; a memory whose interaction is lost, as a summary. */
function checkWords(whole, { ways }) {
  return names.flatMap((name) => {
    const before = new Set(wordsIn(whole.ways[`salvage ${name}`]));
    const told = [...wordsIn(ways[`salvage ${name}`]), ...wordsIn(ways[`history ${name}`])];
    const others = told.filter((said) => !before.has(said));
    return others.map((said) => ({ fault: "silent", what: `${name} said: ${said.slice(0, 200)}` }));
  });
}

/** Of an export, or of a history. */
function wordsIn({ answer } = {}) {
  const items = (answer ?? []).map((one) =>
    typeof one === "string" ? JSON.parse(one) : { ...one, kind: "interaction" },
  );
  return items.flatMap(({ kind, id, text, turns, summary }) => {
    if (kind !== "interaction") return [];
    if (text !== undefined) [, , turns, summary] = JSON.parse(text.split("\n")[0]);
    return `${id} ${summary ?? turns.map((turn) => `${turn.who}: ${turn.text}`).join("\n")}`;
  });
}

/**
 * The log of a process that was killed ends where its damage begins, as after a loss of power: what is there is the memory
 * of an earlier moment, whole, or the damage is named.
 */
async function damageLog(scene, acts) {
  const actor = scene.start([["open"], ...acts, ["settle"], ["hold"]]);
  await actor.until(() => actor.said("holding").length > 0);
  await actor.kill();
  await scene.finish(actor);
  const log = `${scene.path()}-wal`;
  if (!existsSync(log) || readFileSync(log).length === 0) return scene.look();
  rmSync(`${scene.path()}-shm`, { force: true });
  scene.random.pick([cut, bytes])(log, scene.random);
  const ways = await lookInAllWays(scene, scene.path(), "ways");
  if (ways === null || ways.named.length > 0) return undefined;
  const look = await scene.read();
  // Of everything that was ever said, none of it acknowledged.
  const expected = scene.ledger.expected(0).map((entry) => ({ ...entry, contents: [null, ...entry.contents] }));
  if (look !== null) scene.findings.push(...checkLook({ expected, look }));
  return undefined;
}

async function lookInAllWays(scene, path, name) {
  const [file, copy] = ["json", "db"].map((ending) => join(scene.folder, `${name}-ways.${ending}`));
  await scene.perform([["lookInAllWays", { names, file, copy }]], { open: scene.at(path) });
  rmSync(copy, { force: true });
  if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8"));
  scene.note("harness", `${path} was not looked at`);
  return null;
}

function bytes(path, random) {
  change(path, (content) => {
    for (const _ of numbers(0, random.pick([1, 1, 3, 40])))
      content[random.between(0, content.length - 1)] ^= 1 << random.between(0, 7);
  });
}

function page(path, random) {
  change(path, (content) => {
    const start = random.between(0, Math.floor(content.length / pageSize) - 1) * pageSize;
    content.fill(0, start, start + pageSize);
  });
}

function cut(path, random) {
  truncateSync(path, Math.floor(readFileSync(path).length * random.unit()));
}

function change(path, work) {
  const content = readFileSync(path);
  work(content);
  writeFileSync(path, content);
}
