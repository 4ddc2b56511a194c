/** Files that users name: whole or not at all, where a link points, for the owner's eyes only, and nothing but files. */
import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeWhole, writeWhole } from "../../src/files/whole-file.js";
import { InputError } from "../../src/index.js";
import { CommandFolder } from "../../../server/test/cli/command.js";
import { ScratchFolder } from "../durability/scratch-folder.js";

const scratch = new ScratchFolder();
const onUnix = it.runIf(process.platform !== "win32");

/** A folder of its own, so that whatever is left behind is seen. */
function nextFolder(): string {
  const folder = scratch.next("");
  mkdirSync(folder);
  return folder;
}

/** Makes a pipe or a device; false where that is not possible, as devices are for everybody but root. */
function makeNode(path: string, ...kind: readonly string[]): boolean {
  return spawnSync("mknod", [path, ...kind]).status === 0;
}

function modeOf(file: string): string {
  return (statSync(file).mode & 0o777).toString(8);
}

async function refusal(file: string): Promise<string> {
  const error: unknown = await writeWhole(file, ["new"]).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(InputError);
  return (error as InputError).message;
}

describe("what is replaced", () => {
  onUnix("a link stays, and the file it points to is written", async () => {
    const [folder, elsewhere] = [nextFolder(), nextFolder()];
    const [link, target] = [join(folder, "link"), join(elsewhere, "target")];
    writeFileSync(target, "old");
    symlinkSync(target, link);
    await writeWhole(link, ["new"]);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readlinkSync(link)).toBe(target);
    expect(readFileSync(target, "utf8")).toBe("new");
    expect([readdirSync(folder), readdirSync(elsewhere)]).toEqual([["link"], ["target"]]);
  });

  onUnix("a link to a link to nothing yet: its target is created", async () => {
    const folder = nextFolder();
    mkdirSync(join(folder, "sub"));
    symlinkSync(join("sub", "second"), join(folder, "first"));
    symlinkSync("target", join(folder, "sub", "second"));
    await writeWhole(join(folder, "first"), ["new"]);
    expect(readFileSync(join(folder, "sub", "target"), "utf8")).toBe("new");
    expect(lstatSync(join(folder, "first")).isSymbolicLink()).toBe(true);
  });

  onUnix("links in a circle are refused", async () => {
    const folder = nextFolder();
    symlinkSync("b", join(folder, "a"));
    symlinkSync("a", join(folder, "b"));
    expect(await refusal(join(folder, "a"))).toContain("cannot be written");
    expect(readdirSync(folder)).toEqual(["a", "b"]);
  });

  onUnix("a pipe is refused, and stays one", async () => {
    const folder = nextFolder();
    const pipe = join(folder, "pipe");
    makeNode(pipe, "p");
    expect(await refusal(pipe)).toBe(`${pipe} cannot be written: it is a pipe, not a file`);
    symlinkSync(pipe, join(folder, "link"));
    expect(await refusal(join(folder, "link"))).toContain("it is a pipe, not a file");
    expect(lstatSync(pipe).isFIFO()).toBe(true);
    expect(readdirSync(folder)).toEqual(["link", "pipe"]);
  });

  // A device of our own: a fault must not replace one that the machine needs.
  const device = join(nextFolder(), "device");
  it.runIf(makeNode(device, "c", "1", "3"))("a device is refused, and stays one", async () => {
    expect(await refusal(device)).toBe(`${device} cannot be written: it is a device, not a file`);
    expect(lstatSync(device).isCharacterDevice()).toBe(true);
  });

  onUnix("a socket and a folder are refused", async () => {
    const folder = nextFolder();
    expect(await refusal(folder)).toBe(`${folder} cannot be written: it is a folder`);
    const server = createServer().listen(join(folder, "socket"));
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once("listening", resolve));
    expect(await refusal(join(folder, "socket"))).toContain("it is a socket, not a file");
  });
});

describe("who may read it", () => {
  onUnix.each([
    [null, "600"],
    [0o644, "600"],
    [0o666, "600"],
    [0o600, "600"],
    [0o400, "400"],
    [0o640, "600"],
  ])("a file with mode %s gets %s", async (before, after) => {
    const file = join(nextFolder(), "file");
    if (before !== null) {
      writeFileSync(file, "old");
      chmodSync(file, before);
    }
    await writeWhole(file, ["new"]);
    expect([modeOf(file), readFileSync(file, "utf8")]).toEqual([after, "new"]);
  });

  onUnix("nobody else at any moment, also while it is written", async () => {
    const folder = nextFolder();
    const modes: string[] = [];
    function* pieces(): Generator<string> {
      for (let i = 0; i < 3; i++) {
        modes.push(...readdirSync(folder).map((name) => modeOf(join(folder, name))));
        yield "piece";
      }
    }
    await writeWhole(join(folder, "file"), pieces());
    expect(new Set(modes)).toEqual(new Set(["600"]));
  });
});

describe("what is written on the way", () => {
  it("is never a name that somebody could have prepared", async () => {
    const folder = nextFolder();
    const names = new Set<string>();
    for (let i = 0; i < 3; i++) {
      function* pieces(): Generator<string> {
        yield "a";
        for (const name of readdirSync(folder)) if (name !== "file") names.add(name);
        yield "b";
      }
      await writeWhole(join(folder, "file"), pieces());
    }
    expect(names.size).toBe(3);
    expect(readdirSync(folder)).toEqual(["file"]);
  });

  it("is gone after a failure, and the older file is as it was", async () => {
    const folder = nextFolder();
    const file = join(folder, "file");
    writeFileSync(file, "precious");
    function* failing(): Generator<string> {
      yield "half";
      throw new Error("out of ideas");
    }
    await expect(writeWhole(file, failing())).rejects.toThrow(/file cannot be written: out of ideas$/u);
    expect([readdirSync(folder), readFileSync(file, "utf8")]).toEqual([["file"], "precious"]);
  });

  it("fits into a folder whatever the length of the name", async () => {
    const file = join(nextFolder(), "n".repeat(255));
    await writeWhole(file, ["new"]);
    expect(existsSync(file)).toBe(true);
  });
});

describe("an export", () => {
  const folder = new CommandFolder();

  onUnix("goes where a link points, refuses a pipe at once, and is the owner's", async () => {
    await folder.fill();
    const at = (name: string): string => join(folder.path, name);
    symlinkSync("target.jsonl", at("link.jsonl"));
    makeNode(at("pipe"), "p");
    const reader = spawn("cat", [at("pipe")]);
    onTestFinished(() => void reader.kill());
    expect((await folder.run(["export", "link.jsonl"])).code).toBe(0);
    expect(lstatSync(at("link.jsonl")).isSymbolicLink()).toBe(true);
    expect(modeOf(at("target.jsonl"))).toBe("600");
    const refused = await folder.run(["export", "pipe"]);
    expect(refused).toMatchObject({ code: 2, out: "" });
    expect(refused.errors).toContain("pipe cannot be written: it is a pipe, not a file");
    expect(lstatSync(at("pipe")).isFIFO()).toBe(true);
    const { out } = await folder.run(["export"]);
    expect(readFileSync(at("target.jsonl"), "utf8")).toBe(out);
  });
});

describe("a file that somebody else writes", () => {
  it("never replaces one that appears meanwhile, unless it may", async () => {
    const folder = nextFolder();
    const file = join(folder, "copy");
    const make = async (unfinished: string): Promise<void> => {
      writeFileSync(file, "theirs");
      writeFileSync(unfinished, "ours");
    };
    await expect(makeWhole(file, false, make)).rejects.toMatchObject({ code: "option_invalid" });
    expect(readFileSync(file, "utf8")).toBe("theirs");
    expect(readdirSync(folder)).toEqual(["copy"]);
    await makeWhole(file, true, make);
    expect(readFileSync(file, "utf8")).toBe("ours");
    expect(readdirSync(folder)).toEqual(["copy"]);
  });

  it("is not there if it fails, and the reason is passed on as it is", async () => {
    const folder = nextFolder();
    const reason = new Error("no more");
    await expect(makeWhole(join(folder, "copy"), false, () => Promise.reject(reason))).rejects.toBe(reason);
    expect(readdirSync(folder)).toEqual([]);
  });
});
