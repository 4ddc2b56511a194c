/**
 * The built server with the hashing embedder, in a process that kills itself in the middle of a write: `{path, port}` is its
 * argument, with `answers` and `dying` where those are not next to the path. If the file `dying` says "before forget" or
 * "after forget", the process ends before that method of the memory does anything, or when it is done and nobody has been told.
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { Mnemosyne } from "mnemosyne-edge";
import { createLog } from "../../dist/server/log.js";
import { defaultLimits } from "../../dist/server/server-context.js";
import { startServer } from "../../dist/server/server.js";
import { laboratory } from "../../../memory/test/durability/laboratory.mjs";
import { loopback } from "./loopback-settings.mjs";

const { path, port, answers = `${path}.answers`, dying = `${path}.die` } = JSON.parse(process.argv[2]);
const mnemosyne = await Mnemosyne.open(laboratory({ path, clock: { nowMs: Date.now } }));
const limits = { ...defaultLimits, requestsPerMinuteMax: Infinity, requestsAtOnceMax: Infinity };
const { url } = await startServer({
  mnemosyne: mortal(mnemosyne),
  settings: { ...loopback, port, limits },
  log: createLog({ level: "error" }),
  keysFile: null,
  auditFile: null,
  answersFolder: answers,
});
process.stdout.write(`${url}\n`);

/** Persons and conversations of it are mortal, too. */
function mortal(target) {
  return new Proxy(target, {
    get(_, name) {
      const member = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      return (...args) => {
        dieIf(`before ${String(name)}`);
        const result = Reflect.apply(member, target, args);
        if (name === "person") return mortal(result);
        if (!(result instanceof Promise)) return result;
        return result.then((value) => {
          dieIf(`after ${String(name)}`);
          return name === "conversation" ? mortal(value) : value;
        });
      };
    },
  });
}

function dieIf(moment) {
  if (!existsSync(dying) || readFileSync(dying, "utf8") !== moment) return;
  rmSync(dying);
  process.kill(process.pid, "SIGKILL");
}
