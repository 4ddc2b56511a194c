/** Real Redis servers for tests: on free loopback ports, data in a scratch folder, ended by their process ids. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createClient } from "@redis/client";

const executablePath = process.env["MNEMOSYNE_REDIS_SERVER"] ?? "/usr/bin/redis-server";

/** On continuous integration a missing server is a failure. */
export const hasRedis = existsSync(executablePath) || process.env["CI"] === "true";

const triesMax = 600;
const pauseMs = 50;

export class RedisServer {
  readonly port: number;
  readonly busPort: number;
  readonly #folder: string;
  readonly #settings: Readonly<Record<string, string>>;
  #process: ChildProcess | undefined;

  static async start(settings: Readonly<Record<string, string>> = {}): Promise<RedisServer> {
    const [port, busPort] = await freePorts();
    const server = new RedisServer(port, busPort, settings);
    await server.start();
    return server;
  }

  private constructor(port: number, busPort: number, settings: Readonly<Record<string, string>>) {
    this.port = port;
    this.busPort = busPort;
    this.#folder = mkdtempSync(join(tmpdir(), "mnemosyne-redis-"));
    this.#settings = settings;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  get pid(): number {
    return this.#process!.pid!;
  }

  /** Starts on the same port with what was kept on disk. */
  async start(): Promise<void> {
    mkdirSync(this.#folder, { recursive: true });
    const settings = {
      port: String(this.port),
      bind: "127.0.0.1",
      dir: this.#folder,
      save: "",
      appendonly: "yes",
      appendfsync: "always",
      "repl-diskless-sync-delay": "0",
      ...(this.#settings["cluster-enabled"] === "yes" ? { "cluster-port": String(this.busPort) } : {}),
      ...this.#settings,
    };
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
    const child = spawn(executablePath, args, { stdio: "ignore" });
    this.#process = child;
    endWithUs.add(child);
    await eventually(`a Redis on port ${this.port}`, async () => {
      if (child.exitCode !== null) throw new Error(`redis-server ended with ${child.exitCode}`);
      return String(await this.command("PING")) === "PONG";
    });
  }

  /** A command on a connection of its own. */
  async command(...args: string[]): Promise<unknown> {
    const password = this.#settings["requirepass"];
    const client = createClient({
      url: this.url,
      RESP: 2,
      ...(password === undefined ? {} : { password }),
      socket: { reconnectStrategy: false },
    });
    client.on("error", () => {});
    await client.connect();
    try {
      return await client.sendCommand(args);
    } finally {
      client.destroy();
    }
  }

  async kill(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
    endWithUs.delete(child);
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

const endWithUs = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of endWithUs) child.kill("SIGKILL");
});

/** Three masters with a replica each. */
export class RedisCluster {
  readonly masters: readonly RedisServer[];
  readonly replicas: readonly RedisServer[];

  static async start(): Promise<RedisCluster> {
    const ports = await Promise.all(Array.from({ length: 6 }, () => startNode()));
    const cluster = new RedisCluster(ports.slice(0, 3), ports.slice(3));
    try {
      await cluster.#join();
      return cluster;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  private constructor(masters: readonly RedisServer[], replicas: readonly RedisServer[]) {
    this.masters = masters;
    this.replicas = replicas;
  }

  get url(): string {
    return `redis+cluster://${this.masters.map(({ port }) => `127.0.0.1:${port}`).join(",")}`;
  }

  /** The master that has a slot. */
  async ownerOf(slot: string): Promise<RedisServer> {
    const ranges = (await this.masters[0]!.command("CLUSTER", "SLOTS")) as [number, number, [string, number]][];
    const [, , [, port]] = ranges.find(([from, to]) => from <= Number(slot) && Number(slot) <= to)!;
    return this.masters.find((master) => master.port === port)!;
  }

  async #join(): Promise<void> {
    const nodes = [...this.masters, ...this.replicas];
    for (const [i, node] of nodes.entries()) await node.command("CLUSTER", "SET-CONFIG-EPOCH", String(i + 1));
    for (const [i, master] of this.masters.entries()) {
      const [from, to] = [Math.ceil((16_384 * i) / 3), Math.ceil((16_384 * (i + 1)) / 3) - 1];
      await master.command("CLUSTER", "ADDSLOTSRANGE", String(from), String(to));
    }
    const [first] = nodes;
    for (const { port, busPort } of nodes.slice(1)) {
      await first!.command("CLUSTER", "MEET", "127.0.0.1", String(port), String(busPort));
    }
    await eventually("nodes that know each other", () => every(nodes, knows(nodes.length)));
    for (const [i, replica] of this.replicas.entries()) {
      const id = String(await this.masters[i]!.command("CLUSTER", "MYID"));
      await eventually("a replica", async () => (await replica.command("CLUSTER", "REPLICATE", id)) === "OK");
    }
    await eventually("a cluster", () => every(nodes, isOk));
    await eventually("replicas", () => every(this.masters, hasReplica));
    await eventually("replicas in the slots", async () => {
      const slots = (await first!.command("CLUSTER", "SLOTS")) as unknown[][];
      return slots.length === 3 && slots.every((slot) => slot.length === 4);
    });
  }

  async stop(): Promise<void> {
    await Promise.all([...this.masters, ...this.replicas].map((node) => node.stop()));
  }
}

function startNode(): Promise<RedisServer> {
  return RedisServer.start({
    "cluster-enabled": "yes",
    "cluster-node-timeout": "2000",
  });
}

const knows =
  (count: number) =>
  async (node: RedisServer): Promise<boolean> =>
    String(await node.command("CLUSTER", "INFO")).includes(`cluster_known_nodes:${count}`);

async function isOk(node: RedisServer): Promise<boolean> {
  return String(await node.command("CLUSTER", "INFO")).includes("cluster_state:ok");
}

async function hasReplica(node: RedisServer): Promise<boolean> {
  return /state=online/u.test(String(await node.command("INFO", "replication")));
}

async function every(nodes: readonly RedisServer[], is: (node: RedisServer) => Promise<boolean>): Promise<boolean> {
  const answers = await Promise.all(nodes.map(is));
  return answers.every(Boolean);
}

/** Waits until something is so; errors on the way count as not yet. */
export async function eventually(what: string, isSo: () => Promise<boolean>): Promise<void> {
  let trouble: unknown;
  for (let tries = 1; tries <= triesMax; tries++) {
    try {
      if (await isSo()) return;
    } catch (error) {
      trouble = error;
    }
    await delay(pauseMs);
  }
  throw new Error(`there is no ${what} after ${(triesMax * pauseMs) / 1000} s`, { cause: trouble });
}

async function freePorts(): Promise<[number, number]> {
  const servers = [createServer(), createServer()];
  const ports: number[] = [];
  for (const server of servers) {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    ports.push((server.address() as AddressInfo).port);
  }
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports as [number, number];
}
