/** The long random test itself: it counts every fault that is planted, none where there is none, and plans by its seed. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type HistoryEntry, type Interaction, Mnemosyne } from "mnemosyne-edge";
import { MemoryStore } from "mnemosyne-edge/store/memory";
import { describe, expect, test } from "vitest";
import { laboratory } from "../../../memory/test/durability/laboratory.mjs";
import { ActorProcess } from "./actor-process.mjs";
import { type Finding, type Look, checkBytes, checkEnd, checkLook } from "./checks.mjs";
import { interactionOf, numbers } from "./interactions.mjs";
import { parseSeed, planOf, scenarioOf } from "./plan.mjs";
import { readEverything } from "./reading.mjs";
import { Tally, faults } from "./tally.mjs";

const told = numbers(0, 8).map((number) => interactionOf("a seed", number));
const fault = told[3]!;
const faultsOf = (findings: readonly Finding[]): string[] => [...new Set(findings.map(({ fault }) => fault))];

/** Commits everything that was told to a store, and checks what is there then. */
async function trial(store: MemoryStore): Promise<string[]> {
  const memories = await Mnemosyne.open(laboratory({ store }));
  const acknowledged = new Set<string>();
  for (const { person, input, mark } of told) {
    await memories.person(person).commit(input);
    acknowledged.add(mark);
  }
  await memories.settled();
  const look = await readEverything(memories);
  return faultsOf(checkLook({ submitted: told, acknowledged, look }));
}

const isFault = ({ summary, turns }: Interaction): boolean => JSON.stringify([summary, turns]).includes(fault.mark);

describe("acknowledged interactions:", () => {
  test("an honest store has no fault", async () => {
    expect(await trial(new MemoryStore())).toEqual([]);
  });

  test("one that was acknowledged and not stored is lost", async () => {
    class ForgetfulStore extends MemoryStore {
      override async accept(...args: Parameters<MemoryStore["accept"]>): Promise<boolean> {
        return isFault(args[1]) ? true : super.accept(...args);
      }
    }
    expect(await trial(new ForgetfulStore())).toEqual(["lost"]);
  });

  test("one that was stored under two ids is doubled", async () => {
    class StutteringStore extends MemoryStore {
      override async accept(
        ...[person, interaction, outcome, options]: Parameters<MemoryStore["accept"]>
      ): Promise<boolean> {
        if (isFault(interaction)) await super.accept(person, { ...interaction, id: "again" }, outcome, options);
        return super.accept(person, interaction, outcome, options);
      }
    }
    expect(await trial(new StutteringStore())).toContain("doubled");
  });

  test("one whose words change is a silent difference", async () => {
    class AlteringStore extends MemoryStore {
      override async history(...args: Parameters<MemoryStore["history"]>): Promise<HistoryEntry[]> {
        const entries = await super.history(...args);
        const alter = (text: string): string => text.replace(fault.mark, `${fault.mark} perhaps`);
        return entries.map((entry) => {
          const { summary, turns } = entry.interaction;
          const altered = turns.map((turn) => ({ ...turn, text: alter(turn.text) }));
          return {
            ...entry,
            interaction: { ...entry.interaction, summary: summary && alter(summary), turns: altered },
          };
        });
      }
    }
    expect(await trial(new AlteringStore())).toEqual(["silent"]);
  });
});

describe("what a later process read:", () => {
  const at = new Date(told[0]!.input.at as number).toISOString();
  const item = { id: "i000", turns: [], state: null, ...told[0]!.input, at };
  const exported = JSON.stringify({ type: "interaction", interaction: { ...item, initMs: told[0]!.input.at } });
  const lookOf = (parts: Partial<Look["persons"][string]>): Look => ({
    persons: { ada: { history: [item], exported: [exported], problems: [], ...parts } },
  });
  const check = (look: Look, forgotten: string[] = []): string[] =>
    faultsOf(
      checkLook({ submitted: [told[0]!], acknowledged: new Set([told[0]!.mark]), forgotten: new Set(forgotten), look }),
    );

  test.each<[string, Partial<Look["persons"][string]>, string[]]>([
    ["everything", {}, []],
    ["nothing in the history", { history: [] }, ["lost"]],
    ["nothing in the export", { exported: [] }, ["lost"]],
    ["twice in the export", { exported: [exported, exported] }, ["doubled"]],
    ["an id twice", { history: [item, { ...item, summary: "other words" }] }, ["doubled"]],
    ["another time", { history: [{ ...item, at: "2020-01-01T00:00:00.000Z" }] }, ["silent"]],
    ["another state", { history: [{ ...item, state: "asleep" }] }, ["silent"]],
    ["a graph that is not sound", { problems: ["an edge to nobody"] }, ["silent"]],
  ])("%s", (_, parts, expected) => expect(check(lookOf(parts))).toEqual(expected));

  test("somebody else's", () => {
    const { ada } = lookOf({}).persons;
    expect(check({ persons: { bea: ada! } })).toEqual(["silent"]);
  });

  test("what was forgotten is kept, in the memory and in bytes", () => {
    expect(check(lookOf({}), [told[0]!.mark])).toEqual(["kept"]);
    expect(check(lookOf({ history: [], exported: [] }), [told[0]!.mark])).toEqual([]);
    const bytes = Buffer.from(`\0\u0001${told[0]!.mark}\0`);
    expect(faultsOf(checkBytes([told[0]!.mark], bytes))).toEqual(["kept"]);
    expect(checkBytes([told[1]!.mark], bytes)).toEqual([]);
  });

  test("a turn of a conversation twice, and one that is lost", () => {
    const turn = { who: "user", text: `The choir sang ${told[0]!.mark}.` };
    const talk = (turns: object[]): Look => {
      const conversation = { id: "talk", turns, summary: null, state: null, at };
      const line = JSON.stringify({ type: "interaction", interaction: { ...conversation, initMs: 0 } });
      return { persons: { ada: { history: [conversation], exported: [line], problems: [] } } };
    };
    const submitted = [{ mark: told[0]!.mark, person: "ada", turn }];
    const acknowledged = new Set([told[0]!.mark]);
    expect(checkLook({ submitted, acknowledged, look: talk([turn]) })).toEqual([]);
    expect(faultsOf(checkLook({ submitted, acknowledged, look: talk([turn, turn]) }))).toEqual(["silent"]);
    expect(faultsOf(checkLook({ submitted, acknowledged, look: talk([]) }))).toEqual(["lost"]);
  });
});

describe("the end of a process:", () => {
  const normal = { code: 0, signal: null, errors: "", isEndedByUs: false, hasHung: false };
  test.each([
    ["well", {}, []],
    ["by us", { code: null, signal: "SIGKILL", isEndedByUs: true }, []],
    ["by somebody else", { code: null, signal: "SIGKILL" }, ["aborts"]],
    ["by a signal, said by a shell", { code: 134 }, ["aborts"]],
    ["with an error", { code: 1 }, ["raw"]],
    ["never", { code: null, signal: "SIGKILL", hasHung: true }, ["hangs"]],
  ])("%s", (_, end, expected) => expect(faultsOf(checkEnd({ ...normal, ...end }))).toEqual(expected));

  test("an abort of a real one", async () => {
    const actor = new ActorProcess({}, () => [process.execPath, ["-e", "process.abort()"]]);
    expect(faultsOf(checkEnd({ ...actor, ...(await actor.ended) }))).toEqual(["aborts"]);
  });
});

describe("the tally", () => {
  const scene = { kind: "kills", store: "sqlite", acknowledged: new Set(["a", "b", "c"]), refusedCount: 1 };

  test("without a finding is clean", () => {
    const tally = new Tally();
    tally.add({ ...scene, findings: [] });
    expect(tally.isClean).toBe(true);
  });

  test.each(Object.keys(faults))("with one that is %s is not", (fault) => {
    const tally = new Tally();
    tally.add({ ...scene, findings: [] });
    tally.add({ ...scene, findings: [{ fault, what: "planted" }] });
    expect(tally.isClean).toBe(false);
    expect(tally.format()).toMatch(/kills sqlite +2 +6 +2 /u);
  });
});

describe("the plan", () => {
  const kinds = [
    { kind: "kills", stores: ["sqlite", "redis"] },
    { kind: "damage", stores: ["sqlite"] },
  ];
  const first = (seed: string): object[] => {
    const plan = planOf(kinds, seed);
    return numbers(0, 9).map(() => plan.next().value);
  };

  test("has each scenario again by its seed alone", () => {
    const { seed, number } = parseSeed("1.3");
    expect(first("1")).toContainEqual(scenarioOf(kinds[0]!, seed, number!));
    expect(interactionOf("1.3", 5)).toEqual(interactionOf("1.3", 5));
    expect(interactionOf("1.3", 5).mark).not.toBe(interactionOf("1.4", 5).mark);
    expect(() => parseSeed("one")).toThrow(RangeError);
  });
});

test("a minute of faults finds nothing", { timeout: 600_000 }, async () => {
  const run = fileURLToPath(new URL("run.mjs", import.meta.url));
  const env = { ...process.env, MNEMOSYNE_TEST_BUILD: "kept" };
  const options = ["--minutes", "1", "--seed", "1"];
  const { status, stdout, stderr } = spawnSync(process.execPath, [run, ...options], { env, encoding: "utf8" });
  expect(status, stdout + stderr).toBe(0);
  expect(stdout).toMatch(/^all +[1-9]/mu);
});
