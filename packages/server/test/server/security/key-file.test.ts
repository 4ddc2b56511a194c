/** Keys in a file: made, shown once, checked, revoked, and closed when the file is not what it was. */
import { execFile } from "node:child_process";
import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { InputError } from "../../../../memory/src/index.js";
import { FileKeyRing, type NewKey, addKey, listKeys, revokeKey } from "../../../src/server/security/key-file.js";
import { ScratchFolder } from "../../../../memory/test/durability/scratch-folder.js";
import { recordingLog } from "../hostile-server.js";

const scratch = new ScratchFolder();
const forAda: NewKey = { label: "phone", isAdmin: false, persons: ["ada"], isReadOnly: false, expiresAt: null };
const everyTime = { recheckMs: 0 };

async function openRing(file: string, now?: () => number): Promise<FileKeyRing> {
  return FileKeyRing.open(file, recordingLog(), now === undefined ? everyTime : { ...everyTime, now });
}

describe("a new key", () => {
  it("looks as documented and is kept as a salted hash", async () => {
    const file = scratch.next(".json");
    const { key, entry } = await addKey(file, forAda);
    expect(key).toMatch(/^mnk_[a-z0-9]{8}_[A-Za-z0-9_-]{43}$/u);
    expect(Buffer.from(key.slice(13), "base64url")).toHaveLength(32);
    const text = readFileSync(file, "utf8");
    expect(text).toContain(entry.id);
    expect(text).not.toContain(key.slice(13));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await listKeys(file)).toEqual([entry]);
    expect(JSON.stringify(entry)).not.toMatch(/salt|hash/u);
  });

  it("is like no other, and two of the same secret would not have the same hash", async () => {
    const file = scratch.next(".json");
    const keys = [await addKey(file, forAda), await addKey(file, forAda)];
    const { keys: kept } = JSON.parse(readFileSync(file, "utf8")) as { keys: { salt: string }[] };
    expect(new Set(keys.map(({ key }) => key)).size).toBe(2);
    expect(new Set(kept.map(({ salt }) => salt)).size).toBe(2);
  });

  it.each([
    [{ persons: [] }, /whom is the key for/u],
    [{ isAdmin: true }, /for everybody/u],
    [{ persons: ["a*b"] }, /at the end/u],
    [{ persons: [""] }, /empty/u],
    [{ expiresAt: new Date(0) }, /expired already/u],
    [{ expiresAt: new Date(Number.NaN) }, /expired already/u],
    [{ label: "x".repeat(201) }, /at most 200/u],
  ] as const)("with %j is refused, and no file is made", async (change, reason) => {
    const file = scratch.next(".json");
    await expect(addKey(file, { ...forAda, ...change })).rejects.toThrow(reason);
    expect(() => statSync(file)).toThrow(/ENOENT/u);
  });

  it("made by eight processes at once is there eight times", async () => {
    const file = scratch.next(".json");
    const program = `import { addKey } from ${JSON.stringify(new URL("../../../dist/server/security/key-file.js", import.meta.url).href)};
      const wanted = { label: "", isAdmin: true, persons: [], isReadOnly: false, expiresAt: null };
      for (let count = 0; count < 5; count++) await addKey(process.argv[1], wanted);`;
    const run = (): Promise<unknown> =>
      promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program, file]);
    await Promise.all(Array.from({ length: 8 }, run));
    expect(await listKeys(file)).toHaveLength(40);
  });

  it("waits for a lock no longer than it must, and says what to do", async () => {
    const file = scratch.next(".json");
    writeFileSync(`${file}.lock`, "");
    await expect(addKey(file, forAda)).rejects.toThrow(/another process: .*\.lock exists.*delete that file/u);
  });
});

describe("a ring of keys", () => {
  it("knows what each key may do, and no other", async () => {
    const file = scratch.next(".json");
    const { key, entry } = await addKey(file, { ...forAda, persons: ["ada", "team-*"], isReadOnly: true });
    const admin = await addKey(file, { ...forAda, persons: [], isAdmin: true });
    const ring = await openRing(file);
    expect(await ring.verify(key)).toEqual({
      keyId: entry.id,
      isAdmin: false,
      persons: ["ada", "team-*"],
      isReadOnly: true,
    });
    expect(await ring.verify(admin.key)).toMatchObject({ isAdmin: true, persons: [], isReadOnly: false });
    const wrong = `${key.slice(0, -1)}${key.endsWith("A") ? "B" : "A"}`;
    const crossed = admin.key.slice(0, 13) + key.slice(13);
    for (const text of [wrong, crossed, `mnk_aaaaaaaa_${key.slice(13)}`, key.slice(4), `${key} `, "", "mnk_"]) {
      expect(await ring.verify(text), text).toBeNull();
    }
  });

  it("lets nobody in after the key has expired", async () => {
    const file = scratch.next(".json");
    let nowMs = Date.now();
    const expiresAt = new Date(nowMs + 1_000);
    const { key } = await addKey(file, { ...forAda, expiresAt });
    const ring = await openRing(file, () => nowMs);
    expect(await ring.verify(key)).not.toBeNull();
    nowMs = expiresAt.getTime();
    expect(await ring.verify(key)).toBeNull();
  });

  it("notices keys that are added and revoked while it is open", async () => {
    const file = scratch.next(".json");
    const first = await addKey(file, forAda);
    const ring = await openRing(file);
    const second = await addKey(file, forAda);
    expect(await ring.verify(second.key)).toMatchObject({ keyId: second.entry.id });
    const revoked = await revokeKey(file, first.entry.id);
    expect(revoked.revokedAt).not.toBeNull();
    expect(await ring.verify(first.key)).toBeNull();
    expect(await ring.verify(second.key)).not.toBeNull();
    expect(readFileSync(file, "utf8")).toContain('"hash": null');
    // Listed still, so that an audit log can be read.
    expect((await listKeys(file)).map(({ id }) => id)).toEqual([first.entry.id, second.entry.id]);
  });

  it("does not look at the file for every request", async () => {
    const file = scratch.next(".json");
    const { key, entry } = await addKey(file, forAda);
    const ring = await FileKeyRing.open(file, recordingLog(), { recheckMs: 3_600_000 });
    await revokeKey(file, entry.id);
    expect(await ring.verify(key)).not.toBeNull();
  });

  it.each([
    ["vanished", (file: string) => rmSync(file)],
    ["damaged", (file: string) => writeFileSync(file, readFileSync(file, "utf8").slice(0, -20))],
    ["empty", (file: string) => writeFileSync(file, "")],
    ["of another version", (file: string) => writeFileSync(file, '{ "version": 2, "keys": [] }')],
    [
      "without its hashes",
      (file: string) => writeFileSync(file, readFileSync(file, "utf8").replaceAll(/"hash": ".*"/gu, '"hash": null')),
    ],
    ["opened to others", (file: string) => chmodSync(file, 0o644)],
    ["writable by the group", (file: string) => chmodSync(file, 0o620)],
  ])("lets nobody in while the file is %s, says so once, and recovers", async (_, harm) => {
    const file = scratch.next(".json");
    const { key } = await addKey(file, forAda);
    const whole = readFileSync(file, "utf8");
    const log = recordingLog();
    const ring = await FileKeyRing.open(file, log, everyTime);
    harm(file);
    expect(await ring.verify(key)).toBeNull();
    expect(await ring.verify(key)).toBeNull();
    expect(log.lines.map(({ level, message }) => [level, message])).toEqual([
      ["error", "the file of keys cannot be read: nobody gets in"],
    ]);
    expect(JSON.stringify(log.lines)).not.toContain(key.slice(13));
    rmSync(file, { force: true });
    writeFileSync(file, whole, { mode: 0o600 });
    expect(await ring.verify(key)).not.toBeNull();
  });

  it("is not opened without a file that is whole", async () => {
    const file = scratch.next(".json");
    await expect(openRing(file)).rejects.toThrow(/no such file; `mnemosyne keys add --keys \S+` makes it/u);
    writeFileSync(file, "{}", { mode: 0o600 });
    await expect(openRing(file)).rejects.toThrow(InputError);
    chmodSync(file, 0o666);
    await expect(openRing(file)).rejects.toThrow(/mode 666.*chmod 600/u);
  });
});

describe("revoking", () => {
  it("takes an id, its beginning, or the key", async () => {
    const file = scratch.next(".json");
    const keys = [await addKey(file, forAda), await addKey(file, forAda), await addKey(file, forAda)];
    await revokeKey(file, keys[0]!.entry.id);
    await revokeKey(file, `mnk_${keys[1]!.entry.id}`);
    await revokeKey(file, keys[2]!.key);
    expect((await listKeys(file)).every(({ revokedAt }) => revokedAt !== null)).toBe(true);
  });

  it("of a key that is not there is refused without repeating what may be a secret", async () => {
    const file = scratch.next(".json");
    const { key } = await addKey(file, forAda);
    await expect(revokeKey(file, "aaaaaaaa")).rejects.toThrow(/no key aaaaaaaa/u);
    const error = await revokeKey(file, `x${key}`).catch((thrown: Error) => thrown);
    expect((error as Error).message).not.toContain(key.slice(13));
    await expect(revokeKey(scratch.next(".json"), "aaaaaaaa")).rejects.toThrow(/no such file/u);
  });
});
