/** `mnemosyne serve` in a process of its own, that can be killed and started again on the same port. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";

const commandLine = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
/** Many clients are one address here. */
const limits = ["--requests-per-minute", "100000000", "--log-level", "error"];

export class ServedProcess {
  #command;
  #process = null;
  #exited = Promise.resolve();
  errors = "";

  /** `script` stands in for the command line: it is given the port, and what else it takes. */
  static async start({ path, args = [], script = null, ...given }) {
    const port = await freePort();
    const served = new ServedProcess();
    served.port = port;
    served.#command =
      script === null
        ? [commandLine, "--json", "--path", path, "serve", "--port", String(port), ...limits, ...args]
        : [script, JSON.stringify({ path, port, ...given })];
    await served.restart();
    return served;
  }

  /** Resolves when it says where it listens. */
  async restart() {
    const child = spawn(process.execPath, this.#command, { stdio: ["ignore", "pipe", "pipe"] });
    this.#process = child;
    this.#exited = new Promise((resolve) => child.once("exit", resolve));
    child.stderr.on("data", (data) => (this.errors += data));
    await new Promise((resolve, reject) => {
      let text = "";
      child.stdout.on("data", (data) => {
        text += data;
        if (text.includes(`:${this.port}`)) resolve();
      });
      child.once("exit", (code) => reject(new Error(`the server ended with ${code}: ${this.errors}`)));
    });
  }

  /** As a crash would end it. */
  async kill() {
    this.#process.kill("SIGKILL");
    await this.#exited;
  }

  async stop() {
    this.#process.kill("SIGTERM");
    await this.#exited;
  }

  /** Bytes in memory, and the most there were; null where the system does not say. */
  memory() {
    try {
      const status = readFileSync(`/proc/${this.#process.pid}/status`, "utf8");
      const of = (name) => 1024 * Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "mu").exec(status)[1]);
      return { resident: of("VmRSS"), residentMax: of("VmHWM") };
    } catch {
      return null;
    }
  }
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A client that keeps its connections. Rejects if the connection ends before the answer does. */
export class JsonClient {
  #port;
  #agent = new Agent({ keepAlive: true, maxSockets: Infinity });

  constructor(port) {
    this.#port = port;
  }

  send(method, path, { body, headers = {}, signal } = {}) {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const sent = text === undefined ? headers : { ...headers, "content-type": "application/json" };
    return new Promise((resolve, reject) => {
      const options = { host: "127.0.0.1", port: this.#port, method, path, agent: this.#agent, headers: sent, signal };
      const outgoing = request(options, (incoming) => {
        const pieces = [];
        incoming.on("data", (piece) => pieces.push(piece));
        incoming.on("error", reject);
        incoming.on("aborted", () => reject(new Error("the answer was cut off")));
        incoming.on("end", () => {
          const answer = Buffer.concat(pieces).toString();
          resolve({ status: incoming.statusCode, body: answer === "" ? null : JSON.parse(answer) });
        });
      });
      outgoing.on("error", reject);
      outgoing.end(text);
    });
  }

  close() {
    this.#agent.destroy();
  }
}
