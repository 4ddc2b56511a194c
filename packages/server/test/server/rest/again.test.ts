/** What is read to tell whether a forgetting was done: not the whole history. */
import { expect, it } from "vitest";
import type { PersonMemory } from "../../../../memory/src/index.js";
import { forgettingAll } from "../../../src/server/rest/again.js";
import type { Call } from "../../../src/server/rest/route.js";
import { Servers } from "../serving.js";

const servers = new Servers();

it("a person's forgetting is noted by the first and the last interaction", async () => {
  let nowMs = Date.parse("2025-03-01T10:00:00Z");
  const { mnemosyne } = await servers.start({ memory: { clock: { nowMs: () => nowMs } } });
  const person = mnemosyne.person("ada");
  const asked: unknown[] = [];
  const watched = new Proxy(person, {
    get(target, name) {
      const member = Reflect.get(target, name, target) as unknown;
      if (typeof member !== "function") return member;
      return (...args: unknown[]) => {
        if (name === "history") asked.push(args[0]);
        return Reflect.apply(member, target, args) as unknown;
      };
    },
  });
  const call = { person: watched as PersonMemory } as Call;
  expect(await forgettingAll.note(call)).toBe(null);
  for (let i = 0; i < 5; i++) {
    // A clock that somebody sets back must not make it look done.
    nowMs += i === 3 ? -86_400_000 : 1_000;
    await person.commit({ id: `i${i}`, summary: `I own boat ${i}.`, keep: true });
  }
  const note = (await forgettingAll.note(call))!;
  expect(await forgettingAll.wasDone(call, note)).toBe(null);
  await person.forgetAll();
  expect(await forgettingAll.wasDone(call, note)).toMatchObject({ body: { forgotten: [] } });
  nowMs += 2 * 86_400_000;
  await person.commit({ id: "later", summary: "I own a kayak.", keep: true });
  expect(await forgettingAll.wasDone(call, note)).toMatchObject({ body: { forgotten: [] } });
  expect(asked.length).toBeGreaterThan(0);
  for (const options of asked) expect(options).toMatchObject({ limit: 1 });
});
