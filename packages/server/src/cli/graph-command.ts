/** `mnemosyne graph`: the memory graph as a picture in the terminal, as DOT for Graphviz, or as JSON. */
import { Option, type Command } from "commander";
import type { GraphView, Memory } from "mnemosyne-edge";
import { type Settings, withPerson } from "./settings.js";
import { shorten, terminalWidth, wrap } from "./layout.js";
import { colours, heading } from "./paint.js";
import { countOf, formatMoment, print, printJson } from "./terminal.js";
import { showHidden } from "./visible-text.js";

export function addGraphCommand(program: Command): void {
  program
    .command("graph")
    .description("draw the memory graph")
    .addOption(new Option("--format <format>", "how to draw it").choices(["text", "dot", "json"]).default("text"))
    .addHelpText("after", "\nExamples:\n  mnemosyne graph\n  mnemosyne graph --format dot | dot -Tsvg > graph.svg")
    .action(async ({ format }: { format: string }, command: Command) => {
      const settings = command.optsWithGlobals<Settings>();
      const graph = await withPerson(settings, (memory) => memory.graph());
      if (settings.json === true || format === "json") printJson(graph);
      else print(format === "dot" ? toDot(graph, settings.timeZone) : drawGraph(graph, settings.timeZone));
    });
}

/** Memories in order of time; arcs on the left join pairs, bars show how connected each one is. */
function drawGraph({ memories, edges }: GraphView, timeZone: string | undefined): string {
  if (memories.length === 0) return "The graph is empty.";
  const pairs = assignLanes(memories);
  const lanes = pairs.filter(({ lane }) => lane < laneCountMax);
  const laneCount = Math.max(0, ...lanes.map(({ lane }) => lane + 1));
  const degreeMax = Math.max(1, ...memories.map(({ edgeCount }) => edgeCount));
  const textWidth = Math.max(16, terminalWidth() - laneCount * 2 - beforeText);
  const rows = memories.map((memory, row) => {
    const bar = "▂▃▄▅▆▇█"[Math.min(6, Math.floor((memory.edgeCount / degreeMax) * 7))];
    const dot = memory.pairId === null ? colours.cyan("●") : colours.magenta("●");
    const degree = String(memory.edgeCount).padStart(3);
    const state = `${drawLanes(lanes, laneCount, row)}${dot} ${formatMoment(memory.at, timeZone)} ${colours.cyan(bar!)}${degree}`;
    return `${state}  ${shorten(memory.summary, textWidth)}`;
  });
  const boosted = edges.filter(({ boostMs }) => boostMs > 0).length;
  const counts = [
    countOf(memories.length, "memory"),
    countOf(edges.length, "edge"),
    countOf(pairs.length, "pair"),
    countOf(boosted, "boosted edge"),
  ].join(", ");
  const hidden = pairs.length - lanes.length;
  const left = hidden === 0 ? "" : `; no room for the arcs of ${countOf(hidden, "pair")}`;
  const about = `${counts}; arcs join pairs, bars count edges${left}`;
  return [wrap(`${heading("Memory graph")}  ${colours.dim(about)}`, "", "  "), ...rows].join("\n");
}

/** Further arcs would leave no room for the text. */
const laneCountMax = 12;
/** Columns of the dot, the moment, the bar and the count of edges. */
const beforeText = 25;

interface Lane {
  readonly from: number;
  readonly to: number;
  readonly lane: number;
}

/** Pairs as intervals of rows, each in the first lane that is free for its whole length. */
function assignLanes(memories: readonly Memory[]): Lane[] {
  const rowOf = new Map(memories.map(({ id }, row) => [id, row]));
  const ends: number[] = [];
  const lanes: Lane[] = [];
  memories.forEach(({ pairId }, from) => {
    const to = pairId === null ? undefined : rowOf.get(pairId);
    if (to === undefined || to <= from) return;
    const free = ends.findIndex((end) => end < from);
    const lane = free === -1 ? ends.length : free;
    ends[lane] = to;
    lanes.push({ from, to, lane });
  });
  return lanes;
}

function drawLanes(lanes: readonly Lane[], laneCount: number, row: number): string {
  // A line that begins or ends here runs from its lane to the dot, across the lanes to its right.
  const turning = lanes.filter(({ from, to }) => from === row || to === row).map(({ lane }) => lane);
  const leftmost = Math.min(...turning);
  let drawn = "";
  for (let lane = 0; lane < laneCount; lane++) {
    const here = lanes.find((candidate) => candidate.lane === lane && candidate.from <= row && row <= candidate.to);
    const isCrossed = lane > leftmost;
    const symbol =
      here === undefined
        ? isCrossed
          ? "─"
          : " "
        : here.from === row
          ? "╭"
          : here.to === row
            ? "╰"
            : isCrossed
              ? "┼"
              : "│";
    drawn += symbol + (lane >= leftmost ? "─" : " ");
  }
  return colours.magenta(drawn);
}

function toDot({ memories, edges }: GraphView, timeZone: string | undefined): string {
  const quote = (text: string): string => JSON.stringify(text);
  // Graphviz reads a label's backslashes itself, so hidden characters are written out before they are quoted.
  const quoteLabel = (text: string): string => quote(showHidden(text));
  const nodes = memories.map(({ id, at, summary, pairId }) => {
    const [day] = formatMoment(at, timeZone).split(" ");
    const label = `${id}\n${day}\n${shorten(summary, 40)}`;
    return `  ${quote(id)} [label=${quoteLabel(label)}${pairId === null ? "" : ", color=purple"}];`;
  });
  const pairs = new Set(
    memories.filter(({ pairId }) => pairId !== null).map(({ id, pairId }) => [id, pairId].sort().join("\n")),
  );
  const lines = edges.map(({ a, b, weight, boostMs }) => {
    const isPair = pairs.has([a, b].sort().join("\n"));
    const style = `${isPair ? ", color=purple" : ""}${boostMs > 0 ? ", style=bold" : ""}`;
    return `  ${quote(a)} -- ${quote(b)} [weight=${Math.round(weight * 100)}, label=${quote(weight.toFixed(2))}${style}];`;
  });
  return ["graph mnemosyne {", "  node [shape=box, fontsize=10];", ...nodes, ...lines, "}"].join("\n");
}
