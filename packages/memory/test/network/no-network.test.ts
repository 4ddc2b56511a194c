/**
 * Nothing is sent to the network unless an endpoint is configured. The core path and the command line run in processes in
 * which Node.js cannot reach the network and every attempt is recorded; where Linux permits it, also in a network namespace
 * without any interface, which covers native code too.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { ScratchFolder } from "../durability/scratch-folder.js";

const scratch = new ScratchFolder();
const file = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const cutNetwork = pathToFileURL(file("cut-network.mjs")).href;
const corePath = file("core-path.mjs");
const program = file("../../../server/dist/cli/main.js");
const modelProcess = join("encoder", "process.js");

/** Set for other programs; nothing may be sent there. */
const others = { OPENAI_BASE_URL: "http://127.0.0.1:8099/v1", OPENAI_API_KEY: "secret" };

interface Note {
  readonly kind: "try" | "cut off";
  readonly what: string;
}

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly errors: string;
  readonly tries: readonly string[];
  /** Scripts of the processes and threads that were cut off. */
  readonly cutOff: readonly string[];
}

async function runCutOff(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ran> {
  const notes = scratch.next(".jsonl");
  const { PATH, SystemRoot } = process.env;
  const options = { PATH, SystemRoot, ...others, ...env, NETWORK_NOTES: notes, NODE_OPTIONS: `--import=${cutNetwork}` };
  const ran = await finish(spawn(process.execPath, args, { env: options }));
  const lines = existsSync(notes) ? readFileSync(notes, "utf8").trimEnd().split("\n") : [];
  const all = lines.map((line) => JSON.parse(line) as Note);
  const named = (kind: Note["kind"]): string[] => all.filter((note) => note.kind === kind).map(({ what }) => what);
  return { ...ran, tries: named("try"), cutOff: named("cut off") };
}

function finish(child: ChildProcess): Promise<{ code: number | null; out: string; errors: string }> {
  let out = "";
  let errors = "";
  child.stdout!.on("data", (data: Buffer) => (out += data.toString()));
  child.stderr!.on("data", (data: Buffer) => (errors += data.toString()));
  child.stdin!.end();
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, out, errors }));
  });
}

const done = { recalled: true, core: true, mode: "restored", forgotten: ["lisbon"] };

describe("with every way out cut off", () => {
  it("commit, recall, core summary, export, import and forgetting work, and nothing tries to use the network", async () => {
    const { code, out, errors, tries, cutOff } = await runCutOff([corePath, scratch.next()]);
    expect({ code, errors, tries }).toEqual({ code: 0, errors: "", tries: [] });
    expect(JSON.parse(out)).toEqual(done);
    expect(cutOff.filter((script) => script.endsWith(modelProcess))).not.toEqual([]);
  });

  it("the doctor works", async () => {
    const args = [program, "--path", ":memory:", "doctor"];
    const { code, errors, tries } = await runCutOff(args);
    expect({ code, errors, tries }).toEqual({ code: 0, errors: "", tries: [] });
  });

  it("the doctor uses the network if a model is named", async () => {
    const { code, tries } = await runCutOff([program, "--path", ":memory:", "doctor"], {
      MNEMOSYNE_LLM_MODEL: "small",
    });
    expect({ code, tries }).toEqual({ code: 6, tries: ["fetch"] });
  });

  const ways: readonly (readonly [string, string])[] = [
    ["fetch", 'await fetch("http://127.0.0.1:9")'],
    ["net.Socket.connect", '(await import("node:net")).connect(9, "127.0.0.1")'],
    ["http.get", '(await import("node:http")).get("http://127.0.0.1:9")'],
    ["http.request", 'const { request } = await import("node:https"); request("https://127.0.0.1:9")'],
    ["dns.lookup", 'const { lookup } = await import("node:dns"); lookup("example.invalid", () => {})'],
    ["dns.promises.resolve4", 'await (await import("node:dns/promises")).resolve4("example.invalid")'],
    ["dgram.createSocket", '(await import("node:dgram")).createSocket("udp4")'],
  ];

  it.each(ways)("a call of %s is recorded", async (name, code) => {
    const ran = await runCutOff(["--input-type=module", "--eval", code]);
    expect(ran.tries).toEqual([name]);
    expect(ran.code).toBe(1);
  });
});

const unshare = ["unshare", "--net"];
const canUnshare = process.platform === "linux" && spawnSync(unshare[0]!, [unshare[1]!, "true"]).status === 0;

describe.runIf(canUnshare)("in a network namespace without any interface", () => {
  function run(...args: readonly string[]): ReturnType<typeof finish> {
    return finish(spawn(unshare[0]!, [unshare[1]!, process.execPath, ...args], { env: { ...process.env, ...others } }));
  }

  it("the core path works", async () => {
    const { code, out, errors } = await run(corePath, scratch.next());
    expect({ code, errors }).toEqual({ code: 0, errors: "" });
    expect(JSON.parse(out)).toMatchObject(done);
  });

  it("nothing can be reached", async () => {
    const script = 'await fetch("http://127.0.0.1:8099").catch(({ cause }) => process.stdout.write(cause.code))';
    expect((await run("--input-type=module", "--eval", script)).out).toBe("ENETUNREACH");
  });
});
