/** The judge's file: heads, adapters and which of their ranks are a task's; one that is damaged is named. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { JudgeFile, judgeTasks } from "../../src/adapters/embedder/minilm/judge-file.js";
import { fixtureRanks, makeJudge, writeJudge } from "./judge-fixture.js";

const folder = mkdtempSync(join(tmpdir(), "mnemosyne-judge-"));
const path = join(folder, "judge.safetensors");
const tensors = makeJudge();
beforeAll(() => writeJudge(path, tensors));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a judge's file", () => {
  it("has a head for every task: a row of weights and a bias per output", () => {
    for (const task of judgeTasks) {
      const { weights, biases } = new JudgeFile(path).readHead(task);
      expect(weights.flatMap((row) => [...row])).toEqual(tensors.get(`${task}.weight`)!.numbers);
      expect([...biases]).toEqual(tensors.get(`${task}.bias`)!.numbers);
      expect(weights).toHaveLength(biases.length);
    }
  });

  it("has the adapters of all tasks one below the other, whole numbers times the scale of their rank", () => {
    const { changes } = new JudgeFile(path).readAdapter();
    expect(changes.size).toBe(36);
    const name = "encoder.layer.4.intermediate.dense";
    const rows = (part: "a" | "b"): number[] =>
      judgeTasks.flatMap((task) => {
        const { numbers, shape } = tensors.get(`${task}.${name}.${part}`)!;
        const scales = tensors.get(`${task}.${name}.${part}.scale`)!.numbers;
        return numbers.map((number, i) => Math.fround(number * scales[Math.floor(i / shape[1]!)]!));
      });
    const { rank, reads, writes } = changes.get(name)!;
    expect([rank, reads.length, writes.length]).toEqual([12, 12 * 384, 12 * 1536]);
    expect([...reads]).toEqual(rows("a"));
    expect([...writes]).toEqual(rows("b"));
  });

  it("says which ranks are a task's: 3, then 6, then 1, then 2; none without a task", () => {
    const { shareOf } = new JudgeFile(path).readAdapter();
    expect(fixtureRanks).toEqual({ substance: 3, relation: 6, relevance: 1, area: 2 });
    expect([...shareOf("substance")]).toEqual([1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    expect([...shareOf("relation")]).toEqual([0, 0, 0, 1, 1, 1, 1, 1, 1, 0, 0, 0]);
    expect([...shareOf("relevance")]).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0]);
    expect([...shareOf("area")]).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1]);
    expect([...shareOf(undefined)]).toEqual(Array(12).fill(0));
  });

  it("gives a layer's changes alone, equal to those among all", () => {
    const file = new JudgeFile(path);
    const [all, one] = [file.readAdapter().changes, file.readAdapter("encoder.layer.2.").changes];
    expect(one.size).toBe(6);
    for (const [name, change] of one) expect(change).toEqual(all.get(name));
  });

  it("that is the bundled one is whole: a head per task, of as many outputs as it has verdicts", () => {
    const file = new JudgeFile();
    expect(judgeTasks.map((task) => file.readHead(task).biases.length)).toEqual([1, 3, 1, 17]);
    const { changes, shareOf } = file.readAdapter();
    const used = judgeTasks.map((task) => shareOf(task));
    for (const { rank, reads, writes } of changes.values()) {
      expect(rank).toBe(used[0]!.length);
      expect([...reads, ...writes].every(Number.isFinite)).toBe(true);
    }
    // Every rank is one task's.
    expect(used[0]!.map((_, i) => used.reduce((sum, share) => sum + share[i]!, 0))).toEqual(
      new Float32Array(used[0]!.length).fill(1),
    );
  });
});

describe("a damaged judge's file is named", () => {
  const damaged = join(folder, "damaged.safetensors");

  it.each<[string, (bytes: Buffer) => Buffer]>([
    ["short by a byte", (bytes) => bytes.subarray(0, -1)],
    ["cut inside its table", (bytes) => bytes.subarray(0, 100)],
    ["empty", () => Buffer.alloc(0)],
    [
      "with a table that is no JSON",
      (bytes) => Buffer.concat([bytes.subarray(0, 8), Buffer.from("#"), bytes.subarray(9)]),
    ],
    [
      "with a table that is no table",
      (bytes) => Buffer.concat([Buffer.from([4, 0, 0, 0, 0, 0, 0, 0]), Buffer.from("null"), bytes]),
    ],
  ])("%s", (_, damage) => {
    writeFileSync(damaged, damage(readFileSync(path)));
    expect(() => new JudgeFile(damaged)).toThrow(/damaged\.safetensors .*install its package again$/u);
  });

  it("missing", () => {
    expect(() => new JudgeFile(join(folder, "nowhere.safetensors"))).toThrow(/nowhere\.safetensors/u);
  });

  it.each(["relation.bias", "relevance.encoder.layer.3.output.dense.b"])("without %s", (name) => {
    writeJudge(damaged, new Map([...tensors].filter(([each]) => each !== name)));
    const readAll = (): void => {
      const file = new JudgeFile(damaged);
      file.readAdapter();
      for (const task of judgeTasks) file.readHead(task);
    };
    expect(readAll).toThrow(`damaged.safetensors has no tensor ${name}`);
  });
});
