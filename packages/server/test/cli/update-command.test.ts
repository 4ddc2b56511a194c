/** Editing on the command line, and lists in pages. */
import { beforeAll, expect, it } from "vitest";
import { CommandFolder } from "./command.js";

const folder = new CommandFolder();
beforeAll(() => folder.fill());

const run = async (...args: string[]): Promise<string> => {
  const { code, out, errors } = await folder.run(["--time-zone", "UTC", ...args]);
  expect([code, errors]).toEqual([0, ""]);
  return out;
};

it("update changes an interaction in place and says what became of it", async () => {
  const path = ["--path", folder.copy("edited.db")];
  const notes = ["--metadata", "agent=support", "--metadata", 'tags=["work"]', "--metadata", "n=3", "--state", "well"];
  const said = await run(
    ...path,
    "update",
    "lisbon",
    "--text",
    "I moved to Porto.",
    ...notes,
    "--expires",
    "2999-01-01",
  );
  expect(said).toMatch(/^kept\n {2}lisbon {2}I moved to Porto\.\n {2}1 earlier version\n$/u);
  const shown = JSON.parse(await run(...path, "show", "lisbon", "--json")) as object;
  expect(shown).toMatchObject({
    turns: [{ who: "user", text: "I moved to Porto." }],
    state: "well",
    metadata: { agent: "support", tags: ["work"], n: 3 },
    expiresAt: "2999-01-01T00:00:00.000Z",
    versions: [{ summary: expect.stringContaining("Lisbon") as string }],
  });
  expect(await run(...path, "update", "lisbon", "--state", "well")).toMatch(/^unchanged lisbon/u);
  await run(...path, "update", "lisbon", "--no-metadata", "--no-state", "--no-expires");
  const bare = JSON.parse(await run(...path, "show", "lisbon", "--json")) as object;
  expect(bare).toMatchObject({ state: null, metadata: {}, expiresAt: null });
});

it.each([
  [["lisbon"], 2, /option_invalid: update changes nothing/u],
  [
    ["lisbon", "--metadata", "x"],
    2,
    /'--metadata <key=value>' argument 'x' is invalid\. write it as key=value, or as JSON/u,
  ],
  [["nobody", "--text", "x"], 3, /unknown_id/u],
])("update %j ends with %i", async (args, code, message) => {
  const ran = await folder.run(["update", ...args]);
  expect(ran).toMatchObject({ code, errors: expect.stringMatching(message) as string });
});

it("list goes on where a page ended", async () => {
  const first = await run("list", "--limit", "1");
  expect(first).toContain("lisbon");
  expect(first).not.toContain("allergy");
  const [, cursor] = /more: --cursor (\S+)/u.exec(first)!;
  const second = await run("list", "--limit", "1", "--cursor", cursor!);
  expect(second).toContain("allergy");
  expect(second).not.toMatch(/lisbon|--cursor/u);
  const page = JSON.parse(await run("list", "--history", "--limit", "1", "--json")) as { nextCursor: string };
  expect(page).toMatchObject({ entries: [{ id: "allergy" }], nextCursor: expect.any(String) as string });
  const rest = JSON.parse(await run("list", "--history", "--cursor", page.nextCursor, "--json")) as object;
  expect(rest).toMatchObject([{ id: "lisbon" }]);
});
