/**
 * Waiting for replicas. A WAIT blocks its connection until they have answered, so one WAIT per write would let only one
 * write through at a time. Writes that finish while a WAIT is in progress share the next one.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { RedisNode } from "./client.js";

export class ReplicaWaits {
  readonly #replicaCount: number;
  readonly #waitMs: number;
  readonly #last = new WeakMap<RedisNode, Promise<unknown>>();
  readonly #next = new WeakMap<RedisNode, Promise<number>>();

  constructor(replicaCount: number, waitMs: number) {
    this.#replicaCount = replicaCount;
    this.#waitMs = waitMs;
  }

  /** How many replicas have everything written through a node's connection before this call. */
  count(node: RedisNode): Promise<number> {
    const known = this.#next.get(node);
    if (known !== undefined) return known;
    const next = this.#send(node);
    this.#next.set(node, next);
    return next;
  }

  async #send(node: RedisNode): Promise<number> {
    await this.#last.get(node);
    // Writes answered together with ours join in.
    await nextTurn();
    this.#next.delete(node);
    const sent = node.sendCommand(["WAIT", String(this.#replicaCount), String(this.#waitMs)]).then(Number);
    this.#last.set(
      node,
      sent.catch(() => 0),
    );
    return sent;
  }
}
