/** import_memories: progress while it works, and an end when the client cancels it or the server stops. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Progress } from "@modelcontextprotocol/client";
import { ScratchFolder } from "../../../../memory/test/durability/scratch-folder.js";
import { type McpTestServer, connectTo, eras, eventually, startMcpServer } from "./mcp-server.js";

const scratch = new ScratchFolder();
const count = 300;
const interactions = Array.from({ length: count }, (_, index) => ({ id: `i${index}`, text: `Entry ${index}.` }));
const request = { name: "import_memories", arguments: { interactions } };

let server: McpTestServer;
beforeAll(async () => {
  server = await startMcpServer({ path: scratch.next() });
});
afterAll(() => server.stop());

const historyOf = (person: string): Promise<{ length: number }> => server.mnemosyne.person(person).history();

describe.each(eras)("an import by a client of %s", (era) => {
  it("reports progress, to the last one", async () => {
    const { client } = await connectTo(server.url, { era, person: `${era}-progress` });
    const heard: Progress[] = [];
    const onprogress = (progress: Progress): void => void heard.push(progress);
    const result = await client.callTool(request, { onprogress });
    expect(result.structuredContent).toMatchObject({ acceptedCount: count });
    expect(heard.length).toBeGreaterThan(10);
    expect(heard.length).toBeLessThanOrEqual(101);
    expect(heard.map(({ progress }) => progress)).toEqual(
      heard.map(({ progress }) => progress).toSorted((a, b) => a - b),
    );
    expect(heard.at(-1)).toMatchObject({ progress: count, total: count });
    expect(await historyOf(`${era}-progress`)).toHaveLength(count);
    await client.close();
  });

  it("ends when it is cancelled; what was stored stays", async () => {
    const person = `${era}-cancelled`;
    const { client } = await connectTo(server.url, { era, person });
    const controller = new AbortController();
    const call = client.callTool(request, { signal: controller.signal, onprogress: () => controller.abort() });
    await expect(call).rejects.toThrow();
    await eventually(() => server.audit.some((entry) => entry.person === person && entry.outcome === "cancelled"));
    const stored = (await historyOf(person)).length;
    expect(stored).toBeGreaterThan(0);
    expect(stored).toBeLessThan(count);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await historyOf(person)).toHaveLength(stored);
    expect(server.logged.join("\n")).not.toContain("failed");
    await client.close();
  });

  it("ends when the server stops, and says so", async () => {
    const own = await startMcpServer({ path: scratch.next() });
    const { client } = await connectTo(own.url, { era, person: "ada" });
    const result = await client.callTool(request, { onprogress: () => own.stopping.abort() });
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^stopping: /u) as string }],
    });
    const stored = (await own.mnemosyne.person("ada").history()).length;
    expect(stored).toBeGreaterThan(0);
    expect(stored).toBeLessThan(count);
    await client.close();
    await own.stop();
  });
});
