// `npm run bench:inspector`: how fast the inspector shows 2,000 and 10,000 memories: time to the first graph, to the laid-out
// one, and the time between frames while it is moved and zoomed. The memories are synthetic and the server is this process,
// answering with one graph; the browser is Chromium without a GPU, which is the slow case. --counts 2000 for some.
import { createServer } from "node:http";
import { readFileSync, readdirSync } from "node:fs";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";

const built = fileURLToPath(new URL("../dist/inspector/", import.meta.url));
const { values: options } = parseArgs({ options: { counts: { type: "string", default: "2000,10000" } } });
const types = { ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".html": "text/html" };
const moveCount = 90;

const files = new Map(
  readdirSync(built, { recursive: true })
    .filter((name) => extname(name) !== "")
    .map((name) => [`/${name}`, readFileSync(built + name)]),
);
files.set("/", files.get("/index.html"));
const compressed = [...files].reduce((sum, [path, bytes]) => (path === "/" ? sum : sum + gzipSync(bytes).length), 0);
process.stdout.write(`bundle: ${(compressed / 1e3).toFixed(1)} kB compressed\n`);

const browser = await chromium.launch({
  executablePath: process.env.MNEMOSYNE_CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
try {
  for (const count of options.counts.split(",").map(Number)) await measure(count);
} finally {
  await browser.close();
}

async function measure(count) {
  const graph = JSON.stringify(makeGraph(count));
  const server = createServer((request, response) => answer(request, response, graph));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  try {
    await page.goto(`http://127.0.0.1:${server.address().port}/#/ada/graph`);
    await page.waitForSelector('.stage[data-laid-out="true"]', { timeout: 180_000 });
    const marks = await page.evaluate(() =>
      ["first-graph", "laid-out"].map((name) => performance.getEntriesByName(name)[0].startTime),
    );
    const panning = await framesWhile(page, async () => {
      await page.mouse.move(640, 400);
      await page.mouse.down();
      for (let i = 0; i < moveCount; i++) await page.mouse.move(640 + 3 * (i % 60), 400 + 2 * (i % 45));
      await page.mouse.up();
    });
    const zooming = await framesWhile(page, async () => {
      for (let i = 0; i < moveCount; i++) await page.mouse.wheel(0, i < moveCount / 2 ? -40 : 40);
    });
    const [first, laidOut] = marks.map(Math.round);
    process.stdout.write(
      `${count} memories: first graph ${first} ms, laid out ${laidOut} ms; frames moving ${panning}, zooming ${zooming}\n`,
    );
  } finally {
    await page.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

/** The middle and the 95th of 100 times between two frames, in milliseconds. */
async function framesWhile(page, work) {
  await page.evaluate(() => {
    globalThis.frameTimes = [];
    let last = performance.now();
    globalThis.isCounting = true;
    const tick = () => {
      const now = performance.now();
      globalThis.frameTimes.push(now - last);
      last = now;
      if (globalThis.isCounting) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  });
  await work();
  const times = await page.evaluate(() => {
    globalThis.isCounting = false;
    return globalThis.frameTimes.slice(1).toSorted((x, y) => x - y);
  });
  const at = (share) => times[Math.min(times.length - 1, Math.floor(share * times.length))].toFixed(0);
  return `${at(0.5)} ms (95 %: ${at(0.95)} ms)`;
}

/** Topics of about forty memories, each near its predecessors; every seventh a pair, every twentieth outdated. */
function makeGraph(count) {
  const random = seededRandom(1);
  const memories = [];
  const edges = [];
  for (let i = 0; i < count; i++) {
    memories.push(makeMemory(i));
    const ends = new Set();
    for (let e = 0; e < 5 && i > 0; e++) {
      const isNear = random() < 0.9;
      const topicCount = Math.max(1, Math.floor(count / 40));
      const other = isNear ? i - topicCount * (1 + Math.floor(random() * 4)) : Math.floor(random() * i);
      if (other >= 0) ends.add(other);
    }
    for (const other of ends) {
      const isPair = i % 7 === 0 && other === [...ends][0];
      if (isPair) memories[i].pairId = memories[other].id;
      edges.push({
        a: `m${other}`,
        b: `m${i}`,
        weight: 0.5 + random() / 2,
        boostMs: isPair ? 8.64e8 : 0,
        boostedMs: isPair ? i * 3.6e6 : null,
      });
      memories[i].edgeCount += 1;
      memories[other].edgeCount += 1;
    }
    if (i % 20 === 0 && i > 0) memories[i - 1].outdatedBy.push(`m${i}`);
  }
  return { memories, edges };
}

function makeMemory(i) {
  const at = new Date(1.7e12 + i * 3.6e6).toISOString();
  const summary = `Memory ${i}: what was said on that day about topic ${i % 40}, in a sentence or two of the usual length, so that the answer weighs what it would.`;
  return {
    id: `m${i}`,
    at,
    naturalizedTime: "",
    summary,
    state: null,
    keywords: ["topic", String(i % 40)],
    statements: [summary],
    hypotheticalQuery: "",
    pairId: null,
    updates: [],
    outdatedBy: [],
    pinnedArea: null,
    metadata: {},
    expiresAt: null,
    edgeCount: 0,
  };
}

function seededRandom(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function answer(request, response, graph) {
  const path = request.url.split("?")[0];
  const file = files.get(path);
  if (file !== undefined)
    return void response.writeHead(200, { "content-type": types[extname(path)] ?? "text/html" }).end(file);
  if (path.endsWith("/graph")) return void response.writeHead(200, { "content-type": "application/json" }).end(graph);
  if (path.endsWith("/events"))
    return void response.writeHead(200, { "content-type": "text/event-stream" }).write(": here\n\n");
  return void response.writeHead(404).end("{}");
}
