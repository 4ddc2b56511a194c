/** The proxy in a process of its own, from the build, to be killed. Arguments: the file and the upstream's address. */
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { Mnemosyne } from "../../../../memory/dist/index.js";
import { addProxyRoutes } from "../../../dist/server/proxy/proxy-routes.js";
import { HashingEmbedder } from "../../../../memory/test/durability/hashing-embedder.mjs";

const [path, url] = process.argv.slice(2);
const mnemosyne = await Mnemosyne.open({ path, embedder: new HashingEmbedder(), reader: false });
const ignore = () => {};
const app = new Hono();
app.use((c, next) => {
  c.set("access", { keyId: null, isAdmin: true, persons: [], isReadOnly: false });
  return next();
});
addProxyRoutes(app, {
  mnemosyne,
  settings: { upstream: { url, key: null, quietSeconds: 300, tokenBudget: 400 } },
  log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
  audit: { record: ignore, close: async () => {} },
  keys: null,
});
serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => process.send(`http://127.0.0.1:${port}`));
