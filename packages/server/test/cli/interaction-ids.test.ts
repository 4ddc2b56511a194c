/** Ids are shown by a beginning that no other has, and a beginning is enough to type. */
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { complete, shortenIds } from "../../src/cli/interaction-ids.js";
import { CommandFolder } from "./command.js";

const made = fc
  .tuple(fc.constantFrom("20250108", "20250109"), fc.constantFrom("0915", "0916"), fc.stringMatching(/^[0-9a-f]{6}$/u))
  .map((parts) => parts.join("-"));
const chosen = fc.stringMatching(/^[ab膝👍]{1,30}$/u);
const idSet = fc.uniqueArray(fc.oneof(made, chosen), { minLength: 1, maxLength: 30 });

describe("a shortened id", () => {
  it("stands for one id only, which what is typed is completed to", () => {
    fc.assert(
      fc.property(idSet, (ids) => {
        const shownId = shortenIds(ids);
        for (const id of ids) {
          expect(id.startsWith(shownId(id))).toBe(true);
          expect(shownId(id).isWellFormed()).toBe(true);
          expect(complete(shownId(id), ids)).toBe(id);
        }
      }),
    );
  });

  it.each([
    [["20250108-0915-3f2a91"], "20250108-0915"],
    [["20250108-0915-3f2a91", "20250108-0915-4f2a91"], "20250108-0915-3f"],
    [["20250108-0915-3f2a91", "20250108-0915-3f2b91"], "20250108-0915-3f2a"],
    [["20250108-0915-3f2a91", "20250108-0915-3f2a92"], "20250108-0915-3f2a91"],
    [["knee", "knee-again"], "knee"],
    [["0f8fad5b-d9cb-469f-a165-70867728950e"], "0f8fad5b"],
  ])("of %j is %s", (ids, shown) => {
    expect(shortenIds(ids)(ids[0]!)).toBe(shown);
  });

  it("of somebody else's interaction stays whole", () => {
    expect(shortenIds([])("20250108-0915-3f2a91")).toBe("20250108-0915-3f2a91");
  });
});

describe("what is typed", () => {
  const ids = ["knee", "knee-again", "lisbon", "lima"];

  it("is the id itself if there is one, or the only one that begins so", () => {
    expect(complete("knee", ids)).toBe("knee");
    expect(complete("knee-", ids)).toBe("knee-again");
    expect(complete("lis", ids)).toBe("lisbon");
    expect(complete("nobody", ids)).toBe("nobody");
  });

  it("is refused with the candidates if there are several", () => {
    expect(() => complete("li", ids)).toThrow(/"li" is the beginning of 2 ids: lima, lisbon; type more/u);
    const many = Array.from({ length: 12 }, (_, i) => `i${String(i).padStart(2, "0")}`);
    expect(() => complete("i", many)).toThrow(/12 ids: i00, .*, i09 and 2 more; /u);
  });
});

describe("every command that takes an id", () => {
  const folder = new CommandFolder();
  beforeAll(() => folder.fill());

  it("takes its beginning", async () => {
    const path = ["--path", folder.copy("prefix.db"), "--time-zone", "UTC"];
    const run = (...args: string[]): Promise<{ out: string; errors: string }> => folder.run([...path, ...args]);
    expect((await run("show", "lis")).out).toMatch(/^lisbon {2}2025-01-05/u);
    expect((await run("correct", "lis", "Ada lives in Porto now.", "--id", "porto")).out).toMatch(
      /^kept as you asked; updates what you said on 5 January 2025 \(lisbon\)\n {2}porto {2}Ada lives/u,
    );
    expect((await run("unlink", "por", "lis")).out).toBe("lisbon holds again\n");
    expect((await run("commit", "Ada lives in Faro now.", "--id", "faro", "--updates", "por")).out).toContain(
      "(porto)",
    );
    expect((await run("pin", "all")).out).toBe("pinned allergy\n");
    expect((await run("unpin", "al")).out).toBe("unpinned allergy\n");
    await run("prune", "--count", "3");
    const [pruned] = await folder.runJson<{ id: string }[]>([...path, "list", "--outcome", "pruned"]);
    expect((await run("restore", pruned!.id.slice(0, 2))).out).toMatch(new RegExp(`^.*\\n  ${pruned!.id}  `, "u"));
    await run("commit", "Ada likes figs.", "--id", "figs", "--keep");
    expect((await run("show", "f")).errors).toMatch(/^error id_invalid: "f" is the beginning of 2 ids: faro, figs; /u);
  });

  it("but forget --yes takes whole ids only, since nobody looks at what would go", async () => {
    const path = ["--path", folder.copy("whole.db")];
    const { code, errors } = await folder.run([...path, "forget", "lis", "--yes"]);
    expect(code).toBe(3);
    expect(errors.replaceAll(/\s+/gu, " ")).toMatch(
      /^error unknown_id: .*"lis"; "lisbon" begins like it: type it whole \(`mnemosyne [^`]* list --ids` shows/u,
    );
    expect(await folder.runJson<object[]>([...path, "list"])).toHaveLength(2);
    expect((await folder.run([...path, "forget", "lisbon", "--yes"])).out).toMatch(/^forgotten lisbon\n/u);
  });

  it("which list --ids shows, as the help of forget says", async () => {
    const path = ["--path", folder.copy("made.db")];
    expect((await folder.run(["forget", "--help"])).out).toContain("`mnemosyne list --ids`");
    const { id } = await folder.runJson<{ id: string }>([...path, "commit", "I am allergic to latex.", "--keep"]);
    for (const kind of [[], ["--history"]]) {
      expect((await folder.run([...path, "list", ...kind])).out).not.toContain(id);
      expect((await folder.run([...path, "list", "--ids", ...kind])).out).toContain(id);
    }
    expect((await folder.run([...path, "forget", id, "--yes"])).out).toContain(`forgotten ${id}`);
  });
});
