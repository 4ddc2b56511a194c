/**
 * The inspector: the built page of src/inspector and its files. They are read once, at the start, and only those are served:
 * an address is looked up among their names, never made into a path.
 */
import { readFileSync, readdirSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Context, Hono } from "hono";
import type { ServerEnv } from "./server-context.js";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};
/** Its own scripts, styles and requests, and nothing of anybody else; nothing inline, nothing evaluated. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");
/** Names of files below it contain a hash of their content. */
const hashedFolder = "/assets/";

interface BuiltFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: string;
}

export interface Inspector {
  readonly paths: readonly string[];
  readonly mount: (app: Hono<ServerEnv>) => void;
}

/** Without a built page there is nothing at these addresses: the server works all the same. */
export function loadInspector(folder = fileURLToPath(new URL("../inspector/", import.meta.url))): Inspector {
  const files = readFiles(folder);
  const page = files.get("/index.html");
  if (page !== undefined) files.set("/", page);
  return {
    paths: [...files.keys()],
    mount: (app) => {
      for (const [path, file] of files) app.get(path, (c) => answer(c, path, file));
    },
  };
}

function answer(c: Context<ServerEnv>, path: string, { bytes, type }: BuiltFile): Response {
  c.set("operation", "inspector");
  const isHashed = path.startsWith(hashedFolder);
  const headers = {
    "content-security-policy": policy,
    "cache-control": isHashed ? "public, max-age=31536000, immutable" : "no-cache",
    "cross-origin-opener-policy": "same-origin",
  };
  return new Response(bytes, { headers: { ...headers, "content-type": type } });
}

function readFiles(folder: string): Map<string, BuiltFile> {
  const files = new Map<string, BuiltFile>();
  for (const name of namesIn(folder)) {
    const type = types[extname(name)];
    const path = join(folder, name);
    if (type === undefined || !statSync(path).isFile()) continue;
    const bytes = new Uint8Array(readFileSync(path));
    files.set(`/${name.replaceAll("\\", "/")}`, { bytes, type });
  }
  return files;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" });
  } catch {
    return [];
  }
}
