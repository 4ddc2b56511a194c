/**
 * What REST adds to a recall: the same kind of question in turn through the server, timed by a client in another process, and
 * by the library itself, timed inside the server's process. Same memory, same process, same moment. The embedder is an
 * instant one: what it takes is the same on both ways, and would only add noise.
 */
import { fork } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createLog } from "../../../server/dist/server/log.js";
import { defaultLimits } from "../../../server/dist/server/server-context.js";
import { startServer } from "../../../server/dist/server/server.js";
import { JsonClient } from "../../../server/test/server/served-process.mjs";
import { openFilled } from "../commit-recall.mjs";
import { fill } from "../fill.mjs";
import { person, summarize } from "../harness.mjs";
import { makeQuestion } from "../synthetic.mjs";
import { loopback } from "../../../server/test/server/loopback-settings.mjs";

const memoryCount = 1_000;
const warmUpCount = 40;

export async function measureOverhead({ folder, pairCount }) {
  const path = join(folder, "overhead.db");
  await fill({ path, count: memoryCount });
  const child = fork(fileURLToPath(import.meta.url), [path]);
  const next = () => new Promise((resolve) => child.once("message", resolve));
  const { port } = await next();
  const client = new JsonClient(port);
  const viaRest = async (query) => {
    const startMs = performance.now();
    const { status } = await client.send("POST", `/v1/persons/${person}/recall`, { body: { query } });
    if (status !== 200) throw new Error(`recall was answered with ${status}`);
    return performance.now() - startMs;
  };
  const viaLibrary = async (query) => {
    child.send(query);
    return (await next()).ms;
  };
  const viaHealth = async () => {
    const startMs = performance.now();
    await client.send("GET", "/health");
    return performance.now() - startMs;
  };
  const [rest, direct, health] = [[], [], []];
  for (let i = 0; i < warmUpCount + pairCount; i++) {
    const questions = [makeQuestion(2 * i), makeQuestion(2 * i + 1)];
    const order = i % 2 === 0 ? ["rest", "direct"] : ["direct", "rest"];
    const ms = {};
    for (const [at, how] of order.entries()) {
      ms[how] = await (how === "rest" ? viaRest : viaLibrary)(questions[at]);
    }
    const healthMs = await viaHealth();
    if (i < warmUpCount) continue;
    rest.push(ms.rest);
    direct.push(ms.direct);
    health.push(healthMs);
  }
  client.close();
  child.kill();
  const difference = summarize(rest.map((ms, i) => ms - direct[i])).median;
  return {
    memoryCount,
    pairCount,
    rest: summarize(rest),
    direct: summarize(direct),
    health: summarize(health),
    difference,
  };
}

/** The server's process. */
async function serve(path) {
  const { mnemosyne, memory } = await openFilled(path);
  const settings = {
    ...loopback,
    limits: { ...defaultLimits, requestsPerMinuteMax: Infinity },
  };
  const log = createLog({ level: "error" });
  const { url } = await startServer({ mnemosyne, settings, log, keysFile: null, auditFile: null });
  process.on("message", async (query) => {
    const startMs = performance.now();
    await memory.recall(query);
    process.send({ ms: performance.now() - startMs });
  });
  process.once("disconnect", () => process.exit());
  process.send({ port: Number(new URL(url).port) });
}

if (process.argv[1] === fileURLToPath(import.meta.url) && process.send !== undefined) await serve(process.argv[2]);
