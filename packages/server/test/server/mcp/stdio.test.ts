/** `mnemosyne mcp` as a client starts it: a process of its own, on the built program, with the bundled embedder. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Mnemosyne } from "../../../../memory/src/index.js";
import { root } from "../../../../../test/docs/project-files.js";
import { ScratchFolder } from "../../../../memory/test/durability/scratch-folder.js";
import { call, clientOptions, eras, eventually } from "./mcp-server.js";

const scratch = new ScratchFolder();
const program = `${root}packages/server/dist/cli/main.js`;
const clients: Client[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
});

interface StartOptions {
  readonly era?: (typeof eras)[number];
  readonly more?: readonly string[];
}

async function start(
  path: string,
  { era = "2025", more = [] }: StartOptions = {},
): Promise<[Client, StdioClientTransport]> {
  const args = [program, "--path", path, "--person", "ada", "mcp", ...more];
  const transport = new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" });
  const client = new Client({ name: "test", version: "1" }, clientOptions(era));
  clients.push(client);
  await client.connect(transport);
  return [client, transport];
}

async function textsIn(path: string): Promise<(string | undefined)[]> {
  const mnemosyne = await Mnemosyne.open({ path });
  const history = await mnemosyne.person("ada").history();
  await mnemosyne.close();
  return history.map(({ turns }) => turns[0]?.text);
}

describe.each(eras)("a client of %s", (era) => {
  it("commits 50 in parallel, all of which stay, and recalls", async () => {
    const path = scratch.next();
    const [client] = await start(path, { era });
    const texts = Array.from({ length: 50 }, (_, index) => `Cousin number ${index} lives in house ${index * 3}.`);
    const results = await Promise.all(texts.map((text) => call(client, "commit_memory", { text })));
    expect(results.filter(({ isError }) => isError)).toEqual([]);
    const { text } = await call(client, "recall_memories", { query: "Where does cousin number 7 live?" });
    expect(text).toContain("<<<MEMORY");
    await client.close();
    expect((await textsIn(path)).toSorted()).toEqual(texts.toSorted());
  });
});

it("offers only what reads with --read-only, and only what exists", async () => {
  const path = scratch.next();
  const [writer] = await start(path);
  await call(writer, "commit_memory", { id: "one", text: "My aunt Eva keeps bees.", keep: true });
  await writer.close();
  const [reader] = await start(path, { more: ["--read-only"] });
  const { tools } = await reader.listTools();
  expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
  expect(await call(reader, "forget_memory", { id: "one" })).toMatchObject({ isError: true });
  expect((await call(reader, "get_memory", { id: "one" })).text).toContain("bees");
  await expect(start(scratch.next(), { more: ["--read-only"] })).rejects.toThrow();
});

describe("without a client's library", () => {
  const initialize = {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
  };
  const commit = {
    jsonrpc: "2.0",
    id: 2,
    method: "tools/call",
    params: { name: "commit_memory", arguments: { text: "The spare key is under the third pot." } },
  };

  async function serve(path: string): Promise<{ child: ChildProcess; output: () => string; errors: () => string }> {
    const args = [program, "--path", path, "--person", "ada", "--verbose", "mcp"];
    const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "pipe"] });
    let output = "";
    let errors = "";
    child.stdout.on("data", (chunk: Buffer) => void (output += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => void (errors += chunk.toString()));
    child.stdin.write(
      `${JSON.stringify(initialize)}\n{ "jsonrpc": 3, "note": "under the third pot" }\n${JSON.stringify(commit)}\n`,
    );
    await eventually(() => output.includes('"id":2'));
    return { child, output: () => output, errors: () => errors };
  }

  it.each(["the end of its input", "SIGTERM", "SIGINT"])("ends at %s, and what was accepted stays", async (how) => {
    const path = scratch.next();
    const { child, output } = await serve(path);
    const exit = once(child, "exit");
    if (how.startsWith("SIG")) child.kill(how as NodeJS.Signals);
    else child.stdin?.end();
    expect(await exit).toEqual([0, null]);
    expect(await textsIn(path)).toEqual(["The spare key is under the third pot."]);
    const lines = output().trim().split("\n");
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
  });

  it("writes nothing but the protocol to standard output, and no memory text to the log", async () => {
    const { child, output, errors } = await serve(scratch.next());
    const exit = once(child, "exit");
    child.stdin?.end();
    await exit;
    const ids = output()
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { id?: number }).id);
    expect(ids.filter((id) => id !== undefined)).toEqual([1, 2]);
    expect(errors()).not.toBe("");
    expect(errors()).not.toMatch(/spare key|third pot/u);
  });
});
