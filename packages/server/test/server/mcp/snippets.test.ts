/** Every file of examples/mcp is what its client would read, and leads to a server that offers the tools. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Client, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { tools } from "../../../src/server/mcp/memory-server.js";
import { documents, listFiles, prose, read, root, tableRows } from "../../../../../test/docs/project-files.js";
import { ScratchFolder } from "../../../../memory/test/durability/scratch-folder.js";
import { type McpTestServer, keyFor, startMcpServer } from "./mcp-server.js";

const scratch = new ScratchFolder();
const program = `${root}packages/server/dist/cli/main.js`;
const address = "http://127.0.0.1:7373/mcp";
const files = listFiles("examples/mcp").filter((path) => /\.(?:json|toml)$/u.test(path));

let server: McpTestServer;
beforeAll(async () => {
  server = await startMcpServer({ keys: { "the-key": keyFor("k", ["ada"]) } });
});
afterAll(() => server.stop());

interface Entry {
  readonly command?: string;
  readonly args?: string[];
  readonly headers?: Record<string, string>;
  readonly bearer_token_env_var?: string;
  /** Each client has its own name for the address. */
  readonly url?: string;
  readonly serverUrl?: string;
  readonly httpUrl?: string;
}

/** Under which name each client looks for servers. */
const listNames: Readonly<Record<string, string>> = { vscode: "servers", zed: "context_servers", codex: "mcp_servers" };

function readEntry(path: string): Entry {
  const client = path.replace(/^.*\/(?<client>.*?)(?:-http)?\.\w+$/u, "$<client>");
  const text = read(path);
  const parsed = path.endsWith(".toml") ? readToml(text) : (JSON.parse(text) as Record<string, unknown>);
  const servers = parsed[listNames[client] ?? "mcpServers"] as Record<string, Entry> | undefined;
  const entry = servers?.["memory"];
  if (entry === undefined) throw new Error(`${path} has no server called memory where ${client} looks for it`);
  return entry;
}

/** As much of TOML as these files have: a table with a dotted name, texts and lists of texts. */
function readToml(text: string): Record<string, Record<string, Entry>> {
  const [table = "", ...lines] = text.trim().split("\n");
  const [, list = "", name = ""] = /^\[(\w+)\.(\w+)\]$/u.exec(table) ?? [];
  const pairs = lines.map((line) => {
    const [, key = "", value = ""] = /^(\w+) = (".*"|\[.*\])$/u.exec(line) ?? [];
    return [key, JSON.parse(value) as unknown];
  });
  return { [list]: { [name]: Object.fromEntries(pairs) as Entry } };
}

function transportFor(entry: Entry, path: string): Transport {
  if (entry.command !== undefined) {
    expect(entry.command).toBe("mnemosyne");
    const args = entry.args?.map((argument) => (argument === "/path/to/memory.db" ? path : argument)) ?? [];
    expect(args).toContain(path);
    return new StdioClientTransport({ command: process.execPath, args: [program, ...args], stderr: "ignore" });
  }
  expect(entry.url ?? entry.serverUrl ?? entry.httpUrl).toBe(address);
  const given =
    entry.bearer_token_env_var === "MNEMOSYNE_API_KEY" ? { Authorization: "Bearer YOUR_KEY" } : (entry.headers ?? {});
  const key = /YOUR_KEY|\$\{MNEMOSYNE_API_KEY\}|\$\{input:mnemosyne-key\}/u;
  const headers = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, value.replace(key, "the-key")]),
  );
  return new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers } });
}

describe("the configuration", () => {
  it("is there for eleven clients, with a way over HTTP for those that send a key", () => {
    const names = files.map((path) => path.replace(/^.*\/|\.\w+$/gu, ""));
    expect(names.filter((name) => !name.endsWith("-http"))).toHaveLength(11);
    expect(names.filter((name) => name.endsWith("-http"))).toHaveLength(8);
  });

  it.each(files)("%s leads to the tools", async (path) => {
    const client = new Client({ name: "test", version: "1" });
    await client.connect(transportFor(readEntry(path), scratch.next()));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("commit_memory");
    await client.close();
  });

  it("that leads nowhere would be noticed", () => {
    expect(() => transportFor({ url: "http://127.0.0.1:1/mcp" }, "")).toThrow(/expected/u);
    expect(() => readEntry("examples/mcp/README.md")).toThrow();
  });

  it("is named in docs/mcp.md, each file", () => {
    const page = read("docs/mcp.md");
    expect(files.filter((path) => !page.includes(path.split("/").at(-1) ?? path))).toEqual([]);
  });
});

it("documents name all tools, and count them right", () => {
  const named = tableRows("docs/mcp.md", "Tools").map(([tool]) => tool?.replaceAll(/[ `]/gu, ""));
  expect(named.toSorted()).toEqual(tools.map(({ listed }) => listed.name).toSorted());
  const words = ["seven", "eight", "nine", "ten", "eleven", "twelve"];
  const counts = documents.flatMap((path) =>
    [...prose(path).matchAll(/\b(\d+|seven|eight|nine|ten|eleven|twelve) tools\b/giu)].map(([, count = ""]) => ({
      path,
      count: words.includes(count.toLowerCase()) ? words.indexOf(count.toLowerCase()) + 7 : Number(count),
    })),
  );
  expect(counts.map(({ path }) => path)).toContain("docs/compare.md");
  expect(counts.filter(({ count }) => count !== tools.length)).toEqual([]);
});
