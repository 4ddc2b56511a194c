/** What the server of the demo logs into a pipe: nothing for each request, unless it is asked to. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { ScratchFolder } from "../../../memory/test/durability/scratch-folder.js";

const commandLine = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const scratch = new ScratchFolder();

/** It listens before it fills the memory, so nobody has to wait for that. */
async function logOf(...args: string[]): Promise<string[]> {
  const port = await freePort();
  const given = ["--path", scratch.next(), "serve", "--port", String(port), ...args];
  const child = spawn(process.execPath, [commandLine, ...given], { stdio: ["ignore", "ignore", "pipe"] });
  const exited = once(child, "exit");
  let errors = "";
  child.stderr.on("data", (data: Buffer) => (errors += data.toString()));
  while ((await fetch(`http://127.0.0.1:${port}/v1/persons`).catch(() => null))?.status !== 200) {
    if (child.exitCode !== null) throw new Error(`the server ended: ${errors}`);
    await delay(50);
  }
  child.kill("SIGTERM");
  await exited;
  return errors.split("\n").filter((line) => line.startsWith("{"));
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

it("serve --demo logs from warn up, where serve logs each request", async () => {
  expect(await logOf("--demo")).toEqual([]);
  for (const args of [[], ["--demo", "--log-level", "info"]]) {
    expect((await logOf(...args)).join("\n")).toContain("listPersons");
  }
});
