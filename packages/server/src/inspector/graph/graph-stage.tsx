/** The graph as a part of a view: lays it out, paints it, and says in words what is in it. */
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { theme } from "../theme.js";
import { count, ageRange, dayOf, shorten } from "../words.js";
import { type CanvasEvents, GraphCanvas } from "./graph-canvas.js";
import type { GraphModel } from "./graph-model.js";
import { spiral, spread } from "./layout.js";
import type { LayoutMessage, LayoutRequest } from "./layout-worker.js";
import { type Mark, type Scene, type WalkedEdge, makeScene, palettes, radiusOf } from "./scene.js";

export interface StageProps {
  readonly model: GraphModel;
  readonly atMs: number;
  readonly wanted?: Uint8Array | null;
  readonly selectedId: string;
  readonly onSelect: (id: string) => void;
  /** Choosing a memory leaves the view: then arrow keys only go to it, and Enter chooses. */
  readonly isLeaving?: boolean;
  readonly marks?: ReadonlyMap<number, Mark>;
  readonly walked?: readonly WalkedEdge[];
  readonly children?: ComponentChildren;
}

const noMarks: ReadonlyMap<number, Mark> = new Map();
const noWalk: readonly WalkedEdge[] = [];

export function GraphStage(props: StageProps) {
  const { model, atMs, wanted = null, onSelect, isLeaving = false, marks = noMarks, walked = noWalk } = props;
  const canvasRef = useRef<HTMLCanvasElement>(null);
  const stage = useRef<GraphCanvas | null>(null);
  const events = useRef<CanvasEvents>({ onSelect: () => {}, onStep: () => {} });
  const [steppedId, setStepped] = useState("");
  const selectedId = isLeaving ? steppedId : props.selectedId;
  const { positions, isFinal } = usePositions(model);
  const selected = model.numberOf.get(selectedId) ?? -1;
  const scene = useMemo(
    () => makeScene(model, positions, { atMs, wanted, selected, marks, walked }),
    [model, positions, atMs, wanted, selected, marks, walked],
  );
  const onSelectNumber = (i: number): void => onSelect(model.memories[i]?.id ?? "");
  const onStepNumber = (i: number): void => setStepped(model.memories[i]?.id ?? "");
  events.current = { onSelect: onSelectNumber, onStep: isLeaving ? onStepNumber : onSelectNumber };
  // Before the next key is pressed, the canvas knows what the last one chose.
  useLayoutEffect(() => {
    const made = new GraphCanvas(canvasRef.current!, {
      onSelect: (i) => events.current.onSelect(i),
      onStep: (i) => events.current.onStep(i),
    });
    stage.current = made;
    return () => made.close();
  }, []);
  const palette = palettes[theme.value];
  useLayoutEffect(() => stage.current?.show(scene, palette), [scene, palette]);
  useEffect(() => stage.current?.reveal(selected), [selected]);
  const seen = scene.ages.reduce((sum, age) => sum + (age >= 0 ? 1 : 0), 0);
  const said =
    selected < 0 ? "" : `${dayOf(model.timesMs[selected]!)}: ${shorten(model.memories[selected]!.summary, 120)}`;
  return (
    <div class="stage" data-laid-out={isFinal}>
      <canvas
        ref={canvasRef}
        tabIndex={0}
        role="application"
        aria-roledescription="memory graph"
        aria-label={`Graph of ${count(seen, "memory", "memories")} and ${count(model.edges.length, "edge")}. Arrow keys go from memory to memory, ${isLeaving ? "Enter opens one, " : ""}plus and minus zoom, 0 shows all, Escape chooses none.`}
      />
      <p class="visually-hidden" aria-live="polite">
        {said}
      </p>
      <div class="stage-tools">
        <button type="button" aria-label="Zoom in" title="Zoom in (+)" onClick={() => stage.current?.zoom(1.3)}>
          +
        </button>
        <button type="button" aria-label="Zoom out" title="Zoom out (-)" onClick={() => stage.current?.zoom(1 / 1.3)}>
          −
        </button>
        <button type="button" aria-label="Show all" title="Show all (0)" onClick={() => stage.current?.fit()}>
          ⤢
        </button>
      </div>
      {props.children}
      <Legend scene={scene} />
    </div>
  );
}

function Legend({ scene }: { readonly scene: Scene }) {
  const hasPairs = scene.model.edges.some(({ isPair }) => isPair);
  const hasOutdated = scene.outdated.includes(1);
  return (
    <ul class="legend" aria-label="Legend">
      <li>
        <span class="legend-ages" aria-hidden="true" /> {ageRange(scene.youngestMs, scene.oldestMs)} old; younger if
        said again
      </li>
      <li>
        <span class="legend-size" aria-hidden="true" /> larger: more connected
      </li>
      {hasPairs && (
        <li>
          <span class="legend-pair" aria-hidden="true" /> a pair: said twice
        </li>
      )}
      {hasOutdated && (
        <li>
          <span class="legend-hollow" aria-hidden="true" /> outdated, with what replaced it
        </li>
      )}
    </ul>
  );
}

/** A spiral at once; the layout as the worker finds it. */
function usePositions(model: GraphModel): { positions: Float32Array; isFinal: boolean } {
  const [state, setState] = useState<{ model: GraphModel; positions: Float32Array; isFinal: boolean } | null>(null);
  useEffect(() => {
    const worker = new Worker(new URL("./layout-worker.ts", import.meta.url), { type: "module" });
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    worker.addEventListener("message", ({ data }: MessageEvent<LayoutMessage>) => {
      if (data.isFinal || !isStill) setState({ model, positions: data.positions, isFinal: data.isFinal });
      if (data.isFinal) performance.mark("laid-out");
    });
    const ends = Uint32Array.from(model.edges.flatMap(({ a, b }) => [a, b]));
    const weights = Float32Array.from(model.edges, ({ weight, isPair }) => (isPair ? 2 * weight : weight));
    const radii = Float32Array.from(model.degrees, radiusOf);
    const request: LayoutRequest = { nodeCount: model.memories.length, ends, weights, radii };
    worker.postMessage(request);
    return () => worker.terminate();
  }, [model]);
  const first = useMemo(
    () => spread(spiral(model.memories.length), Float32Array.from(model.degrees, radiusOf)),
    [model],
  );
  return state?.model === model ? state : { positions: first, isFinal: false };
}
