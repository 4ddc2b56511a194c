/** `mnemosyne keys` and `mnemosyne audit`, as a shell runs them. */
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openAuditLog } from "../../src/server/audit-log.js";
import { FileKeyRing } from "../../src/server/security/key-file.js";
import { recordingLog } from "../server/hostile-server.js";
import { CommandFolder } from "./command.js";

const folder = new CommandFolder();
const file = join(folder.path, "mnemosyne.db.keys.json");

interface Added {
  readonly key: string;
  readonly id: string;
  readonly persons: string[];
  readonly expiresAt: string | null;
}

describe("keys", () => {
  it("are made, shown once, listed without their secret, used, and revoked", async () => {
    const shown = await folder.run([
      "keys",
      "add",
      "--for",
      "ada",
      "--for",
      "team-*",
      "--label",
      "phone",
      "--read-only",
    ]);
    expect(shown.errors).toBe("");
    const [key = ""] = shown.out.split("\n");
    expect(key).toMatch(/^mnk_[a-z0-9]{8}_[\w-]{43}$/u);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const listed = await folder.run(["keys", "list"]);
    expect(listed.out).toContain(key.slice(4, 12));
    expect(listed.out).toMatch(/phone\n {2}for ada, team-\*; read only; made .*; does not expire/u);
    expect(listed.out + readFileSync(file, "utf8")).not.toContain(key.slice(13));
    const ring = await FileKeyRing.open(file, recordingLog(), { recheckMs: 0 });
    expect(await ring.verify(key)).toMatchObject({ persons: ["ada", "team-*"], isReadOnly: true, isAdmin: false });
    expect((await folder.run(["keys", "revoke", key.slice(4, 12)])).code).toBe(0);
    expect(await ring.verify(key)).toBeNull();
    expect((await folder.run(["keys", "list"])).out).toContain("revoked");
  });

  it("are where they are said to be: an option, a variable, next to the database, or the default", async () => {
    const made = (args: string[], env = {}): Promise<Added> =>
      folder.runJson<Added>(["keys", "add", "--admin", ...args], { env });
    const listed = async (...args: string[]): Promise<string[]> =>
      (await folder.runJson<{ id: string }[]>(["keys", "list", ...args])).map(({ id }) => id);
    const { id: byOption } = await made(["--keys", "a.json"], { MNEMOSYNE_KEYS: "b.json" });
    const { id: byVariable } = await made([], { MNEMOSYNE_KEYS: "b.json" });
    const { id: byPath } = await made(["--path", "other.db"]);
    const { id: byRedis } = await made(["--path", "redis://u:p@localhost:1"]);
    expect(await listed("--keys", "a.json")).toEqual([byOption]);
    expect(await listed("--keys", "b.json")).toEqual([byVariable]);
    expect(await listed("--keys", "other.db.keys.json")).toEqual([byPath]);
    expect(await listed()).toContain(byRedis);
  });

  it("expire when they are told to", async () => {
    const at = await folder.runJson<Added>(["keys", "add", "--for", "ada", "--expires", "2999-01-31"]);
    expect(at.expiresAt).toBe("2999-01-31T00:00:00.000Z");
    const later = await folder.runJson<Added>(["keys", "add", "--for", "ada", "--expires", "90d"]);
    const days = (Date.parse(later.expiresAt!) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(90);
  });

  it.each([
    [["add"], /whom is the key for/u],
    [["add", "--admin", "--for", "ada"], /for everybody/u],
    [["add", "--for", "ada", "--expires", "soon"], /such as 90d/u],
    [["add", "--for", "ada", "--expires", "2001-01-01"], /expired already/u],
    [["revoke", "aaaaaaaa"], /no key aaaaaaaa/u],
    [["list", "--keys", "none.json"], /keys add/u],
  ])("%j is refused with what to do", async (args, reason) => {
    const { code, errors } = await folder.run(["keys", ...args]);
    expect(code).toBe(2);
    expect(errors).toMatch(reason);
  });
});

describe("audit verify", () => {
  it("says that a log is whole, and exits with 6 if it is not", async () => {
    const audited = join(folder.path, "audit.jsonl");
    const audit = openAuditLog(audited);
    for (const person of ["ada", "eve", "ida"]) {
      audit.record({ action: "read", operation: "recall", keyId: null, person, outcome: 200 });
    }
    await audit.close();
    const whole = await folder.run(["audit", "verify", "audit.jsonl"]);
    expect(whole.code).toBe(0);
    expect(whole.out).toMatch(/^3 lines, .*\nEvery line is tied to the one before\.\nlast hash [0-9a-f]{64}\n$/u);
    writeFileSync(audited, readFileSync(audited, "utf8").replace("eve", "mia"));
    const tampered = await folder.run(["audit", "verify", "audit.jsonl"]);
    expect(tampered.code).toBe(6);
    expect(tampered.out).toContain("line 3: not tied to the line before");
  });
});
