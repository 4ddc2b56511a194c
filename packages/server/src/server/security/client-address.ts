/** Where a request comes from, for counting. */
import { isIP } from "node:net";
import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context } from "hono";
import type { ServerSettings } from "../server-context.js";

/**
 * The address of the connection, or with a trusted proxy the last one it noted: those before it are what the client claims.
 * Of an IPv6 address the first 64 bits count, because whoever has one address has the other 2^64 too.
 */
export function clientAddress(c: Context, { trustsProxy }: Pick<ServerSettings, "trustsProxy">): string {
  const forwarded = trustsProxy ? c.req.header("x-forwarded-for")?.split(",").at(-1)?.trim() : undefined;
  return counted(forwarded !== undefined && isIP(forwarded) > 0 ? forwarded : connectionAddress(c));
}

function connectionAddress(c: Context): string {
  // Without a socket, as when a test calls the app itself, there is no address.
  const isConnected = (c.env as { readonly incoming?: unknown } | undefined)?.incoming !== undefined;
  return (isConnected ? getConnInfo(c).remote.address : undefined) ?? "unknown";
}

function counted(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/iu.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (isIP(address) !== 6 || address === "::1") return address;
  const [left = "", right] = address.split("%")[0]!.split("::");
  const head = left === "" ? [] : left.split(":");
  const tail = right === undefined || right === "" ? [] : right.split(":");
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => "0");
  const parts = [...head, ...(right === undefined ? [] : zeros), ...tail].slice(0, 4);
  return `${parts.map((part) => Number.parseInt(part, 16).toString(16)).join(":")}::/64`;
}
