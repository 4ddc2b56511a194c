/** Filters, times and metadata on the command line, as a shell runs it. */
import { beforeAll, describe, expect, it } from "vitest";
import type { ForgettingReceipt, HistoryItem, Memory, Recall } from "mnemosyne-edge";
import { CommandFolder } from "./command.js";

const folder = new CommandFolder();
const utc = ["--time-zone", "UTC"];

beforeAll(async () => {
  for (const [id, text, at, ...notes] of [
    ["harbour", "The harbour crane is repaired in March.", "2025-01-05T09:00:00Z", "project=port", "n=2"],
    [
      "invoice",
      "The crane invoice is paid by the harbour.",
      "2025-01-15T08:00:00Z",
      "project=office",
      "tags=billing,done",
    ],
  ] as const) {
    const metadata = notes.flatMap((note) => ["--metadata", note]);
    const expires = id === "invoice" ? ["--expires", "2999-01-01"] : [];
    const args = [...utc, "commit", text, "--keep", "--id", id, "--at", at, ...metadata, ...expires];
    const { code, errors } = await folder.run(args);
    if (code !== 0) throw new Error(errors);
  }
});

const idsOf = (items: readonly { readonly id: string }[]): string[] => items.map(({ id }) => id);

describe("--filter", () => {
  it("shows only what passes", async () => {
    const list = (...args: string[]): Promise<Memory[]> => folder.runJson<Memory[]>([...utc, "list", ...args]);
    expect(idsOf(await list("--filter", "tags=billing"))).toEqual(["invoice"]);
    expect(idsOf(await list("--filter", "n>=2", "--filter", "project!=office"))).toEqual(["harbour"]);
    expect(idsOf(await list("--from", "2025-01-06"))).toEqual(["invoice"]);
    const history = await folder.runJson<HistoryItem[]>([...utc, "list", "--history", "--to", "2025-01-06"]);
    expect(idsOf(history)).toEqual(["harbour"]);
    const args = [...utc, "recall", "What about the crane?", "--filter", "project=port"];
    expect(idsOf((await folder.runJson<Recall>(args)).memories)).toEqual(["harbour"]);
    expect((await folder.run([...args, "--explain"])).out).toContain("1 of 2 memories pass the filter");
  });

  it("exports only what passes", async () => {
    const { out } = await folder.run([...utc, "export", "--filter", "project=port"]);
    expect(out).toContain('"harbour"');
    expect(out).not.toContain("invoice");
  });

  it("that cannot be read is an input error", async () => {
    for (const condition of ["project", '{ "n": [1] }']) {
      const { code, errors } = await folder.run([...utc, "list", "--filter", condition]);
      expect([code, errors]).toEqual([2, expect.stringMatching(/write it as key=value|filter\.n: a list/u)]);
    }
  });

  it("forgets only what passes, never together with ids or --all", async () => {
    const forget = ["--path", folder.copy("forget.db"), "forget", "--filter", "project=port"];
    expect(await folder.run([...forget, "invoice", "--yes"])).toMatchObject({ code: 2 });
    expect(await folder.run([...forget, "--all", "--yes"])).toMatchObject({ code: 2 });
    expect(await folder.run(["--path", "forget.db", "forget", "--filter", "{}", "--yes"])).toMatchObject({ code: 2 });
    expect((await folder.runJson<ForgettingReceipt>([...forget, "--yes"])).forgotten).toEqual(["harbour"]);
  });
});

it("show prints metadata and expiry", async () => {
  const { out } = await folder.run([...utc, "show", "invoice"]);
  expect(out).toContain("metadata   project=office, tags=billing,done\nexpires    2999-01-01 00:00\n");
});
