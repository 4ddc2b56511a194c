/** The trust data and the file of CLINC150: what is read, and what is refused by file and field. */
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readSmallTalk } from "../../../src/data/clinc.js";
import { readCore, readCorrections, readPairs, readSubstance, readUnanswerable } from "../../../src/data/trust.js";
import { ScratchFolder } from "../../../../memory/test/durability/scratch-folder.js";
import { type RawTrust, makeTrust, writeClinc, writeTrust } from "../trust/tiny-trust.js";

const scratch = new ScratchFolder();
const shipped = fileURLToPath(new URL("../../../benchmarks/trust", import.meta.url));

function countBy(values: readonly (string | boolean)[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[String(value)] = (counts[String(value)] ?? 0) + 1;
  return counts;
}

it("the data of the repository are as their README counts them", async () => {
  const [substance, pairs] = [await readSubstance(shipped), await readPairs(shipped)];
  const [corrections, unanswerable] = [await readCorrections(shipped), await readUnanswerable(shipped)];
  expect(countBy(substance.map(({ keep }) => keep))).toEqual({ true: 65, false: 55 });
  expect(countBy(pairs.map(({ relation }) => relation))).toEqual({ repetition: 40, update: 30, different: 50 });
  expect(corrections).toHaveLength(30);
  expect(corrections.flatMap(({ questions }) => questions)).toHaveLength(50);
  const asked = unanswerable.flatMap(({ questions }) => questions.map(({ isAnswerable }) => isAnswerable));
  expect(countBy(asked)).toEqual({ true: 60, false: 60 });
  const core = await readCore(shipped);
  expect(countBy(core.map(({ profile }) => profile))).toEqual({ general: 5, healthcare: 5 });
  expect(core.flatMap(({ statements }) => statements)).toHaveLength(400);
  expect(core.flatMap(({ mustKnow }) => mustKnow)).toHaveLength(115);
  expect(core.flatMap(({ mustNotSay }) => mustNotSay)).toHaveLength(43);
});

it("statements are named by their index", async () => {
  const [story] = await readCorrections(writeTrust(scratch.next("")));
  expect(story!.statements.map(({ id }) => id)).toEqual(["s0", "s1", "s2"]);
  expect(story!.questions[0]).toMatchObject({ current: ["s2"], outdated: ["s0"], about: "present" });
});

describe("refused, by file and field:", () => {
  const spoil = (change: (trust: RawTrust) => void): string => {
    const trust = makeTrust();
    change(trust);
    return writeTrust(scratch.next(""), trust);
  };

  it("a statement that is not there", async () => {
    const folder = spoil(({ corrections }) => (corrections[0]!.questions[0]!["current"] = [3]));
    await expect(readCorrections(folder)).rejects.toThrow(
      /corrections\.json: \[0\]\.questions\[0\]\.current\[0\] must be a statement from 0 to 2, but is 3/u,
    );
  });

  it("an answerable question without a statement, and the reverse", async () => {
    const without = spoil(({ unanswerable }) => (unanswerable[0]!.questions[0]!["gold"] = []));
    await expect(readUnanswerable(without)).rejects.toThrow(/questions\[0\]\.gold must name a statement/u);
    const withGold = spoil(({ unanswerable }) => (unanswerable[0]!.questions[3]!["gold"] = [0]));
    await expect(readUnanswerable(withGold)).rejects.toThrow(/questions\[3\]\.gold must name a statement/u);
  });

  it("a person's profile, somebody of whom nothing must be known, a fact without keywords", async () => {
    const odd = spoil(({ core }) => (core[1]!["profile"] = "pirate"));
    await expect(readCore(odd)).rejects.toThrow(/core\.json: \[1\]\.profile must be one of general, healthcare/u);
    const none = spoil(({ core }) => (core[0]!["mustKnow"] = []));
    await expect(readCore(none)).rejects.toThrow(/\[0\]\.mustKnow must not be empty/u);
    const bare = spoil(({ core }) => (core[0]!["mustNotSay"] = [{ fact: "lives in Evora", keywords: [] }]));
    await expect(readCore(bare)).rejects.toThrow(/mustNotSay\[0\]\.keywords must not be empty/u);
  });

  it("a relation, a duplicate, nothing at all", async () => {
    const odd = spoil(({ pairs }) => (pairs[1]!["relation"] = "similar"));
    await expect(readPairs(odd)).rejects.toThrow(/pairs\.json: \[1\]\.relation must be one of repetition, update/u);
    const twice = spoil(({ substance }) => (substance[1]!["id"] = "f1"));
    await expect(readSubstance(twice)).rejects.toThrow(/"f1" occurs twice/u);
    const none = spoil((trust) => (trust.substance = []));
    await expect(readSubstance(none)).rejects.toThrow(/substance\.json: the value must not be empty/u);
  });
});

describe("CLINC150", () => {
  it("is read for its small talk only", async () => {
    expect(await readSmallTalk(writeClinc(scratch.next(".json")))).toEqual([
      { id: "train-0", text: "flip a coin for me", intent: "flip_coin" },
      { id: "train-1", text: "heads or tails", intent: "flip_coin" },
      { id: "train-3", text: "how old are you", intent: "how_old_are_you" },
    ]);
  });

  it("is refused without any, or with half a request", async () => {
    const errands = writeClinc(scratch.next(".json"), [["pay my rent", "pay_bill"]]);
    await expect(readSmallTalk(errands)).rejects.toThrow(/train has no request of a small-talk intent/u);
    const half = writeClinc(scratch.next(".json"), [["pay my rent"]]);
    await expect(readSmallTalk(half)).rejects.toThrow(/train\[0\] must be a text and its intent/u);
  });
});
