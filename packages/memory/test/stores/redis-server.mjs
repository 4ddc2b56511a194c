/** Real Redis servers for tests and benchmarks: on free loopback ports, data in a scratch folder, ended by their process ids. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
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
  #folder;
  #settings;
  #process;

  static async start(settings = {}) {
    const [port, busPort] = await freePorts();
    const server = new RedisServer(port, busPort, settings);
    await server.start();
    return server;
  }

  constructor(port, busPort, settings) {
    this.port = port;
    this.busPort = busPort;
    this.#folder = mkdtempSync(join(tmpdir(), "mnemosyne-redis-"));
    this.#settings = settings;
  }

  get url() {
    return `redis://127.0.0.1:${this.port}`;
  }

  get pid() {
    return this.#process.pid;
  }

  /** Starts on the same port with what was kept on disk. */
  async start() {
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
    endWithUs.add(this);
    await eventually(`a Redis on port ${this.port}`, async () => {
      if (child.exitCode !== null) throw new Error(`redis-server ended with ${child.exitCode}`);
      return String(await this.command("PING")) === "PONG";
    });
  }

  /** A command on a connection of its own. */
  async command(...args) {
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

  async kill() {
    const child = this.#process;
    this.#process = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }

  async stop() {
    await this.kill();
    this.end();
  }

  /** At once, without waiting, with what is on disk. */
  end() {
    endWithUs.delete(this);
    this.#process?.kill("SIGKILL");
    // A process that it forked to save may still be writing there.
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

const endWithUs = new Set();
process.on("exit", () => {
  for (const server of endWithUs) server.end();
});

/** Three masters, with a replica each unless they are not wanted. */
export class RedisCluster {
  static async start({ hasReplicas = true, settings = {} } = {}) {
    const nodes = await Promise.all(Array.from({ length: hasReplicas ? 6 : 3 }, () => startNode(settings)));
    const cluster = new RedisCluster(nodes.slice(0, 3), nodes.slice(3));
    try {
      await cluster.#join();
      return cluster;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  constructor(masters, replicas) {
    this.masters = masters;
    this.replicas = replicas;
  }

  get url() {
    return `redis+cluster://${this.masters.map(({ port }) => `127.0.0.1:${port}`).join(",")}`;
  }

  /** The master that has a slot. */
  async ownerOf(slot) {
    const ranges = await this.masters[0].command("CLUSTER", "SLOTS");
    const [, , [, port]] = ranges.find(([from, to]) => from <= Number(slot) && Number(slot) <= to);
    return this.masters.find((master) => master.port === port);
  }

  async #join() {
    const nodes = [...this.masters, ...this.replicas];
    for (const [i, node] of nodes.entries()) await node.command("CLUSTER", "SET-CONFIG-EPOCH", String(i + 1));
    for (const [i, master] of this.masters.entries()) {
      const [from, to] = [Math.ceil((16_384 * i) / 3), Math.ceil((16_384 * (i + 1)) / 3) - 1];
      await master.command("CLUSTER", "ADDSLOTSRANGE", String(from), String(to));
    }
    const [first] = nodes;
    for (const { port, busPort } of nodes.slice(1)) {
      await first.command("CLUSTER", "MEET", "127.0.0.1", String(port), String(busPort));
    }
    await eventually("nodes that know each other", () => every(nodes, knows(nodes.length)));
    for (const [i, replica] of this.replicas.entries()) {
      const id = String(await this.masters[i].command("CLUSTER", "MYID"));
      await eventually("a replica", async () => (await replica.command("CLUSTER", "REPLICATE", id)) === "OK");
    }
    await eventually("a cluster", () => every(nodes, isOk));
    if (this.replicas.length === 0) return;
    await eventually("replicas", () => every(this.masters, hasReplica));
    await eventually("replicas in the slots", async () => {
      const slots = await first.command("CLUSTER", "SLOTS");
      return slots.length === 3 && slots.every((slot) => slot.length === 4);
    });
  }

  async stop() {
    await Promise.all([...this.masters, ...this.replicas].map((node) => node.stop()));
  }
}

function startNode(settings) {
  return RedisServer.start({ "cluster-enabled": "yes", "cluster-node-timeout": "2000", ...settings });
}

const knows = (count) => async (node) =>
  String(await node.command("CLUSTER", "INFO")).includes(`cluster_known_nodes:${count}`);

async function isOk(node) {
  return String(await node.command("CLUSTER", "INFO")).includes("cluster_state:ok");
}

async function hasReplica(node) {
  return /state=online/u.test(String(await node.command("INFO", "replication")));
}

async function every(nodes, is) {
  const answers = await Promise.all(nodes.map(is));
  return answers.every(Boolean);
}

/** Waits until something is so; errors on the way count as not yet. */
export async function eventually(what, isSo) {
  let trouble;
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

async function freePorts() {
  const servers = [createServer(), createServer()];
  const ports = [];
  for (const server of servers) {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    ports.push(server.address().port);
  }
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
