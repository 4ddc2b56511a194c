/** The service itself: whether it lives, whether it can work, and its counters. */
import { health, readiness } from "../schemas.js";
import { type Route, route } from "./route.js";

export const serviceRoutes: readonly Route[] = [
  route({
    operationId: "getHealth",
    method: "get",
    path: "/health",
    tag: "Service",
    summary: "Whether the process lives",
    need: "anybody",
    action: null,
    answers: { 200: { description: "It does.", schema: health } },
    handle: async () => ({ body: { status: "ok" } }),
  }),
  route({
    operationId: "getReadiness",
    method: "get",
    path: "/ready",
    tag: "Service",
    summary: "Whether the store answers",
    need: "anybody",
    action: null,
    answers: { 200: { description: "It does.", schema: readiness } },
    handle: async ({ mnemosyne }) => {
      await mnemosyne.persons({ limit: 1 });
      return { body: { status: "ready" } };
    },
  }),
  route({
    operationId: "getMetrics",
    method: "get",
    path: "/metrics",
    tag: "Service",
    summary: "Counters for Prometheus",
    need: "admin",
    action: null,
    answers: { 200: { description: "In Prometheus' text format.", mediaType: "text/plain" } },
    handle: async ({ context }) =>
      new Response(await context.metrics.metrics(), { headers: { "content-type": context.metrics.contentType } }),
  }),
];
