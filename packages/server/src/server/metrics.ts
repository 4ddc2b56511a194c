/** Counters for Prometheus. No name of a person and no text is in them. */
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from "prom-client";
import type { MemoryEventName, Mnemosyne } from "mnemosyne-edge";

const counted: readonly MemoryEventName[] = [
  "committed",
  "paired",
  "discarded",
  "forgetAsked",
  "updated",
  "edited",
  "forgotten",
  "error",
];
const secondsBuckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

export interface ServerMetrics {
  readonly registry: Registry;
  /** Notes that a request begins; what is returned, that it has ended. */
  readonly begin: () => (operation: string, status: number) => void;
  readonly close: () => void;
}

export function createMetrics(mnemosyne: Mnemosyne): ServerMetrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, prefix: "mnemosyne_" });
  const seconds = new Histogram({
    name: "mnemosyne_request_seconds",
    help: "Seconds until a request was answered, by operation and status.",
    labelNames: ["operation", "status"],
    buckets: secondsBuckets,
    registers,
  });
  const running = new Gauge({
    name: "mnemosyne_requests_running",
    help: "Requests that are being answered.",
    registers,
  });
  const events = new Counter({
    name: "mnemosyne_events_total",
    help: "What happened to memories, by kind.",
    labelNames: ["event"],
    registers,
  });
  const queued = new Gauge({
    name: "mnemosyne_queued_interactions",
    help: "Interactions that wait to be processed, of everybody; NaN while the store does not say.",
    registers: [],
    async collect() {
      this.set(await mnemosyne.queuedCount().catch(() => Number.NaN));
    },
  });
  registry.registerMetric(queued);
  const stop = counted.map((name) => mnemosyne.on(name, () => events.inc({ event: name })));
  const begin: ServerMetrics["begin"] = () => {
    running.inc();
    const end = seconds.startTimer();
    return (operation, status) => {
      running.dec();
      end({ operation, status });
    };
  };
  return { registry, begin, close: () => stop.forEach((each) => each()) };
}
