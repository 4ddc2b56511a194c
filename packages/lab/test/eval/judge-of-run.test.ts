/** One judge for a whole run: lent to every memory, closed at the end; memories with the paper's settings have none. */
import { evaluate } from "../../src/evaluation.js";
import { lendJudge, openJudge } from "../../src/judge-of-run.js";
import { mnemosyneName, mnemosyneSystems } from "../../src/systems/mnemosyne-systems.js";
import { selectSystems } from "../../src/systems/systems.js";
import { evaluateTrust, readParts } from "../../src/trust/trust-evaluation.js";
import { expect, it } from "vitest";
import { HashingEmbedder } from "../../../memory/test/durability/hashing-embedder.mjs";
import { ScratchFolder } from "../../../memory/test/durability/scratch-folder.js";
import { ScriptedJudge } from "../../../memory/test/engine/scripted-judge.js";
import { readTinyJourneys } from "./tiny-data.js";
import { writeTrust } from "./trust/tiny-trust.js";

const scratch = new ScratchFolder();

async function evaluateWith(names: string[], judge: ScriptedJudge): Promise<void> {
  const dataset = await readTinyJourneys(scratch.next(""));
  await evaluate(dataset, { systems: selectSystems(names), embedder: new HashingEmbedder(), judge, seed: 1 });
}

it("an evaluation asks it for every system and closes it after the last", async () => {
  const judge = new ScriptedJudge();
  const isClosedWhenAsked: boolean[] = [];
  const relevance = judge.relevance.bind(judge);
  judge.relevance = (question, statements) => {
    isClosedWhenAsked.push(judge.isClosed);
    return relevance(question, statements);
  };
  await evaluateWith(["mnemosyne"], judge);
  const count = isClosedWhenAsked.length;
  expect(count).toBeGreaterThan(0);
  judge.isClosed = false;
  await evaluateWith(["mnemosyne", "without-decay"], judge);
  expect(isClosedWhenAsked).toHaveLength(3 * count);
  expect(isClosedWhenAsked).not.toContain(true);
  expect(judge.isClosed).toBe(true);
});

it("the paper's settings and the baselines have none", async () => {
  const judge = new ScriptedJudge();
  await evaluateWith(["mnemosyne-paper", "mnemosyne-paper-strict", "bm25"], judge);
  expect([judge.texts, judge.pairs, judge.statements]).toEqual([[], [], []]);
  expect(judge.isClosed).toBe(true);
});

it("the trust evaluation asks it and closes it", async () => {
  const judge = new ScriptedJudge();
  const parts = await readParts(writeTrust(scratch.next("")));
  const setting = { embedder: new HashingEmbedder(), profile: "general", parameters: {}, seed: 1 } as const;
  await evaluateTrust(parts, { ...setting, judge });
  for (const asked of [judge.texts, judge.pairs, judge.statements]) expect(asked).not.toEqual([]);
  expect(judge.isClosed).toBe(true);
});

it("is the bundled one unless another or none is chosen", async () => {
  const embedder = new HashingEmbedder();
  expect(openJudge(undefined, embedder)).toMatchObject({ name: "bundled" });
  expect(openJudge(false, embedder)).toBe(false);
  const judge = new ScriptedJudge();
  expect(openJudge(judge, embedder)).toBe(judge);
  expect(lendJudge(false)).toBe(false);
});

it("what the judge takes for a repetition counts as one, whatever the words are most like", async () => {
  const judge = new ScriptedJudge({
    relation: ({ older, newer }) => (/Tagus/u.test(older) && /again/u.test(newer) ? "repetition" : "different"),
  });
  const { open } = mnemosyneSystems.find(({ name }) => name === mnemosyneName)!;
  const system = await open({
    embedder: new HashingEmbedder(),
    judge,
    timeZone: "UTC",
    profile: "general",
    seed: 1,
    parameters: { relationCosineMin: -1, updateCosineMin: -1 },
    recordedModel: null,
  });
  const texts = ["Her home stands beside the Tagus.", "Ada lives in Lisbon now.", "Ada lives in Lisbon again."];
  const decisions = [];
  for (const [i, summary] of texts.entries()) {
    decisions.push(await system.commit({ id: `m${i}`, atMs: i, turns: [], summary, state: null, labels: null }));
  }
  await system.close();
  expect(decisions.map((decision) => decision!.repeatsId)).toEqual([null, null, "m0"]);
});
