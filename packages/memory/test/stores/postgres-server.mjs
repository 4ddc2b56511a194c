/** Real PostgreSQL servers for tests: on free loopback ports, data in a scratch folder, ended by their process ids. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";

const debianFolder = "/usr/lib/postgresql";
const versions = existsSync(debianFolder) ? readdirSync(debianFolder).sort((x, y) => Number(y) - Number(x)) : [];
const executablePath =
  process.env["MNEMOSYNE_POSTGRES"] ?? join(debianFolder, versions[0] ?? "none", "bin", "postgres");

/** On continuous integration a missing server is a failure. */
export const hasPostgres = existsSync(executablePath) || process.env["CI"] === "true";

/** PostgreSQL refuses to run as root. */
const identity = process.getuid?.() === 0 ? otherUser() : {};
const triesMax = 600;
const pauseMs = 50;

export class PostgresServer {
  password = "secret";
  #folder;
  #settings;
  #process;

  static async start(settings = {}) {
    const server = new PostgresServer(await freePort(), settings);
    await server.start();
    return server;
  }

  constructor(port, settings) {
    this.port = port;
    this.#settings = settings;
    this.#folder = mkdtempSync(join(tmpdir(), "mnemosyne-postgres-"));
    if (identity.uid !== undefined) chownSync(this.#folder, identity.uid, identity.gid);
    endWithUs.add(this);
    const passwordFile = join(this.#folder, "password");
    writeFileSync(passwordFile, this.password);
    const options = ["--auth=scram-sha-256", "--username=memory", `--pwfile=${passwordFile}`, "--no-sync"];
    const place = ["--encoding=UTF8", "--locale=C", "--pgdata", this.dataFolder];
    execFileSync(join(dirname(executablePath), "initdb"), [...options, ...place], {
      ...identity,
      cwd: "/",
      stdio: "pipe",
    });
  }

  get dataFolder() {
    return join(this.#folder, "data");
  }

  get url() {
    return `postgres://memory:${this.password}@127.0.0.1:${this.port}/postgres`;
  }

  get pid() {
    return this.#process.pid;
  }

  async start() {
    const settings = {
      port: String(this.port),
      listen_addresses: "127.0.0.1",
      unix_socket_directories: "",
      shared_buffers: "32MB",
      ...this.#settings,
    };
    const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    let child;
    const spawnServer = () => {
      child = spawn(executablePath, ["-D", this.dataFolder, ...args], {
        ...identity,
        cwd: "/",
        stdio: "ignore",
      });
      this.#process = child;
    };
    spawnServer();
    let trouble;
    for (let tries = 1; tries <= triesMax; tries++) {
      // After a crash, processes of the last server may still hold its memory.
      if (child.exitCode !== null && tries % 10 === 0) spawnServer();
      try {
        return void (await this.query("SELECT 1"));
      } catch (error) {
        trouble = error;
      }
      await delay(pauseMs);
    }
    throw new Error(`there is no PostgreSQL on port ${this.port}`, { cause: trouble });
  }

  async query(text, values) {
    const client = new pg.Client({ connectionString: this.url });
    client.on("error", () => {});
    await client.connect();
    try {
      const { rows } = await client.query(text, values);
      return rows;
    } finally {
      await client.end();
    }
  }

  async kill() {
    await this.#end("SIGKILL");
  }

  async restart() {
    await this.#end("SIGINT");
    await this.start();
  }

  async stop() {
    await this.#end("SIGINT");
    this.end();
  }

  async #end(signal) {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    const pids = signal === "SIGKILL" ? childrenOf(child.pid) : [];
    child.kill(signal);
    for (const pid of pids) killQuietly(pid);
    await ended;
  }

  /** At once, without waiting. */
  end() {
    endWithUs.delete(this);
    for (const pid of this.#process === undefined ? [] : childrenOf(this.#process.pid)) killQuietly(pid);
    this.#process?.kill("SIGKILL");
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

/** A way to a server that can lose the answer to a statement: it cuts the connection instead. */
export class CuttingProxy {
  /** Cuts the connection when the server answers a request that contains this. */
  cutAnswerTo;
  cutCount = 0;
  /** Passes nothing on, and cuts nothing. */
  isSilent = false;
  #server;

  static async start(targetPort) {
    const proxy = new CuttingProxy(targetPort);
    await once(proxy.#server, "listening");
    return proxy;
  }

  constructor(targetPort) {
    this.#server = createServer((caller) => {
      const target = connect(targetPort, "127.0.0.1");
      let isCut = false;
      caller.on("data", (bytes) => {
        if (this.isSilent) return;
        isCut = this.cutAnswerTo !== undefined && bytes.includes(this.cutAnswerTo);
        target.write(bytes);
      });
      target.on("data", (answer) => {
        if (!isCut) return void caller.write(answer);
        if (caller.destroyed) return;
        this.cutAnswerTo = undefined;
        this.cutCount++;
        caller.destroy();
      });
      for (const [end, other] of [
        [caller, target],
        [target, caller],
      ]) {
        end.on("error", () => {});
        end.on("close", () => other.destroy());
      }
    }).listen(0, "127.0.0.1");
  }

  get port() {
    return this.#server.address().port;
  }

  stop() {
    this.#server.close();
  }
}

const endWithUs = new Set();
process.on("exit", () => {
  for (const server of endWithUs) server.end();
});

/** The numbers of another user who may own a server: Debian's, or nobody. */
function otherUser() {
  const users = readFileSync("/etc/passwd", "utf8").split("\n");
  const [user] = ["postgres", "nobody"].flatMap((name) => users.filter((line) => line.startsWith(`${name}:`)));
  const [, , uid, gid] = user.split(":");
  return { uid: Number(uid), gid: Number(gid) };
}

function childrenOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
    return text === "" ? [] : text.split(" ").map(Number);
  } catch {
    return [];
  }
}

function killQuietly(pid) {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
