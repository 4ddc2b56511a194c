/** The service itself: whether it lives, whether it can work, its counters, and the numbers that control the memory. */
import { z } from "zod";
import { type Mnemosyne, type ParameterDefinition, parameterDefinitions } from "mnemosyne-edge";
import { health, readiness } from "../schemas.js";
import { type Route, route } from "./route.js";

const parameter = z.object({
  name: z.string(),
  value: z.number().describe("Of this server."),
  default: z.number(),
  paper: z.number().describe("Of preset paper."),
  min: z.number(),
  max: z.number(),
  integer: z.boolean(),
  section: z.string(),
  meaning: z.string(),
});

const parameterList = z.object({ parameters: z.array(parameter) }).meta({ id: "ParameterList" });

export type ParameterList = z.output<typeof parameterList>;

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
    handle: async ({ context: { metrics } }) =>
      new Response(await metrics.metrics(), { headers: { "content-type": metrics.contentType } }),
  }),
  route({
    operationId: "getParameters",
    method: "get",
    path: "/v1/parameters",
    tag: "Service",
    summary: "Every number that controls the memory, its range and meaning",
    need: "key",
    action: null,
    answers: { 200: { description: "Values, defaults, ranges and meanings.", schema: parameterList } },
    handle: async ({ mnemosyne }) => ({ body: listParameters(mnemosyne) }),
  }),
];

function listParameters({ parameters }: Mnemosyne): ParameterList {
  const definitions: [string, ParameterDefinition][] = Object.entries(parameterDefinitions);
  const listed = definitions.map(([name, { default: usual, paper = usual, integer = false, ...rest }]) => {
    return { name, value: parameters[name as keyof typeof parameters], default: usual, paper, integer, ...rest };
  });
  return { parameters: listed };
}
