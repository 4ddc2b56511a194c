/** Dockerfile, compose.yaml and the units name only what exists, and keep to what docs/deploy.md promises. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { type Server, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { defaultLimits } from "../../packages/server/src/server/server-context.js";
import { CommandFolder } from "../../packages/server/test/cli/command.js";
import { Child } from "../../packages/memory/test/durability/child-process.js";
import { ScratchFolder } from "../../packages/memory/test/durability/scratch-folder.js";
import { read, root } from "../docs/project-files.js";
import { RedisServer, hasRedis } from "../../packages/memory/test/stores/redis-server.mjs";
import { flagsIn, readComposition, readUnit } from "./deploy-files.js";
import { readContext, readHealthCheck, readStages } from "./dockerfile.mjs";

const folder = new CommandFolder();
const scratch = new ScratchFolder();
const stages = readStages();
const image = stages.at(-1)!;
const { services, networks, volumes } = readComposition();
const units = ["mnemosyne.service", "mnemosyne-backup.service"];

function only(name: string): string {
  const found = image.filter((instruction) => instruction.name === name);
  expect(found).toHaveLength(1);
  return found[0]!.text;
}

async function helpOf(command: string): Promise<string> {
  const { code, out, errors } = await folder.run([command, "--help"]);
  // The help of the program itself answers for a command that it does not know.
  if (code !== 0 || !out.startsWith(`Usage: mnemosyne ${command}`)) throw new Error(`no command ${command}: ${errors}`);
  return out;
}

describe("the Dockerfile", () => {
  const allowed = readContext();

  it("gets all that is built, and puts everything that is packed into the image", () => {
    const needed = ["package.json", "package-lock.json", ".npmrc", "LICENSE", "tsconfig.json", "scripts", "packages"];
    expect(allowed.toSorted()).toEqual(needed.toSorted());
    expect(allowed.filter((path) => !existsSync(root + path))).toEqual([]);
    expect(read(".dockerignore").split("\n")).toContain("*");
    const [, made] = stages[0]!.filter(({ text }) => text.includes("npm ci --omit=dev") || text.includes("/image/"));
    const packed = ["memory", "server"].flatMap((folder) => {
      const { files } = JSON.parse(read(`packages/${folder}/package.json`)) as { files: string[] };
      return [...files, "package.json"].map((path) => `${folder}/${path}`);
    });
    expect(packed.filter((path) => !made!.text.split(/\s+/u).includes(path))).toEqual([]);
  });

  it("copies stages that it has, and removes binaries of other platforms that exist", () => {
    const names = stages.map(([from]) => / AS (\w+)/u.exec(from!.text)?.[1]);
    for (const { text } of image.filter(({ name }) => name === "COPY")) {
      expect(names).toContain(/--from=(\w+)/u.exec(text)?.[1]);
    }
    const trimmed = "node_modules/onnxruntime-node/bin/napi-v3";
    expect(stages.flat().some(({ text }) => text.includes(`cd ${trimmed}`))).toBe(true);
    for (const platform of ["darwin", "win32", `linux/${process.arch}`]) {
      expect(existsSync(join(root, trimmed, platform))).toBe(true);
    }
  });

  it("runs as nobody special, on Node of a kind that the package supports, with its data in a volume", () => {
    expect(only("USER")).toBe("node");
    expect(only("VOLUME")).toBe("/data");
    expect(only("WORKDIR")).toBe("/data");
    expect(only("EXPOSE")).toBe("7373");
    const major = Number(/^node:(\d+)-slim$/u.exec(only("FROM"))![1]);
    expect(major).toBeGreaterThanOrEqual(20);
    for (const name of ["ENTRYPOINT", "CMD"]) expect(image.findIndex((each) => each.name === name)).toBeGreaterThan(0);
    const users = image.findIndex(({ name }) => name === "USER");
    expect(image.slice(users).filter(({ name }) => name === "RUN")).toEqual([]);
  });

  it("starts the program that it links to", () => {
    const { bin } = JSON.parse(read("packages/server/package.json")) as { bin: { mnemosyne: string } };
    const program = `packages/server/${bin.mnemosyne}`;
    expect(only("RUN")).toContain(`/app/${program} /usr/local/bin/mnemosyne`);
    expect(JSON.parse(only("ENTRYPOINT"))).toEqual(["mnemosyne"]);
    expect(statSync(root + program).mode & 0o111).not.toBe(0);
  });
});

describe("the health check of the image", () => {
  const [, ...args] = readHealthCheck();

  async function check(port: number): Promise<number | null> {
    const env = { ...process.env, MNEMOSYNE_PORT: String(port) };
    return (await new Child(process.execPath, args, { env }).exited).code;
  }

  async function serve(status: number): Promise<{ server: Server; port: number; asked: string[] }> {
    const asked: string[] = [];
    const server = createServer(({ url }, response) => {
      asked.push(url!);
      response.writeHead(status).end("{}");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    return { server, port: (server.address() as AddressInfo).port, asked };
  }

  it("says healthy when /health answers, and unhealthy when it fails or nobody is there", async () => {
    const [well, ill] = [await serve(200), await serve(503)];
    expect(await check(well.port)).toBe(0);
    expect(well.asked).toEqual(["/health"]);
    expect(await check(ill.port)).toBe(1);
    await new Promise((resolve) => ill.server.close(resolve));
    expect(await check(ill.port)).toBe(1);
  });
});

describe("compose.yaml", () => {
  const { mnemosyne, redis } = services;

  it("names only networks and volumes that it declares", () => {
    for (const service of Object.values(services)) {
      expect(service.networks.filter((name) => !(name in networks))).toEqual([]);
      expect(service.volumes.map((volume) => volume.split(":")[0]!).filter((name) => !(name in volumes))).toEqual([]);
    }
  });

  it("lets nobody but the server reach Redis", () => {
    expect(redis["ports"]).toBeUndefined();
    expect(redis.networks).toEqual(["back"]);
    expect(networks["back"]).toEqual({ internal: true });
    expect(redis.command).toContain("--requirepass");
    expect(mnemosyne.environment["MNEMOSYNE_PATH"]).toMatch(/^redis:\/\/:\$\{REDIS_PASSWORD:\?.*\}@redis:6379$/u);
  });

  it("publishes the server on this machine only, on the port of the image", () => {
    expect(mnemosyne["ports"]).toEqual([`127.0.0.1:7373:${only("EXPOSE")}`]);
  });

  it.each(Object.entries(services))("%s can write to its volume only and has no rights to gain", (_, service) => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
      volumes: [expect.stringMatching(/:\/data$/u)],
    });
    expect(service["privileged"]).toBeUndefined();
  });

  it("gives the server longer to stop than it takes", () => {
    const seconds = Number(/^(\d+)s$/u.exec(mnemosyne["stop_grace_period"] as string)![1]);
    expect(seconds).toBeGreaterThan(defaultLimits.stopSecondsMax);
  });

  const [, ...args] = redis.command.map((word) => word.replace(/\$\{REDIS_PASSWORD:\?.*\}/u, "from-the-test"));
  const { requirepass, ...others } = Object.fromEntries(
    args.flatMap((word, i) => (word.startsWith("--") ? [[word.slice(2), args[i + 1]!]] : [])),
  );

  it("has Redis write every commit to disk and keep it", () => {
    const safe = { appendonly: "yes", appendfsync: "always", "maxmemory-policy": "noeviction" };
    expect(others).toEqual({ ...safe, maxmemory: expect.any(String) });
    expect(args).toHaveLength(2 * Object.keys({ requirepass, ...others }).length);
  });

  it.runIf(hasRedis)("starts a Redis with which the doctor is content", async () => {
    const server = await RedisServer.start(others);
    onTestFinished(() => server.stop());
    await server.command("CONFIG", "SET", "requirepass", requirepass!);
    const path = `redis://:${requirepass}@127.0.0.1:${server.port}`;
    expect((await folder.run(["--path", path, "commit", "Ada moved to Lisbon for a new job."])).code).toBe(0);
    const { code, out } = await folder.run(["--path", path, "doctor", "--json"]);
    const { findings } = JSON.parse(out) as { findings: { ok: boolean; message?: string }[] };
    expect(findings.filter(({ ok }) => !ok)).toEqual([]);
    expect(code).toBe(0);
    const backup = await folder.run(["--path", path, "backup", "copy.db"]);
    expect(backup).toMatchObject({ code: 0 });
    expect(backup.out + backup.errors).not.toContain(requirepass);
  });
});

describe.each(units)("the unit %s", (name) => {
  const unit = readUnit(name);

  it("has a user of its own, sees its own folders and gains no rights", () => {
    expect(Object.fromEntries(unit)).toMatchObject({
      "Service.DynamicUser": ["yes"],
      "Service.NoNewPrivileges": ["yes"],
      "Service.ProtectSystem": ["strict"],
      "Service.ProtectHome": ["yes"],
      "Service.PrivateTmp": ["yes"],
      "Service.CapabilityBoundingSet": [""],
      "Service.StateDirectoryMode": ["0700"],
      "Service.StateDirectory": [expect.stringMatching(/^mnemosyne\b/u)],
      "Service.UMask": ["0077"],
      "Service.SystemCallErrorNumber": ["EPERM"],
    });
  });

  it("starts a file of the package", () => {
    const [start] = unit.get("Service.ExecStart")!;
    const path = /\/node_modules\/mnemosyne-edge-server\/(\S+\.js)/u.exec(start!)![1]!;
    expect(existsSync(`${root}packages/server/${path}`)).toBe(true);
  });
});

describe("the unit of the server", () => {
  const unit = readUnit("mnemosyne.service");

  it("limits memory, and waits longer for a stop than the server takes", () => {
    expect(unit.get("Service.MemoryMax")).toEqual(["2G"]);
    expect(Number(unit.get("Service.TimeoutStopSec")![0])).toBeGreaterThan(defaultLimits.stopSecondsMax);
  });

  it("does not forbid what V8 needs", () => {
    expect(unit.has("Service.MemoryDenyWriteExecute")).toBe(false);
  });
});

const hasAnalyzer = spawnSync("systemd-analyze", ["--version"]).status === 0;

describe.runIf(hasAnalyzer)("systemd", () => {
  /** With the Node of this machine, whose place differs. */
  function analyze(name: string, ...args: readonly string[]): { status: number | null; said: string } {
    const path = join(scratch.path, name);
    writeFileSync(path, readFileSync(join(root, "deploy", name), "utf8").replaceAll("/usr/bin/node", process.execPath));
    const { status, stdout, stderr } = spawnSync("systemd-analyze", [...args, path], { encoding: "utf8" });
    return { status, said: `${stdout}${stderr}` };
  }

  it.each([...units, "mnemosyne-backup.timer"])("%s: nothing to complain about", (name) => {
    for (const unit of [...units, "mnemosyne-backup.timer"]) analyze(unit, "verify");
    const { status, said } = analyze(name, "verify");
    expect(said.split("\n").filter((line) => line.includes(basename(name)))).toEqual([]);
    expect(status).toBe(0);
  });
});

describe("options and variables", () => {
  const commands = {
    "compose.yaml": services.mnemosyne.command,
    Dockerfile: JSON.parse(only("CMD")) as string[],
    "mnemosyne.service": readUnit("mnemosyne.service").get("Service.ExecStart")![0]!.split(" "),
  };

  it("of the backup exist", async () => {
    const [start] = readUnit("mnemosyne-backup.service").get("Service.ExecStart")!;
    const flags = flagsIn(start!.split(" "), "backup");
    expect(flags).toEqual(["--force"]);
    const help = await helpOf("backup");
    expect(flags.filter((flag) => !help.includes(flag))).toEqual([]);
  });

  it.each(Object.entries(commands))("of %s are those of serve", async (_, words) => {
    expect(words).toContain("serve");
    const help = await helpOf("serve");
    expect(flagsIn(words, "serve").filter((flag) => !new RegExp(`${flag}\\b`, "u").test(help))).toEqual([]);
  });

  it("are read by the command line", async () => {
    const { out } = await folder.run(["--help"]);
    const named = ["Dockerfile", "compose.yaml", "deploy/mnemosyne.service", "deploy/mnemosyne-backup.service"]
      .flatMap((path) => [...read(path).matchAll(/\bMNEMOSYNE_[A-Z_]+\b/gu)])
      .map(([variable]) => variable);
    expect(named.length).toBeGreaterThan(5);
    expect([...new Set(named)].filter((variable) => !out.includes(variable))).toEqual([]);
  });
});
