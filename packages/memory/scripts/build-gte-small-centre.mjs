// Writes the vector that is subtracted from those of gte-small: a share of the mean over the examples of both profiles, which
// are everyday sentences. The share is chosen so that these sentences, compared with one another, have the same mean cosine
// as with all-MiniLM-L6-v2. No question or answer of an evaluation goes into it. Run it after a build, where gte-small is
// installed. Other examples give another vector, and then the embedder needs another name.
import { readFileSync, writeFileSync } from "node:fs";
import runtime from "onnxruntime-node";
import { BundledEmbedder } from "../dist/adapters/embedder/minilm/bundled.js";
import { loadGteSmall, meanDirection, subtractCentre } from "../dist/adapters/embedder/gte-small/model.js";
import { WordPieces } from "../dist/adapters/embedder/onnx/word-pieces.js";
import { profiles } from "../dist/index.js";

const target = new URL("../src/adapters/embedder/gte-small/centre.ts", import.meta.url);
const dimensions = 384;
const shareStep = 0.01;

const sentences = [
  ...new Set(
    Object.values(profiles).flatMap(({ categories, mundane }) => [
      ...categories.flatMap(({ examples }) => examples),
      ...mundane,
    ]),
  ),
];

async function embedBundled() {
  const embedder = new BundledEmbedder();
  const vectors = await embedder.embed(sentences);
  await embedder.close();
  return vectors;
}

/** As the model returns them, with nothing subtracted. */
async function embedGteSmall() {
  const { graph, tokenizerPath, tokenCountMax, toInputs } = loadGteSmall();
  const pieces = new WordPieces(JSON.parse(readFileSync(tokenizerPath, "utf8")));
  const session = await runtime.InferenceSession.create(graph, { intraOpNumThreads: 1, interOpNumThreads: 1 });
  const vectors = [];
  for (const sentence of sentences) {
    const inputs = Object.entries(toInputs(BigInt64Array.from(pieces.encode(sentence, tokenCountMax), BigInt)));
    const tensors = inputs.map(([name, { data, shape }]) => [name, new runtime.Tensor("int64", data, shape)]);
    const { last_hidden_state: rows } = await session.run(Object.fromEntries(tensors));
    vectors.push(meanDirection(rows.data, dimensions));
  }
  return vectors;
}

function meanCosine(vectors) {
  let sum = 0;
  for (const [i, a] of vectors.entries()) for (const b of vectors.slice(0, i)) sum += cosine(a, b);
  return (2 * sum) / (vectors.length * (vectors.length - 1));
}

function cosine(a, b) {
  return a.reduce((sum, value, i) => sum + value * b[i], 0);
}

const wanted = meanCosine(await embedBundled());
const vectors = await embedGteSmall();
const mean = vectors[0].map((_, i) => vectors.reduce((sum, vector) => sum + vector[i], 0) / vectors.length);
const shares = Array.from({ length: 1 / shareStep + 1 }, (_, i) => i * shareStep);
const candidates = shares.map((share) => {
  const centre = mean.map((value) => value * share);
  return { share, centre, cosine: meanCosine(vectors.map((vector) => subtractCentre(vector, centre))) };
});
const [best] = candidates.toSorted((a, b) => Math.abs(a.cosine - wanted) - Math.abs(b.cosine - wanted));

const numbers = Int16Array.from(best.centre, (value) => Math.round(value * 32_767));
const lines = Buffer.from(numbers.buffer)
  .toString("base64")
  .match(/.{1,100}/gu);
writeFileSync(
  target,
  `/**
 * What is taken off the vectors of gte-small: ${best.share.toFixed(2)} of the mean over ${sentences.length} everyday sentences. Written by
 * \`scripts/build-gte-small-centre.mjs\`, which says how; not to be edited.
 */
export const gteSmallCentre = [
${lines.map((line) => `  "${line}",`).join("\n")}
].join("");
`,
);
process.stdout.write(
  `mean cosine of ${sentences.length} sentences: bundled ${wanted.toFixed(3)}, gte-small ${meanCosine(vectors).toFixed(3)}, less ${best.share.toFixed(2)} of their mean ${best.cosine.toFixed(3)}\n`,
);
