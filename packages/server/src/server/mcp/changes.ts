/**
 * Notices about changed resources, from the events of one person's memory. They name ids, never what was said; whoever wants
 * to know reads the resource, and may not.
 */
import type { McpServer, ServerEvent } from "@modelcontextprotocol/server";
import type { PersonMemory } from "mnemosyne-edge";
import { RequestError } from "../problem.js";

export const coreUri = "mnemosyne://core";
const memoryUriStart = "mnemosyne://memories/";
export const memoryUriTemplate = `${memoryUriStart}{id}`;
const subscriptionCountMax = 1_000;

export function memoryUri(id: string): string {
  return memoryUriStart + encodeURIComponent(id);
}

/** Tells what changed until the function that it returns is called. */
export function watchChanges(memory: PersonMemory, tell: (change: ServerEvent) => void): () => void {
  const tellUpdated = (ids: readonly string[]): void => {
    for (const id of ids) tell({ kind: "resource_updated", uri: memoryUri(id) });
  };
  const tellListed = (ids: readonly string[]): void => {
    tellUpdated(ids);
    tell({ kind: "resources_list_changed" });
  };
  const stops = [
    memory.on("committed", ({ id }) => tellListed([id])),
    memory.on("paired", ({ id, repeats }) => tellListed(repeats === null ? [id] : [id, repeats])),
    memory.on("updated", ({ updates }) => tellUpdated(updates)),
    memory.on("edited", ({ id }) => tellListed([id])),
    memory.on("forgotten", ({ ids }) => tellListed(ids)),
    memory.on("core", () => tell({ kind: "resource_updated", uri: coreUri })),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/**
 * Tells the client of a server that stays connected. Before 2026-07-28 a client subscribes with a request for each resource,
 * which is kept here; since then what carries the connection knows what it listens to.
 */
export function announceChanges({ server }: McpServer, memory: PersonMemory, era: "legacy" | "modern"): () => void {
  const subscribed = new Set<string>();
  server.setRequestHandler("resources/subscribe", ({ params: { uri } }) => {
    if (subscribed.size >= subscriptionCountMax) {
      throw new RequestError("too_busy", `There are ${subscriptionCountMax} subscriptions already; end some first.`);
    }
    subscribed.add(uri);
    return {};
  });
  server.setRequestHandler("resources/unsubscribe", ({ params: { uri } }) => {
    subscribed.delete(uri);
    return {};
  });
  return watchChanges(memory, (change) => {
    const isUpdate = change.kind === "resource_updated";
    if (isUpdate && era === "legacy" && !subscribed.has(change.uri)) return;
    const sent = isUpdate ? server.sendResourceUpdated({ uri: change.uri }) : server.sendResourceListChanged();
    // A client that has gone misses nothing: it reads again when it comes back.
    sent.catch(() => {});
  });
}

export function whenClosed({ server }: McpServer, onclose: () => void): void {
  Object.assign(server, { onclose });
}
