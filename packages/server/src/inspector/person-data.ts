/** The person's graph and the server's parameters, which several views show. */
import { useMemo } from "preact/hooks";
import type { GraphView, Parameters } from "mnemosyne-edge";
import type { ParameterList } from "../server/rest/service-routes.js";
import { call, epoch, personPath } from "./api.js";
import { type GraphModel, toModel } from "./graph/graph-model.js";
import { changes } from "./live.js";
import { type Loaded, useLoaded } from "./loading.js";

let lastGraph: { key: string; value: GraphView } | null = null;
let lastParameters: Parameters | null = null;

export interface PersonGraph extends Loaded<GraphView> {
  readonly model: GraphModel | null;
}

export function usePersonGraph(person: string): PersonGraph {
  const since = changes.value;
  const loaded = useLoaded<GraphView>(
    async (signal) => {
      const key = `${person} ${since} ${epoch.value}`;
      if (lastGraph?.key === key) return lastGraph.value;
      const value = await call<GraphView>("GET", personPath(person, "graph"), { signal });
      lastGraph = { key, value };
      return value;
    },
    `graph ${person}`,
    since,
  );
  const { value } = loaded;
  const model = useMemo(() => (value === null ? null : toModel(value)), [value]);
  return { ...loaded, model };
}

/** After an edit of ours: the events tell of it too, but later. */
export function dropKeptGraph(): void {
  lastGraph = null;
  changes.value += 1;
}

/** Null until they are there. */
export function useParameters(): Parameters | null {
  return useLoaded<Parameters>(async (signal) => {
    lastParameters ??= valuesOf(await call<ParameterList>("GET", "/v1/parameters", { signal }));
    return lastParameters;
  }, "parameters").value;
}

function valuesOf({ parameters }: ParameterList): Parameters {
  return Object.fromEntries(parameters.map(({ name, value }) => [name, value])) as Parameters;
}
