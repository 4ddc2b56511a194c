/** The thread that runs SqliteDatabase. */
import { parentPort, workerData } from "node:worker_threads";
import type { SqliteOptions } from "./connection.js";
import { type Call, SqliteHost } from "./host.js";

const host = new SqliteHost(workerData as SqliteOptions, (message, transferred) =>
  parentPort!.postMessage(message, transferred),
);

parentPort!.on("message", (call: Call) => host.take(call));
