/**
 * The bundled model with an adapter switched on: the fast, the lite and the portable way give the same vectors, each
 * task its own. A made-up judge has more to tell apart than any trained one: a different number of ranks per task.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type JudgeTask, judgeTasks } from "../../src/adapters/embedder/minilm/judge-file.js";
import { ScratchFolder } from "../durability/scratch-folder.js";
import { Installation, ownPackage } from "./installation.js";
import { makeJudge, writeJudge } from "./judge-fixture.js";
import { largestDifference } from "./vectors.js";

const texts = [
  "",
  " ",
  "a",
  "!!!",
  "The cat sleeps on the sofa.",
  "I live in Lisbon. [SEP] I have moved to Porto.",
  "[SEP] [SEP]",
  "Naïve café, ΟΔΥΣΣΕΥΣ και ΣΑΣ, Съешь ещё, 他昨天去了医院。",
  "👩‍👩‍👧‍👦 came over 👍🏽 at 5, 120/80 mmHg, half a pair \uD83D",
  "x".repeat(101),
  "word ".repeat(254),
  "She said it again and again. ".repeat(60),
];

const scratch = new ScratchFolder();
const ways = ["fast", "lite", "portable"] as const;
type Way = (typeof ways)[number];
type Answers = Readonly<Record<Way, Readonly<Record<"none" | JudgeTask, number[][]>>>>;

/** The bundled judge, or that of another file. */
const makeScript = (judgePath?: string): string => `
  import { BundledEmbedder } from "mnemosyne-edge/embedder/bundled";
  const texts = ${JSON.stringify(texts)};
  const judgePath = ${JSON.stringify(judgePath) ?? "undefined"};
  const ways = { fast: { way: "fast" }, lite: { way: "fast", isLite: true }, portable: { way: "portable" } };
  const answers = {};
  for (const [name, options] of Object.entries(ways)) {
    const embedder = new BundledEmbedder({ ...options, judgePath });
    const numbers = (vectors) => vectors.map((vector) => [...vector]);
    answers[name] = { none: numbers(await embedder.embed(texts)) };
    for (const task of ${JSON.stringify(judgeTasks)}) {
      answers[name][task] = numbers(await embedder.embedAdapted(texts, task));
    }
    await embedder.close();
  }
  process.stdout.write(JSON.stringify(answers));`;

describe.each(["bundled", "made-up"])("with the %s judge", (judge) => {
  const installation = new Installation({ links: { "onnxruntime-node": ownPackage("onnxruntime-node") } });
  let answers: Answers;
  beforeAll(async () => {
    const path = judge === "made-up" ? scratch.next(".safetensors") : undefined;
    if (path !== undefined) writeJudge(path, makeJudge());
    const { out, error } = await installation.run(makeScript(path));
    expect(error).toBe("");
    answers = JSON.parse(out) as Answers;
  });
  afterAll(() => installation.remove());

  describe.each(judgeTasks)("%s", (task) => {
    it("is judged on vectors of unit length that the adapter has moved", () => {
      for (const way of ways) {
        for (const vector of answers[way][task]) expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
        expect(largestDifference(answers[way][task], answers[way].none)).toBeGreaterThan(0.01);
      }
    });

    it("has the same vectors the fast and the lite way, within 1e-4", () => {
      expect(largestDifference(answers.lite[task], answers.fast[task])).toBeLessThan(1e-4);
    });

    it("has the same vectors the fast and the portable way, within 1e-3", () => {
      expect(largestDifference(answers.portable[task], answers.fast[task])).toBeLessThan(1e-3);
    });
  });

  it("embedding is untouched by what is judged in between", () => {
    for (const way of ["lite", "portable"] as const) {
      expect(largestDifference(answers[way].none, answers.fast.none)).toBeLessThan(1e-4);
    }
  });

  if (judge === "made-up") {
    it("no two tasks have the same vectors", () => {
      const [first, second, third] = judgeTasks.map((task) => answers.portable[task]);
      expect(largestDifference(first!, second!)).toBeGreaterThan(0.01);
      expect(largestDifference(second!, third!)).toBeGreaterThan(0.01);
      expect(largestDifference(first!, third!)).toBeGreaterThan(0.01);
    });
  }
});

describe("where the judge's file is missing", () => {
  it("a judging call the portable way names it, and embedding goes on", async () => {
    const installation = new Installation();
    try {
      rmSync(installation.judgePath);
      const { out, error } = await installation.run(`
        import { BundledEmbedder } from "mnemosyne-edge/embedder/bundled";
        const embedder = new BundledEmbedder({ way: "portable" });
        await embedder.embedAdapted(["a"], "substance").catch(({ code, message }) => console.log(code, message));
        console.log((await embedder.embed(["a"]))[0].length);
        await embedder.close();`);
      expect(error).toBe("");
      const path = join("models", "judge.safetensors");
      expect(out.trim().split("\n")).toEqual([expect.stringContaining(path), "384"]);
      expect(out).toMatch(/^embedder_failed /u);
    } finally {
      installation.remove();
    }
  });
});
