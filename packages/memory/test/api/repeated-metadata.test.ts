/** A repetition takes a memory's place only where the same filters find it, for as long. */
import { Mnemosyne, type PersonMemory } from "mnemosyne-edge";
import { expect, it, onTestFinished } from "vitest";
import { HashingEmbedder } from "../durability/hashing-embedder.mjs";

const text = "The knee bends to ninety degrees without any pain since the exercises in the pool.";

async function tellThrice(notes: readonly object[]): Promise<PersonMemory> {
  const mnemosyne = await Mnemosyne.open({ path: ":memory:", embedder: new HashingEmbedder(), reader: false });
  onTestFinished(() => mnemosyne.close());
  const person = mnemosyne.person("ada");
  for (const [i, noted] of notes.entries()) {
    const at = `2025-03-0${i + 1}T09:00:00Z`;
    await person.commit(
      { id: `day-${i + 1}`, at, turns: [{ who: "user", text }], keep: true, ...noted },
      { wait: true },
    );
  }
  return person;
}

async function outcomesOf(person: PersonMemory): Promise<string[]> {
  return (await person.history()).map(({ outcome }) => outcome);
}

it("the third telling replaces the second where nothing but the day differs", async () => {
  const metadata = { agent: "b", tags: ["knee"] };
  const person = await tellThrice([{ metadata }, { metadata }, { metadata: { tags: ["knee"], agent: "b" } }]);
  expect(await outcomesOf(person)).toEqual(["committed", "replaced", "paired"]);
});

it("what another agent was told stays, for its filter", async () => {
  const [a, b] = ["a", "b"].map((agent) => ({ metadata: { agent } }));
  const person = await tellThrice([b!, a!, b!]);
  expect(await outcomesOf(person)).not.toContain("replaced");
  const { memories } = await person.recall("How far does the knee bend?", { filter: { agent: "a" } });
  expect(memories.map(({ id }) => id)).toEqual(["day-2"]);
});

it("what stays for good gives no way to what expires", async () => {
  const expiresAt = new Date(Date.now() + 86_400_000);
  expect(await outcomesOf(await tellThrice([{}, {}, { expiresAt }]))).not.toContain("replaced");
  expect(await outcomesOf(await tellThrice([{}, { expiresAt }, {}]))).toContain("replaced");
});
