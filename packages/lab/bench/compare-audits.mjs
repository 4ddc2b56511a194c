/**
 * `npm run bench:compare-audits -- before.jsonl after.jsonl [system]`: what a change of the code did, question by question.
 * Both files are written by `mnemosyne eval … --save`, from two checkouts with the same data and seed. Prints hit rate and
 * nDCG at 3 and recall at 10 of one system in both, with the difference and its 95 % interval.
 */
import { keyOf, readAudit } from "../dist/report/audit.js";
import { Bootstrap } from "../dist/report/bootstrap.js";
import { hitAt, ndcgAt, recallAt } from "../dist/report/metrics.js";
import { formatTable } from "./harness.mjs";

const [beforePath, afterPath, system = "mnemosyne"] = process.argv.slice(2);
if (afterPath === undefined) {
  process.stderr.write("Name two audit files: npm run bench:compare-audits -- before.jsonl after.jsonl [system]\n");
  process.exit(2);
}

const measures = {
  "hit rate@3": ({ ranked, gold }) => hitAt(3, ranked, gold),
  "nDCG@3": ({ ranked, gold }) => ndcgAt(3, ranked, gold),
  "recall@10": ({ ranked, gold }) => recallAt(10, ranked, gold),
};

async function read(path) {
  const { header, records } = await readAudit(path);
  const own = records.filter((record) => record.system === system && record.gold.length > 0);
  return { header, byKey: new Map(own.map((record) => [keyOf(record), record])) };
}

const [before, after] = [await read(beforePath), await read(afterPath)];
const keys = [...before.byKey.keys()].filter((key) => after.byKey.has(key));
if (keys.length === 0) {
  process.stderr.write(`No question of ${system} is in both files.\n`);
  process.exit(2);
}
const bootstrap = new Bootstrap(after.header.seed);
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const signed = (value) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;
const rows = Object.entries(measures).map(([name, score]) => {
  const [old, now] = [before, after].map(({ byKey }) => keys.map((key) => score(byKey.get(key))));
  const differences = now.map((value, i) => value - old[i]);
  const [low, high] = bootstrap.interval(differences);
  const gained = `${signed(mean(differences))} [${signed(low)}, ${signed(high)}]`;
  return [name, mean(old).toFixed(3), mean(now).toFixed(3), gained];
});
const unmatched = before.byKey.size + after.byKey.size - 2 * keys.length;
process.stdout.write(
  `${system}, ${after.header.dataset}: ${keys.length} questions${unmatched === 0 ? "" : `, ${unmatched} in one file only`}\n` +
    `before ${before.header.commit}, after ${after.header.commit}\n\n` +
    `${formatTable(["measure", "before", "after", "gained"], rows)}\n`,
);
