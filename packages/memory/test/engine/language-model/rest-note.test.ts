/** The note of a model's rest: read as it was written, one for each model, and nothing where it cannot be read. */
import { expect, it } from "vitest";
import { MemoryStore } from "../../../src/adapters/store/memory/store.js";
import { RestNote } from "../../../src/engine/language-model/rest-note.js";

const complete = async (): Promise<string> => "";
const rest = { untilMs: 1_000, nextFactor: 2, reason: "no reply" };

it("is read as it was written, and gone when it is taken back", async () => {
  const store = new MemoryStore();
  const note = new RestNote(store, { name: "one", complete });
  expect(await note.read()).toBeNull();
  await note.write(rest);
  expect(await note.read()).toEqual(rest);
  expect(await new RestNote(store, { name: "one", address: "", complete }).read()).toEqual(rest);
  await note.write(null);
  expect(await note.read()).toBeNull();
});

it("is another one for another name and another address", async () => {
  const store = new MemoryStore();
  await new RestNote(store, { name: "one", address: "here", complete }).write(rest);
  expect(await new RestNote(store, { name: "two", address: "here", complete }).read()).toBeNull();
  expect(await new RestNote(store, { name: "one", address: "there", complete }).read()).toBeNull();
  expect(await new RestNote(store, { name: "onehere", complete }).read()).toBeNull();
});

it.each([
  '{"untilMs": "1000", "nextFactor": 2, "reason": "x"}',
  '{"untilMs": 1000, "nextFactor": null, "reason": "x"}',
  '{"untilMs": 1000, "nextFactor": 2}',
  "null",
  "5",
  "{",
])("%s is no note", async (json) => {
  const store = { cached: async () => new TextEncoder().encode(json), cache: async () => {} };
  expect(await new RestNote(store, { name: "one", complete }).read()).toBeNull();
});
