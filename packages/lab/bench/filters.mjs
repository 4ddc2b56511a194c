/**
 * `npm run bench:filters`: what a filter costs a recall. The same questions on one filled store without a filter and with
 * filters that let most, half or few memories pass, taking turns; the library's own work, without embedding. The first
 * recall with a filter after opening, which reads the metadata, is measured apart. `-- 1000` for another size.
 */
import { join } from "node:path";
import { openFilled, timeOwnWork } from "./commit-recall.mjs";
import { fill } from "./fill.mjs";
import { endOnSignals, formatTable, makeFolder, summarize } from "./harness.mjs";
import { makeQuestion } from "./synthetic.mjs";

const count = Number(process.argv[2] ?? 10_000);
const roundCount = 12;
/** Recalls of one kind before the next kind's turn. */
const turnLength = 10;
const agents = ["support", "sales", "care", "office"];

const variants = [
  { name: "without a filter", options: {} },
  { name: "one equality, a quarter passes", options: { filter: { agent: "support" } } },
  { name: "a list that contains, half passes", options: { filter: { tags: "even" } } },
  { name: "a range, nine tenths pass", options: { filter: { number: { gte: count / 10 } } } },
  {
    name: "and, or, not, in",
    options: {
      filter: {
        and: [
          { or: [{ agent: { in: ["support", "sales"] } }, { tags: "odd" }] },
          { not: { agent: "office" } },
          { number: { gte: 10, lt: count - 10 } },
        ],
      },
    },
  },
  { name: "from a time, no filter", options: { from: 0 } },
];

function metadataOf(number) {
  return {
    agent: agents[number % agents.length],
    tags: [number % 2 === 0 ? "even" : "odd", `batch ${number % 100}`],
    number,
  };
}

endOnSignals();
const path = join(makeFolder(), "filters.db");
await fill({ path, count, metadataOf });
const { mnemosyne, memory, embedder } = await openFilled(path);
const recall = (options, i) => memory.recall(makeQuestion((i * 7919) % count), { seed: i, ...options });
await timeOwnWork(embedder, turnLength, (i) => recall({}, i));
const [firstMs] = await timeOwnWork(embedder, 1, () => recall(variants[1].options, 0));
const times = variants.map(() => []);
for (let round = 0; round <= roundCount; round++) {
  for (const [i, { options }] of variants.entries()) {
    const measured = await timeOwnWork(embedder, turnLength, (j) => recall(options, round * turnLength + j));
    // The first round only warms up.
    if (round > 0) times[i].push(...measured);
  }
}
await mnemosyne.close();
const medians = times.map((each) => summarize(each));
const rows = variants.map(({ name }, i) => [
  name,
  medians[i].median.toFixed(2),
  medians[i].p95.toFixed(2),
  `× ${(medians[i].median / medians[0].median).toFixed(2)}`,
]);
process.stdout.write(`${count} memories, ${times[0].length} recalls of each kind, milliseconds\n\n`);
process.stdout.write(`${formatTable(["recall", "median", "p95", "ratio"], rows)}\n\n`);
process.stdout.write(`the first recall with a filter after opening: ${firstMs.toFixed(2)} ms\n`);
