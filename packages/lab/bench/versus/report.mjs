/**
 * The comparison as tables. Every system gets the same memories (synthetic conversations of 60 words) and questions with
 * precomputed vectors of 384 numbers, so no figure includes an embedder. Mnemosyne compares summary and statements, words,
 * time and the graph, and writes the text for the prompt; the others compare one vector a memory, mem0ai's Memory also words.
 * `found` only shows that each really searched: the questions are made from a memory's own words.
 */
import { formatBytes, formatNumber, formatTable } from "../harness.mjs";
import { systems } from "./measure.mjs";

export function formatComparison({ about, packages, nothing, bySize }) {
  const { date, commit, cpu, coreCount, node, loadAtStart, seconds } = about;
  return [
    `${date}, commit ${commit}, ${cpu}, ${coreCount} cores, Node ${node}, load ${formatNumber(loadAtStart)}; ${formatNumber(seconds / 60)} minutes. An empty process takes ${formatBytes(nothing.residentByteCount)}.`,
    ...packages.map(({ name, version, error }) => `${name} ${version}${error === null ? "" : ` left out: ${error}`}`),
    ...bySize.map(formatSize),
  ].join("\n\n");
}

/** Milliseconds; `first` is from the closed file to the first answer, once the code is loaded. */
function formatSize({ count, measured }) {
  const headings = ["System", "search", "p95", "again", "first", "store", "resident", "disk", "found"];
  const rows = Object.entries(measured).map(([key, figures]) => {
    const { search, again, firstSearchMs, store, residentByteCount, diskByteCount, found } = figures;
    const sizes = [formatBytes(residentByteCount), formatBytes(diskByteCount), `${Math.round(found * 100)} %`];
    return [systems[key].name, search.median, search.p95, again?.median ?? "", firstSearchMs, store.median, ...sizes];
  });
  return `${formatNumber(count)} memories\n\n${formatTable(headings, rows)}`;
}
