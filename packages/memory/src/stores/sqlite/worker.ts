/** The thread on which the database is read and written. */
import { parentPort, workerData } from "node:worker_threads";
import type { Call } from "../../files/thread-calls.js";
import { type SqliteOptions, answererOf } from "./database.js";

const answerer = answererOf(workerData as SqliteOptions, (answer, transferred) =>
  parentPort!.postMessage(answer, transferred),
);
parentPort!.on("message", (call: Call) => answerer.take(call));
