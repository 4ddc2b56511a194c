// What the benchmarks of the graph share: synthetic memories, a server that answers with them, and frame times in a browser.
import { createServer } from "node:http";
import { extname } from "node:path";
import { syntheticMemory } from "../../server/test/inspector/synthetic-memory.mjs";

const types = { ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".html": "text/html" };
const moveCount = 45;

/** Serves files by path, and the graph under the address at which the inspector asks for it. */
export async function serveGraph(files, graph) {
  const text = JSON.stringify(graph);
  const server = createServer((request, response) => answer(request, response, files, text));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${server.address().port}`, stop };
}

function answer(request, response, files, graph) {
  const path = request.url.split("?")[0];
  const file = files.get(path);
  if (file !== undefined)
    return void response.writeHead(200, { "content-type": types[extname(path)] ?? "text/html" }).end(file);
  if (path.endsWith("/graph")) return void response.writeHead(200, { "content-type": "application/json" }).end(graph);
  if (path.endsWith("/events"))
    return void response.writeHead(200, { "content-type": "text/event-stream" }).write(": here\n\n");
  return void response.writeHead(404).end("{}");
}

/** Opens a page that marks "first-graph" and "laid-out", then moves and zooms it; everything in milliseconds. */
export async function measureGraph(browser, address) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  try {
    await page.goto(address);
    await page.waitForFunction(() => performance.getEntriesByName("laid-out").length > 0, null, { timeout: 180_000 });
    // The first picture of the final layout is not part of any movement.
    await page.waitForTimeout(1_500);
    const [first, laidOut] = await page.evaluate(() =>
      ["first-graph", "laid-out"].map((name) => Math.round(performance.getEntriesByName(name)[0].startTime)),
    );
    const moving = await framesWhile(page, async () => {
      await page.mouse.move(640, 400);
      await page.mouse.down();
      for (let i = 0; i < moveCount; i++) await page.mouse.move(640 + 3 * (i % 60), 400 + 2 * (i % 45));
      await page.mouse.up();
    });
    await page.waitForTimeout(1_000);
    const zooming = await framesWhile(page, async () => {
      for (let i = 0; i < moveCount; i++) await page.mouse.wheel(0, i < moveCount / 2 ? -40 : 40);
    });
    return { first, laidOut, moving, zooming };
  } finally {
    await page.close();
  }
}

export function describeMeasured({ first, laidOut, moving, zooming }) {
  const frames = ({ middle, most, longest, count }) =>
    `${middle} ms (95 %: ${most} ms, longest ${longest} ms, ${count} frames)`;
  return `first graph ${first} ms, laid out ${laidOut} ms; moving ${frames(moving)}, zooming ${frames(zooming)}`;
}

/** Times between two frames: the middle one, the 95th of 100, and the longest. */
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
  const at = (share) => Math.round(times[Math.min(times.length - 1, Math.floor(share * times.length))]);
  return { middle: at(0.5), most: at(0.95), longest: at(1), count: times.length };
}

/** Topics of about forty memories, each near its predecessors; every seventh a pair, every twentieth outdated. */
export function makeGraph(count) {
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
  const summary = `Memory ${i}: what was said on that day about topic ${i % 40}, in a sentence or two of the usual length, so that the answer weighs what it would.`;
  const keywords = ["topic", String(i % 40)];
  return syntheticMemory(`m${i}`, 1.7e12 + i * 3.6e6, { summary, keywords, statements: [summary] });
}

function seededRandom(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
