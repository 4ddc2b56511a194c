/** The built server with the hashing embedder, in a process of its own: `{path, port}` is its argument. */
import { Mnemosyne } from "mnemosyne-edge";
import { createLog } from "../../dist/server/log.js";
import { defaultLimits } from "../../dist/server/server-context.js";
import { startServer } from "../../dist/server/server.js";
import { laboratory } from "../durability/laboratory.mjs";

const { path, port } = JSON.parse(process.argv[2]);
const mnemosyne = await Mnemosyne.open(laboratory({ path }));
const { url } = await startServer({
  mnemosyne,
  settings: {
    host: "127.0.0.1",
    port,
    allowedHosts: [],
    allowedOrigins: [],
    trustsProxy: false,
    tls: null,
    limits: { ...defaultLimits, requestsPerMinuteMax: Infinity, requestsAtOnceMax: Infinity },
    upstream: null,
    logsTexts: false,
  },
  log: createLog({ level: "error", logsTexts: false }),
  keysFile: null,
  auditFile: null,
});
process.stdout.write(`${url}\n`);
