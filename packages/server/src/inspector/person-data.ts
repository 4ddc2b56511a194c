/** The person's graph and the server's parameters, which several views show. */
import { useMemo } from "preact/hooks";
import type { GraphView, Parameters } from "mnemosyne-edge";
import type { ParameterList } from "../server/rest/parameter-routes.js";
import { call, epoch, personPath } from "./api.js";
import { type GraphModel, toModel } from "./graph/graph-model.js";
import { changes } from "./live.js";
import { type Loaded, useLoaded } from "./loading.js";

let lastGraph: { key: string; value: GraphView } | null = null;
let lastList: ParameterList | null = null;

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

export function useParameters(): { list: ParameterList | null; values: Parameters | null } {
  const { value } = useLoaded<ParameterList>(async (signal) => {
    lastList ??= await call<ParameterList>("GET", "/v1/parameters", { signal });
    return lastList;
  }, "parameters");
  const values = useMemo(() => (value === null ? null : valuesOf(value)), [value]);
  return { list: value, values };
}

function valuesOf({ groups }: ParameterList): Parameters {
  const entries = groups.flatMap(({ parameters }) => parameters.map(({ name, value }) => [name, value]));
  return Object.fromEntries(entries) as Parameters;
}
