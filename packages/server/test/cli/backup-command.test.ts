/** `mnemosyne backup`: what it prints, and what it refuses. */
import { statSync } from "node:fs";
import { join } from "node:path";
import type { BackupReport } from "mnemosyne-edge";
import { beforeAll, describe, expect, it } from "vitest";
import { CommandFolder } from "./command.js";

const folder = new CommandFolder();
beforeAll(() => folder.fill());

describe("mnemosyne backup", () => {
  it("says how many people and how much, and the copy is a memory like the first", async () => {
    const { code, out } = await folder.run(["backup", "monday.db"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^1 person backed up to monday\.db, [\d.]+ kB\.\n2 memories and 2 interactions, checked\.\n$/u);
    const [copied, original] = ["monday.db", "mnemosyne.db"].map((path) => folder.run(["--path", path, "list"]));
    expect((await copied!).out).toBe((await original!).out);
    expect((await folder.run(["--path", "monday.db", "doctor"])).code).toBe(0);
  });

  it("as JSON", async () => {
    const report = await folder.runJson<BackupReport>(["backup", "json.db"]);
    const byteCount = statSync(join(folder.path, "json.db")).size;
    const counts = { personCount: 1, interactionCount: 2, memoryCount: 2 };
    expect(report).toEqual({ file: "json.db", encrypted: false, schemaVersion: 7, byteCount, ...counts });
  });

  it("replaces a file only with --force", async () => {
    const name = folder.copy("there.db");
    const refused = await folder.run(["backup", name]);
    expect(refused).toMatchObject({ code: 2, errors: expect.stringContaining("--force") });
    expect((await folder.run(["backup", name, "--force"])).code).toBe(0);
  });

  it("keeps the key", async () => {
    const env = { MNEMOSYNE_KEY: "a key" };
    await folder.run(["--path", "secret.db", "commit", "Ada moved to Lisbon for a new job.", "--keep"], { env });
    const { out } = await folder.run(["--path", "secret.db", "backup", "secret-copy.db"], { env });
    expect(out).toContain("checked, with the key of the original.");
    expect((await folder.run(["--path", "secret-copy.db", "list"])).code).toBe(4);
    expect((await folder.run(["--path", "secret-copy.db", "list"], { env })).out).toContain("Lisbon");
  });

  it("refuses what it cannot copy, without asking anybody and without a password in what it says", async () => {
    const redis = await folder.run(["--path", "redis://:secret@127.0.0.1:1", "backup", "no.db"]);
    expect(redis).toMatchObject({ code: 2, errors: expect.stringMatching(/RDB.*mnemosyne migrate/u) });
    expect(redis.errors).not.toContain("secret");
    const missing = await folder.run(["--path", "missing.db", "backup", "no.db"]);
    expect(missing).toMatchObject({ code: 4, errors: expect.stringContaining("store_missing") });
  });
});
