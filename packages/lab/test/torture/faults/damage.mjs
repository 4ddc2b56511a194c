/** A closed file with flipped bits, overwritten ranges, missing ends: named or harmless, never passed off as the original. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkEnd, finding } from "../checks.mjs";
import { interactionOf, numbers } from "../interactions.mjs";
import { originalOf } from "../reading.mjs";
import { encryptionKey } from "../scene.mjs";

const cliPath = fileURLToPath(new URL("../../../../server/dist/cli/main.js", import.meta.url));
const pageLength = 4096;
/** Opening the bundled embedder takes most of the time. */
const placeCounts = { hashing: 40, bundled: 8 };
const doctorCount = 4;
const interactionCount = 48;
const persons = ["ada", "bea", "cem"];
/** What the doctor ends with when it looked to the end, or refused to. */
const doctorCodes = new Set([0, 2, 3, 4, 5, 6]);
const doctorLimitMs = 120_000;

export const damage = {
  kind: "damage",
  // Twice in each round: there are many places.
  stores: ["sqlite", "encrypted", "sqlite", "encrypted"],
  async run(scene) {
    const embedder = scene.number % 6 < 4 ? "hashing" : "bundled";
    const placeCount = placeCounts[embedder];
    const base = await healthyBase(scene, embedder);
    const copies = numbers(0, placeCount + 1).map((index) => damagedCopy(scene, base, index));
    scene.damage = { places: placeCount, named: 0, unharmed: 0, readable: 0, total: 0 };
    const inspected = await inspectAll(scene, base, copies, embedder);
    for (const [index, result] of inspected) countPlace(scene, copies[index], result, index);
    if (embedder === "bundled") {
      for (const copy of copies.slice(1, 1 + doctorCount))
        await askDoctor(scene, copy, inspected.get(copies.indexOf(copy)));
    }
  },
};

/** A database of many pages and everything that was read from it, made once per run. */
async function healthyBase(scene, embedder) {
  const folder = join(scene.resources.folder, `base-${scene.store}-${embedder}`);
  const base = { path: join(folder, "memory.db"), healthy: join(folder, "healthy.json") };
  if (existsSync(base.healthy)) return base;
  mkdirSync(folder, { recursive: true });
  const open = { ...openOf(scene, embedder), path: base.path };
  const turns = numbers(900, 5).map((number) => ({ number, who: "user", text: `Turn ${number} about the choir.` }));
  const acts = [
    ["open"],
    ...numbers(0, interactionCount).map((number) => ["commit", { number, hasId: true }]),
    ["settle"],
    ...persons.map((person) => ["recall", { person, question: "How was the garden last summer?" }]),
    ["talk", { id: "talk", person: "ada", turns }],
    ["close"],
  ];
  await scene.perform(acts, { open, seed: "base" });
  const read = join(folder, "read.json");
  await scene.perform([["readHealthy", { persons, file: read }]], { open });
  const { readings } = JSON.parse(readFileSync(read, "utf8"));
  const original = originalOf(readings, persons);
  const histories = Object.fromEntries(persons.map((person) => [person, original[`history of ${person}`].items]));
  writeFileSync(base.healthy, JSON.stringify({ persons, original, histories }));
  // The marks of the base belong to no scene.
  scene.acknowledged.clear();
  return base;
}

function openOf(scene, embedder) {
  return { ...scene.at(""), embedder };
}

const ways = {
  bit: (random, bytes) => flip(random, bytes, random.between(0, bytes.length - 1)),
  bits(random, bytes) {
    for (let i = random.between(2, 64); i > 0; i--) flip(random, bytes, random.between(0, bytes.length - 1));
    return bytes;
  },
  header: (random, bytes) => flip(random, bytes, random.between(0, 199)),
  pageHeader: (random, bytes) =>
    flip(random, bytes, pageLength * random.between(0, pagesOf(bytes) - 1) + random.between(0, 11)),
  range(random, bytes) {
    const from = random.between(0, bytes.length - 1);
    const fill = random.pick([0, 0xff, 0xaa, null]);
    const until = Math.min(bytes.length, from + random.between(1, 2 * pageLength));
    for (let at = from; at < until; at++) bytes[at] = fill ?? random.between(0, 255);
    return bytes;
  },
  cut: (random, bytes) => bytes.subarray(0, random.between(0, bytes.length - 1)),
  cutPages: (random, bytes) => bytes.subarray(0, pageLength * random.between(0, pagesOf(bytes) - 1)),
  pageOverPage(random, bytes) {
    const [from, to] = [random, random].map((each) => pageLength * each.between(0, pagesOf(bytes) - 1));
    bytes.copyWithin(to, from, from + pageLength);
    return bytes;
  },
  /** Inside of words that are shown, where no structure notices. */
  word(random, bytes) {
    const { input } = interactionOf("", random.between(0, interactionCount - 1));
    const text = (input.summary ?? input.turns[0].text).slice(0, 30);
    const places = [];
    for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + 1)) places.push(at);
    if (places.length === 0) return ways.bit(random, bytes);
    bytes[random.pick(places) + random.between(0, 29)] ^= random.pick([1, 2, 4]);
    return bytes;
  },
};

function flip(random, bytes, at) {
  bytes[at] ^= 1 << random.between(0, 7);
  return bytes;
}

function pagesOf(bytes) {
  return Math.floor(bytes.length / pageLength);
}

/** The first copy is left as it is: if that reads differently, so does everything. */
function damagedCopy(scene, base, index) {
  const random = scene.random.branch(`place ${index}`);
  const path = join(scene.folder, `copy-${index}.db`);
  if (index === 0) {
    copyFileSync(base.path, path);
    return { path, way: "nothing" };
  }
  const way = random.pick([...Object.keys(ways), "word", "word", "bit"]);
  writeFileSync(path, ways[way](random, readFileSync(base.path)));
  // Reading may write; the doctor gets the file as it was damaged.
  const forDoctor = join(scene.folder, `doctor-${index}.db`);
  if (index <= doctorCount) copyFileSync(path, forDoctor);
  return { path, way, forDoctor };
}

/** One process for many copies; after one that it did not survive, another goes on. */
async function inspectAll(scene, base, copies, embedder) {
  const results = new Map();
  for (let next = 0; next < copies.length;) {
    const paths = copies.slice(next).map(({ path }) => path);
    const actor = scene.start([["inspect", { paths, healthy: base.healthy }]], { open: openOf(scene, embedder) });
    const end = await actor.ended;
    scene.count(actor);
    for (const { index, ...result } of actor.said("inspected")) results.set(next + index, result);
    const last = actor.said("inspecting").at(-1);
    if (last === undefined) throw new Error(`no copy was inspected: ${actor.errors}`);
    if (actor.said("inspected").length <= last) {
      const findings = checkEnd({ ...end, ...actor });
      const raw = actor.said("raw").map(({ message }) => finding("raw", message));
      results.set(next + last, { findings: [...findings, ...raw], isNamed: false, readable: 0, total: 0 });
    }
    next += last + 1;
  }
  return results;
}

function countPlace(scene, { path, way }, { findings, isNamed, readable, total }, index) {
  // A fault counts once per place, in however many ways of reading it shows.
  for (const fault of new Set(findings.map((found) => found.fault))) {
    const seen = findings.filter((found) => found.fault === fault).map(({ what }) => what);
    scene.note(fault, `${way} in copy ${index}: ${seen.join("; ")}`);
  }
  if (findings.length === 0) rmSync(path, { force: true });
  if (index === 0) return;
  scene.damage.readable += readable;
  scene.damage.total += total;
  if (isNamed) scene.damage.named++;
  else if (findings.length === 0) scene.damage.unharmed++;
}

async function askDoctor(scene, { forDoctor, way }, { findings, isNamed }) {
  const env = { ...process.env, ...(scene.store === "encrypted" ? { MNEMOSYNE_KEY: encryptionKey } : {}) };
  const child = spawn(process.execPath, [cliPath, "--path", forDoctor, "doctor"], {
    env,
    timeout: doctorLimitMs,
    killSignal: "SIGKILL",
  });
  let errors = "";
  child.stdout.resume();
  child.stderr.on("data", (data) => (errors += data));
  const [code, signal] = await once(child, "close");
  const isDone = doctorCodes.has(code);
  const ended = checkEnd({ code: isDone ? 0 : code, signal, errors, isEndedByUs: false, hasHung: child.killed });
  for (const { fault, what } of ended) scene.note(fault, `doctor, ${way}: ${what}`);
  const isHarmed = isNamed || findings.length > 0;
  if (code === 0 && isHarmed) scene.note("silent", `the doctor finds nothing, ${way}: ${forDoctor}`);
}
