/** `import --from` and `export --as` as a shell runs them. */
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { importFrom } from "../../src/cli/import-command.js";
import type { Settings } from "../../src/cli/settings.js";
import { samplePath } from "../../../memory/test/import/chunks.js";
import { CommandFolder } from "./command.js";

const folder = new CommandFolder();
const zone = ["--time-zone", "UTC"];

beforeAll(() => {
  for (const name of ["chatgpt.json", "whatsapp-ios.txt", "mem0.json", "notes.md"]) {
    copyFileSync(samplePath(name), join(folder.path, name));
  }
});

describe("a dry run", () => {
  afterEach(() => vi.restoreAllMocks());

  /** What a terminal of 80 columns shows. */
  async function screen(file: string, options: Parameters<typeof importFrom>[1]): Promise<string[]> {
    const shown: string[] = [];
    const { columns } = process.stdout;
    process.stdout.columns = 80;
    vi.spyOn(process.stdout, "write").mockImplementation((text) => shown.push(String(text)) > 0);
    try {
      const settings = { path: "none.db", person: "p", timeZone: "UTC" } as Settings;
      await importFrom(file, { dryRun: true, ...options }, settings);
    } finally {
      process.stdout.columns = columns;
      vi.restoreAllMocks();
    }
    return shown.join("").trimEnd().split("\n");
  }

  it("fits 80 columns and shows hidden characters", async () => {
    const file = join(folder.path, "hidden.txt");
    const long = "a very long line that goes on and on ".repeat(5);
    writeFileSync(
      file,
      `25/03/2024, 10:00 - Ana: ${long}\n25/03/2024, 10:01 - Bo: red \u001b[31m alert\n26/03/2024, 10:02 - Ana: next day\n26/03/2024, 10:03 - Bo: <Media omitted>\n`,
    );
    const lines = await screen(file, { from: "whatsapp" });
    expect(lines.slice(1)).toEqual([
      "in the file        count",
      "sessions               2",
      "interactions           2",
      "messages or facts      3",
      "from 2024-03-25 10:00 to 2024-03-26 10:02",
      "speakers: Ana 2, Bo 1",
      "left out: media (1)",
      "",
      expect.stringMatching(/^2024-03-25 10:00 whatsapp-[0-9a-f]{16}$/u),
      "  Ana: a very long line that goes on and on a very long line that goes on and o…",
      "  Bo: red \\u001b[31m alert",
      "",
      expect.stringMatching(/^2024-03-26 10:02 whatsapp-[0-9a-f]{16}$/u),
      "  Ana: next day",
    ]);
    for (const line of lines.slice(1)) expect([...line].length, line).toBeLessThanOrEqual(80);
  });

  it("stores nothing, and creates no database", async () => {
    const { code, out } = await folder.run(["import", "--from", "chatgpt", "chatgpt.json", "--dry-run", ...zone]);
    expect(code).toBe(0);
    expect(out).toContain("conversations          3\ninteractions           3\nmessages or facts      6\n");
    expect((await folder.run(["list"])).errors).toMatch(/store_missing/u);
  });

  it("prints JSON", async () => {
    const args = ["import", "--from", "mem0", "mem0.json", "--dry-run"];
    const result = await folder.runJson<Record<string, unknown>>(args);
    expect(result).toMatchObject({ sourceCount: 4, interactionCount: 2, firstAt: "2025-02-03T16:15:30.123Z" });
    expect(result["samples"]).toHaveLength(2);
  });
});

describe("an import", () => {
  const at = ["--path", "imre.db", "--person", "imre"];

  it("says what it stored and left out, and stores nothing twice", async () => {
    const args = [...at, "import", "--from", "chatgpt", "chatgpt.json"];
    const { out, errors } = await folder.run(args);
    expect(errors).toBe("");
    expect(out).toMatch(
      /^3 interactions submitted\.\nleft out: tool messages \(2\), .*\n"imre" now has: 3 committed\.\n$/u,
    );
    expect((await folder.run(args)).out).toMatch(/^0 interactions submitted, 3 already stored\.\n/u);
    expect((await folder.run([...at, "recall", "Where does Imre start on Monday?"])).out).toContain("bakery in Szeged");
  });

  it("goes out as Markdown and as mem0, and in again with nothing new", async () => {
    expect((await folder.run([...at, "export", "--as", "markdown", "imre.md", ...zone])).out).toBe(
      "35 lines written to imre.md.\n",
    );
    expect(readFileSync(join(folder.path, "imre.md"), "utf8")).toContain("## 2025-01-08 08:00\n");
    const { out } = await folder.run([...at, "export", "--as", "mem0"]);
    writeFileSync(join(folder.path, "imre-mem0.json"), out);
    expect((JSON.parse(out) as { results: unknown[] }).results).toHaveLength(3);
    for (const [format, file] of [
      ["markdown", "imre.md"],
      ["mem0", "imre-mem0.json"],
    ] as const) {
      const result = await folder.runJson([...at, "import", "--from", format, file, ...zone]);
      expect(result).toMatchObject({ acceptedCount: 0 });
    }
  });

  it("reads standard input", async () => {
    const input = readFileSync(samplePath("notes.md"), "utf8");
    const result = await folder.runJson(["-p", "m", "import", "--from", "markdown", "-"], { input });
    expect(result).toMatchObject({ acceptedCount: 5 });
  });

  it("that finds damage names file and place; what came before stays", async () => {
    const text = readFileSync(samplePath("chatgpt.json"), "utf8");
    writeFileSync(join(folder.path, "half.json"), text.slice(0, text.indexOf("Good luck")));
    const person = ["-p", "half"];
    const { code, errors } = await folder.run([...person, "import", "--from", "chatgpt", "half.json"]);
    expect(code).toBe(2);
    expect(errors).toMatch(/^error import_invalid: half\.json, at its end: the JSON stops in the middle/u);
    expect(await folder.runJson([...person, "import", "--from", "chatgpt", "chatgpt.json"])).toMatchObject({
      acceptedCount: 1,
      knownCount: 2,
    });
  });
});

describe("a mistake", () => {
  it.each([
    [["import", "--from", "slack", "notes.md"], /option_invalid: --from is "slack"; it must be one of chatgpt, /u],
    [["import", "--dry-run", "notes.md"], /option_invalid: --dry-run is for another program's export; .*--from/u],
    [["import", "--from", "claude", "nowhere.json"], /import_invalid: nowhere\.json cannot be read: no such file/u],
    [["import", "--from", "claude", "."], /import_invalid: \. cannot be read: it is a folder/u],
    [
      ["import", "--from", "whatsapp", "whatsapp-ios.txt", "--date-order", "ymd"],
      /--date-order is "ymd"; it must be dmy or mdy/u,
    ],
    [
      ["import", "--from", "whatsapp", "whatsapp-ios.txt", "--as-user", "Nobody"],
      /option_invalid: whatsapp-ios\.txt has nothing by --as-user "Nobody"; speakers are Petra, Jonah/u,
    ],
    [["export", "--as", "xml"], /option_invalid: --as is "xml"; it must be one of jsonl, markdown, mem0/u],
    [["export", "--as", "mem0", "--skip-damaged"], /option_invalid: --skip-damaged needs --as jsonl/u],
  ])("is described with what helps: %j", async (args, message) => {
    const { code, errors } = await folder.run(["--path", "mistakes.db", ...args]);
    expect(code).toBe(2);
    expect(errors).toMatch(message);
  });
});
