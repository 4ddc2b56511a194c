/**
 * What a change costs: `node bench/against.mjs FOLDER [COUNT]` compares this checkout with another one that is built
 * (`git worktree add FOLDER COMMIT`, then `npm ci && npm run build` there). Both import the same memories into a plain and
 * an encrypted file and then take turns in processes of their own, so that whatever else the machine does hits both. The
 * figures are processor time of all threads, without the embedder's, the least of all rounds: this checkout's divided by
 * the other's. With Redis, where one is installed, it is the client's alone.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { RedisServer, hasRedis } from "../../memory/test/redis/redis-server.mjs";
import { formatTable, makeFolder, person, removeFolder } from "./harness.mjs";
import { BenchClock, SyntheticEmbedder, makeConversation, makeQuestion } from "./synthetic.mjs";

const roundCount = 15;
const recallCount = 100;
const commitCount = 40;
const encryptionKey = "a key of more than thirty-two bytes, for measuring only";
const variants = { plain: {}, encrypted: { encryptionKey }, redis: {} };
const script = fileURLToPath(import.meta.url);
const ownFolder = resolve(script, "../..");

async function measure({ checkout, path, variant, lines, count, round }) {
  const { Mnemosyne } = await import(pathToFileURL(join(checkout, "dist/index.js")).href);
  const embedder = new SyntheticEmbedder();
  // A build from before there was one refuses the option.
  const withoutJudge = existsSync(join(checkout, "models")) ? { judge: false } : {};
  const open = () =>
    Mnemosyne.open({
      path,
      embedder,
      ...withoutJudge,
      clock: new BenchClock(),
      timeZone: "Europe/London",
      parameters: { substanceThreshold: -10, coreSummaryIntervalCommits: 0 },
      ...variants[variant],
    });
  if (lines !== undefined) {
    const mnemosyne = await open();
    await mnemosyne.person(person).import(readFileSync(lines, "utf8").trimEnd().split("\n"));
    await mnemosyne.close();
    return { bytes: variant === "redis" ? NaN : statSync(path).size };
  }
  const timed = async (work) => {
    const [spentMs, before] = [embedder.spentMs, process.cpuUsage()];
    await work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000 - (embedder.spentMs - spentMs);
  };
  let mnemosyne;
  const opening = await timed(async () => (mnemosyne = await open()));
  const memory = mnemosyne.person(person);
  const loading = await timed(() => memory.recall(makeQuestion(0), { seed: 0 }));
  const recall = await timed(async () => {
    for (let i = 1; i <= recallCount; i++) await memory.recall(makeQuestion(i % 20), { seed: i });
  });
  const commit = await timed(async () => {
    for (let i = 0; i < commitCount; i++) {
      await memory.commit({ turns: makeConversation(count + round * commitCount + i).turns });
      await memory.settled();
    }
  });
  await mnemosyne.close();
  return { opening, loading, recall, commit };
}

function runChild(input) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, "--child", JSON.stringify(input)], {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

async function main([other, countText = "5000"]) {
  if (other === undefined) throw new Error("usage: node bench/against.mjs FOLDER [COUNT]");
  const count = Number(countText);
  const folder = makeFolder();
  try {
    const lines = join(folder, "memories.jsonl");
    await writeMemories(lines, join(folder, "filled.db"), count);
    const sides = { other: resolve(other), own: ownFolder };
    const rows = [];
    for (const variant of Object.keys(variants)) {
      if (variant === "redis" && !hasRedis) continue;
      const server = variant === "redis" ? await RedisServer.start() : null;
      rows.push(compare(variant, sides, { folder, lines, count, server }));
      await server?.stop();
    }
    const names = Object.keys(rows[0]).filter((name) => name !== "variant");
    process.stdout.write(
      `${formatTable(
        [`${count} memories`, ...names],
        rows.map((row) => [row.variant, ...names.map((name) => (Number.isNaN(row[name]) ? "" : row[name].toFixed(3)))]),
      )}\n`,
    );
  } finally {
    removeFolder(folder);
  }
}

function compare(variant, sides, { folder, lines, count, server }) {
  const pathOf = (side) =>
    server === null ? join(folder, `${variant}-${side}.db`) : `${server.url}?prefix=${encodeURIComponent(`${side}:`)}`;
  const paths = Object.fromEntries(Object.keys(sides).map((side) => [side, pathOf(side)]));
  const sizes = Object.fromEntries(
    Object.entries(sides).map(([side, checkout]) => [
      side,
      runChild({ checkout, path: paths[side], variant, lines, count }).bytes,
    ]),
  );
  const times = { other: [], own: [] };
  for (let round = 0; round < roundCount; round++) {
    // Whoever is first alternates.
    const order = round % 2 === 0 ? ["other", "own"] : ["own", "other"];
    for (const side of order)
      times[side].push(runChild({ checkout: sides[side], path: paths[side], variant, count, round }));
    process.stderr.write(`${variant}: round ${round + 1} of ${roundCount}\n`);
  }
  const least = (side, name) => Math.min(...times[side].map((each) => each[name]));
  const ratio = (name) => least("own", name) / least("other", name);
  return {
    variant,
    size: sizes.own / sizes.other,
    ...Object.fromEntries(Object.keys(times.own[0]).map((name) => [name, ratio(name)])),
  };
}

async function writeMemories(lines, path, count) {
  const [{ fill }, { Mnemosyne }] = await Promise.all([import("./fill.mjs"), import("mnemosyne-edge")]);
  await fill({ path, count });
  const mnemosyne = await Mnemosyne.open({ path, embedder: new SyntheticEmbedder(), clock: new BenchClock() });
  const all = [];
  for await (const line of mnemosyne.person(person).export()) all.push(line);
  await mnemosyne.close();
  writeFileSync(lines, `${all.join("\n")}\n`);
}

if (process.argv[2] === "--child") process.stdout.write(JSON.stringify(await measure(JSON.parse(process.argv[3]))));
else await main(process.argv.slice(2));
