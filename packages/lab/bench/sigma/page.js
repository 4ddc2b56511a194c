// The inspector's graph, drawn by sigma: looks by age and connectivity, pairs thicker, laid out by the inspector's worker.
import Graph from "graphology";
import Sigma from "sigma";
import { spiral } from "../../../server/src/inspector/graph/layout.ts";

const ages = ["#cf541e", "#b95b3e", "#a4625e", "#8e697d", "#8a679e", "#86719f", "#817aa0", "#7c84a0", "#748ba0"];

const { memories, edges } = await (await fetch("/v1/persons/ada/graph")).json();
const graph = new Graph();
const first = spiral(memories.length);
for (const [i, { id, summary, edgeCount }] of memories.entries()) {
  const age = Math.floor(((memories.length - 1 - i) / memories.length) * ages.length);
  graph.addNode(id, {
    x: first[2 * i],
    y: -first[2 * i + 1],
    size: 2 + Math.min(6, Math.sqrt(edgeCount)),
    color: ages[age],
    label: summary.slice(0, 42),
  });
}
for (const { a, b, weight, boostMs } of edges) {
  graph.addEdge(a, b, { size: boostMs > 0 ? 2 : weight, color: boostMs > 0 ? "#7a5c93" : "#8d8a84" });
}
const sigma = new Sigma(graph, document.querySelector("#graph"), {
  hideEdgesOnMove: location.search === "?hide-edges",
});
sigma.once("afterRender", () => performance.mark("first-graph"));
sigma.refresh();

const numberOf = new Map(memories.map(({ id }, i) => [id, i]));
const worker = new Worker(new URL("../../../server/src/inspector/graph/layout-worker.ts", import.meta.url), { type: "module" });
worker.addEventListener("message", ({ data: { positions, isFinal } }) => {
  graph.updateEachNodeAttributes((id, attributes) => {
    const i = numberOf.get(id);
    return { ...attributes, x: positions[2 * i], y: -positions[2 * i + 1] };
  });
  if (isFinal) performance.mark("laid-out");
});
worker.postMessage({
  nodeCount: memories.length,
  ends: Uint32Array.from(edges.flatMap(({ a, b }) => [numberOf.get(a), numberOf.get(b)])),
  weights: Float32Array.from(edges, ({ weight, boostMs }) => (boostMs > 0 ? 2 * weight : weight)),
});
