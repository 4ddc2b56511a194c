/** What commands say if there is nothing to do, or if a request is impossible. */
import { beforeAll, describe, expect, it } from "vitest";
import { describeCore } from "../../src/cli/core-commands.js";
import { formatFinding } from "../../src/cli/doctor/doctor-finding.js";
import { stripColour } from "../../src/cli/paint.js";
import { CommandFolder } from "./command.js";

const folder = new CommandFolder();
beforeAll(() => folder.fill());

describe("prune", () => {
  it.each([[[]], [["--count", "0"]], [["--bytes", "0"]]])("with %j says that there is no limit", async (limits) => {
    const { code, out } = await folder.run(["prune", ...limits]);
    expect(code).toBe(0);
    expect(out).toMatch(/^There is no limit.*--count or --bytes.*\n0 pruned, 2 memories remain/u);
  });

  it("obeys a limit from the parameters, and writes one memory in the singular", async () => {
    const { out } = await folder.run(["--path", folder.copy("pruned.db"), "prune", "--set", "memoryCountMax=1"]);
    expect(out).not.toContain("no limit");
    expect(out).toMatch(/^1 pruned, 1 memory remains \(/mu);
  });
});

it("recall says that nothing fits into a budget of 0", async () => {
  expect(await folder.run(["recall", "Where does Ada live?", "--budget", "0"])).toEqual({
    code: 0,
    out: "\n",
    errors: expect.stringMatching(/\nwarning nothing fits into 0 tokens; raise --budget\n$/u) as string,
  });
  expect((await folder.run(["recall", "Where does Ada live?"])).errors).not.toContain("warning");
});

describe("a mistake", () => {
  it.each([
    [["forget", "lisbon", "--all", "--yes"], /^error id_invalid: forget takes ids or --all, not both$/mu],
    [["forget", "--yes"], /^error id_invalid: forget needs ids, --filter, --from, --to, or --all; /mu],
    [["--person", "nobody", "list"], /^error unknown_person: .*; `mnemosyne stats` lists everybody$/mu],
    [["show", "nobody"], /^error unknown_id: .*; `mnemosyne list --history` shows all ids$/mu],
    [["forget", "nobody", "--yes"], /^error unknown_id: .*; `mnemosyne list --history` shows all ids$/mu],
  ])("is described with what helps: %j", async (args, message) => {
    expect((await folder.run(args)).errors).toMatch(message);
  });
});

it("findings of the doctor are in columns, and a long name is separated from its detail", () => {
  const shown = (name: string, detail: string): string => stripColour(formatFinding({ name, ok: true, detail }));
  expect(shown("Node.js", "v20")).toBe("✓ Node.js         v20");
  expect(shown("language model", "none")).toBe("✓ language model  none");
  expect(shown("redis 127.0.0.1:7901", "7.0")).toBe("✓ redis 127.0.0.1:7901  7.0");
});

it("a core summary shows what two memories say only once", () => {
  const core = { text: "- Ada sails.\n- Ada sails.\n- Ada sings.", updatedAt: "2025-01-05T09:00:00Z", trace: null };
  const described = describeCore({ ...core, areas: [], changes: [], sourceIds: ["a", "b"] }, "", "UTC");
  expect(stripColour(described).split("\n")).toEqual([
    "- Ada sails.",
    "- Ada sings.",
    "",
    "as of 2025-01-05 09:00, from 2 memories: a, b",
  ]);
});
