/** The built server with the hashing embedder, in a process of its own: `{path, port}` is its argument. */
import { Mnemosyne } from "mnemosyne-edge";
import { createLog } from "../../dist/server/log.js";
import { defaultLimits } from "../../dist/server/server-context.js";
import { startServer } from "../../dist/server/server.js";
import { laboratory } from "../../../memory/test/durability/laboratory.mjs";
import { loopback } from "./loopback-settings.mjs";

const { path, port } = JSON.parse(process.argv[2]);
const mnemosyne = await Mnemosyne.open(laboratory({ path }));
const limits = { ...defaultLimits, requestsPerMinuteMax: Infinity, requestsAtOnceMax: Infinity };
const { url } = await startServer({
  mnemosyne,
  settings: { ...loopback, port, limits },
  log: createLog({ level: "error" }),
  keysFile: null,
  auditFile: null,
  answersFolder: `${path}.answers`,
});
process.stdout.write(`${url}\n`);
