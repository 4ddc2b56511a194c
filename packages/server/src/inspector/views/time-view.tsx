/** The time machine: the graph as it was at any day of the person's life, and what a question would have recalled then. */
import { useEffect, useMemo, useState } from "preact/hooks";
import { dayMs } from "mnemosyne-edge/internal/core/time.js";
import { GraphStage } from "../graph/graph-stage.js";
import { type GraphModel, isThere, outdatedAt } from "../graph/graph-model.js";
import type { Mark } from "../graph/scene.js";
import { useLoaded } from "../loading.js";
import { usePersonGraph } from "../person-data.js";
import { choose, go, place } from "../place.js";
import { usePlaying } from "../playing.js";
import { QuestionForm } from "../parts/question-form.js";
import { Said, Trouble, Waiting } from "../parts/said.js";
import { count, dayOf } from "../words.js";
import { Nothing } from "./graph-view.js";
import { type RecallAnswer, askFor } from "./recall-data.js";

const tickMs = 120;
/** The last one is a month after the last memory, or today. */
const stepCount = 240;
const settleMs = 250;
const seedUsual = "7";

export function TimeView() {
  const { person } = place.value;
  const { model, error } = usePersonGraph(person);
  if (model === null) return error === "" ? <Waiting what="the graph" /> : <Trouble text={error} />;
  if (model.memories.length === 0) return <Nothing person={person} />;
  return <Machine person={person} model={model} />;
}

interface MachineProps {
  readonly person: string;
  readonly model: GraphModel;
}

function Machine({ person, model }: MachineProps) {
  const { choices } = place.value;
  const endMs = Math.min(Date.now(), model.lastMs + 30 * dayMs);
  const given = Date.parse(choices["at"] ?? "");
  const atMs = Number.isNaN(given) ? endMs : Math.min(endMs, Math.max(model.firstMs, given));
  const stepMs = Math.max(1, (endMs - model.firstMs) / stepCount);
  const settledMs = useSettled(atMs);
  const q = choices["q"] ?? "";
  const seed = choices["seed"] ?? seedUsual;
  const { value: answer, error } = useLoaded<RecallAnswer | null>(
    async (signal) => (q === "" ? null : askFor(person, { q, seed, at: new Date(settledMs).toISOString() }, signal)),
    JSON.stringify([person, q, seed]),
    settledMs,
  );
  const marks = useMemo(() => {
    const found = new Map<number, Mark>();
    for (const memory of answer?.memories ?? []) {
      const i = model.numberOf.get(memory.id);
      if (i !== undefined) found.set(i, { kind: memory.found === "start" ? "start" : "reached" });
    }
    return found;
  }, [answer, model]);
  const show = (ms: number): void => choose({ at: new Date(ms).toISOString() });
  const there = model.timesMs.reduce((sum, _, i) => sum + (isThere(model, i, atMs) ? 1 : 0), 0);
  const outdated = outdatedAt(model, atMs).reduce((sum, each) => sum + each, 0);
  return (
    <div class="with-sides time">
      <section class="finder" aria-label="Then">
        <h2>{dayOf(atMs)}</h2>
        <p role="status">
          {count(there, "memory", "memories")}
          {outdated > 0 && `, ${outdated} outdated`}
        </p>
        <QuestionForm
          key={q}
          q={q}
          placeholder="what would it have recalled?"
          button="Ask then"
          onAsk={(question) => choose({ q: question })}
        />
        <Trouble text={error} />
        {answer !== null && <Then answer={answer} />}
      </section>
      <GraphStage
        model={model}
        atMs={atMs}
        selectedId=""
        isLeaving
        onSelect={(id) => {
          if (id !== "") go({ view: "graph", choices: { memory: id } });
        }}
        marks={marks}
      >
        <Slider atMs={atMs} firstMs={model.firstMs} endMs={endMs} stepMs={stepMs} onChange={show} />
      </GraphStage>
    </div>
  );
}

interface SliderProps {
  readonly atMs: number;
  readonly firstMs: number;
  readonly endMs: number;
  readonly stepMs: number;
  readonly onChange: (ms: number) => void;
}

function Slider({ atMs, firstMs, endMs, stepMs, onChange }: SliderProps) {
  const step = (): void => onChange(Math.min(endMs, atMs + stepMs));
  const [isPlaying, play] = usePlaying(
    { isAtEnd: atMs >= endMs, stepMs: tickMs, step, rewind: () => onChange(firstMs) },
    atMs,
  );
  return (
    <div class="time-slider">
      <button type="button" class="primary" onClick={play}>
        {isPlaying ? "Pause" : "Play"}
      </button>
      <input
        type="range"
        min={0}
        max={stepCount}
        value={Math.round((atMs - firstMs) / stepMs)}
        aria-label="Moment"
        aria-valuetext={dayOf(atMs)}
        onInput={(event) => onChange(firstMs + Number(event.currentTarget.value) * stepMs)}
      />
      <output>{dayOf(atMs)}</output>
    </div>
  );
}

function Then({ answer }: { readonly answer: RecallAnswer }) {
  return (
    <div class="answer">
      <h3>Recalled then</h3>
      <p class="note">
        {answer.confidence === null ? "" : `${Math.round(100 * answer.confidence)} % sure; `}
        {answer.trace.context.tokenCount} tokens.
      </p>
      {answer.memories.length === 0 && <p>Nothing.</p>}
      <ol class="plain-list">
        {answer.memories.map((memory) => (
          <li key={memory.id} class="fact">
            <small>
              {dayOf(memory.at)}
              {memory.outdated !== null && ", outdated by then"}
            </small>{" "}
            <Said text={memory.summary} lengthMax={150} />
          </li>
        ))}
      </ol>
    </div>
  );
}

/** A moment, once the slider rests: the server is not asked for every step on the way. */
function useSettled(ms: number): number {
  const [settled, setSettled] = useState(ms);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(ms), settleMs);
    return () => clearTimeout(timer);
  }, [ms]);
  return settled;
}
