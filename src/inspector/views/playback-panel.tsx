/** The film of a recall beside the graph: scene by scene, with the numbers that decided. */
import { useEffect, useState } from "preact/hooks";
import type { RecallTrace } from "../../index.js";
import type { GraphModel } from "../graph/graph-model.js";
import { choose } from "../place.js";
import { MemoryLink } from "../parts/memory-link.js";
import { Said } from "../parts/said.js";
import { sentencesOf } from "../sentences.js";
import { count, dayOf, days, round } from "../words.js";
import { partsOf, sceneCount, scenesBefore } from "./playback.js";

interface PlaybackProps {
  readonly trace: RecallTrace;
  readonly model: GraphModel;
  /** Of what was recalled, what did not hold any more when it was asked. */
  readonly outdatedIds: ReadonlySet<string>;
  readonly scene: number;
  readonly exploration: number | null;
}

const sceneMs = 1_100;

export function Playback({ trace, model, outdatedIds, scene, exploration }: PlaybackProps) {
  const [isPlaying, setPlaying] = useState(false);
  const last = sceneCount(trace) - 1;
  const show = (next: number): void => choose({ scene: String(Math.max(0, Math.min(last, next))) });
  useEffect(() => {
    if (!isPlaying) return undefined;
    if (scene >= last) {
      setPlaying(false);
      return undefined;
    }
    const timer = setTimeout(() => show(scene + 1), sceneMs);
    return () => clearTimeout(timer);
  }, [isPlaying, scene, last]);
  const play = (): void => {
    if (!isPlaying && scene >= last) show(0);
    setPlaying(!isPlaying);
  };
  return (
    <section class="panel" aria-label="How it was found">
      <h2>How it was found</h2>
      {/* Not disabled at the ends: that would take the focus from whoever steps there. */}
      <div class="player">
        <button type="button" aria-label="Back" aria-disabled={scene === 0} onClick={() => show(scene - 1)}>
          ‹
        </button>
        <button type="button" class="primary" onClick={play}>
          {isPlaying ? "Pause" : "Play"}
        </button>
        <button type="button" aria-label="Forward" aria-disabled={scene === last} onClick={() => show(scene + 1)}>
          ›
        </button>
        <input
          type="range"
          min={0}
          max={last}
          value={scene}
          aria-label="Scene"
          aria-valuetext={titleOf(trace, scene)}
          onInput={(event) => show(Number(event.currentTarget.value))}
        />
      </div>
      <p class="scene-title" aria-live="polite">
        {scene + 1} of {last + 1}: {titleOf(trace, scene)}
      </p>
      {scene === 0 && <TimeRead trace={trace} model={model} />}
      {scene === 1 && <Starts trace={trace} model={model} />}
      {scene >= scenesBefore && scene < last && (
        <>
          <Draw trace={trace} model={model} i={scene - scenesBefore} exploration={exploration} />
          <Terms />
        </>
      )}
      {scene === last && <End trace={trace} model={model} outdatedIds={outdatedIds} exploration={exploration} />}
    </section>
  );
}

function titleOf({ steps }: RecallTrace, scene: number): string {
  if (scene === 0) return "what time the question is about";
  if (scene === 1) return "where the recall starts";
  return scene - scenesBefore < steps.length ? `draw ${scene - scenesBefore + 1} of ${steps.length}` : "what was found";
}

type PartProps = Pick<PlaybackProps, "trace" | "model">;

function TimeRead({ trace, model }: PartProps) {
  return (
    <>
      {trace.timeFoci.length === 0 && <p>The question names no time; it looks everywhere.</p>}
      <ul>
        {trace.timeFoci.map(({ words, spans }) => (
          <li key={words}>
            <q>
              <Said text={words} />
            </q>
            {spans.map(({ from, until, share, eventId }, i) => (
              <div key={i}>
                {from === null ? "any time" : dayOf(from)} to {until === null ? "today" : dayOf(until)}
                {share < 1 && `, ${Math.round(100 * share)} % likely`}
                {eventId !== null && (
                  <>
                    , by <Named id={eventId} model={model} />
                  </>
                )}
              </div>
            ))}
          </li>
        ))}
      </ul>
      {trace.judgedAs !== null && (
        <p>
          It names the person, and was judged as{" "}
          <q>
            <Said text={trace.judgedAs} />
          </q>
          .
        </p>
      )}
      {trace.asksForChange && <p>It asks what has changed: recent memories gain.</p>}
      {trace.spellings.map(({ word, variant }) => (
        <p key={word}>
          <q>
            <Said text={word} />
          </q>{" "}
          was taken for <Said text={variant} />.
        </p>
      ))}
      <p class="note">{count(trace.memoryCount, "memory was", "memories were")} compared with it.</p>
    </>
  );
}

function Starts({ trace, model }: PartProps) {
  const scale = Math.max(...[...trace.starts, ...trace.passedOver].map(({ score }) => score), 0.01);
  const names = partsOf(trace.starts[0] ?? trace.passedOver[0]!).map(({ name }) => name);
  if (trace.starts.length + trace.passedOver.length === 0) return <p>No memory was near enough.</p>;
  return (
    <>
      <p class="bar-keys" aria-hidden="true">
        {names.map((name, part) => (
          <span key={name} class={`bar-key part-${part}`}>
            {name}
          </span>
        ))}
      </p>
      <ol class="bars">
        {trace.starts.map((start) => (
          <Bar key={start.id} start={start} scale={scale} model={model} />
        ))}
      </ol>
      {trace.passedOver.length > 0 && (
        <>
          <h3>Passed over</h3>
          <ol class="bars is-aside">
            {trace.passedOver.map((start) => (
              <Bar
                key={start.id}
                start={start}
                scale={scale}
                model={model}
                reason={start.reason === "startScoreMin" ? "scores too low" : "enough others score higher"}
              />
            ))}
          </ol>
        </>
      )}
    </>
  );
}

interface BarProps {
  readonly start: RecallTrace["starts"][number];
  readonly scale: number;
  readonly model: GraphModel;
  readonly reason?: string;
}

function Bar({ start, scale, model, reason }: BarProps) {
  const parts = partsOf(start);
  const said = parts.filter(({ value }) => value !== 0).map(({ name, value }) => `${name} ${round(value)}`);
  return (
    <li>
      <Named id={start.id} model={model} />
      <div class="bar" role="img" aria-label={`Score ${round(start.score)}: ${said.join(", ")}`}>
        {parts.map(({ name, value }, part) => (
          <span
            key={name}
            class={`part-${part}`}
            title={`${name}: ${round(value)}`}
            style={{ width: `${Math.max(0, (100 * value) / scale)}%` }}
          />
        ))}
      </div>
      <small>
        {round(start.score)}
        {reason !== undefined && `, ${reason}`}
      </small>
    </li>
  );
}

interface DrawProps extends PartProps {
  readonly i: number;
  readonly exploration: number | null;
}

/** weight × decay × mu against the draw. */
function Draw({ trace, model, i, exploration }: DrawProps) {
  const step = trace.steps[i]!;
  const { from, to, weight, decay, probability, draw, taken, effectiveAgeMs, boostMs } = step;
  return (
    <div class="draw">
      <p>
        From <Named id={from} model={model} /> to <Named id={to} model={model} />
      </p>
      <p class="formula">
        {round(weight)} <small>weight</small> × {round(decay)} <small>decay at {days(effectiveAgeMs)}</small>
        {exploration !== null && (
          <>
            {" "}
            × {round(exploration, 1)} <small>mu</small>
          </>
        )}{" "}
        = <b>{round(probability)}</b>
      </p>
      {boostMs > 0 && <p class="note">Repetition took {days(boostMs)} off its age.</p>}
      <div
        class="chance"
        role="img"
        aria-label={`Chance ${round(probability)}, drawn ${round(draw)}: ${taken ? "taken" : "not taken"}`}
      >
        <span class="chance-share" style={{ width: `${100 * probability}%` }} />
        <span class="chance-draw" style={{ left: `${100 * draw}%` }} />
      </div>
      <p class={taken ? "is-taken" : "is-not-taken"}>
        The draw is {round(draw)}, {taken ? "below it: taken." : "not below it: not taken."}
      </p>
    </div>
  );
}

/** The paper's words, for somebody who has not read it. */
function Terms() {
  return (
    <dl class="terms">
      <dt>weight</dt>
      <dd>how closely the two memories are connected</dd>
      <dt>decay</dt>
      <dd>what its effective age leaves of a memory's chance; repetition makes it younger</dd>
      <dt>mu</dt>
      <dd>how readily recall follows edges: the parameter explorationFactor</dd>
      <dt>draw</dt>
      <dd>a number from 0 to 1 by chance, the same for the same seed; below the product, the edge is followed</dd>
    </dl>
  );
}

function End({ trace, model, outdatedIds, exploration }: Omit<PlaybackProps, "scene">) {
  const takenCount = trace.steps.filter(({ taken }) => taken).length;
  return (
    <>
      <p>
        {count(trace.starts.length, "start node")} and {takenCount} of {count(trace.steps.length, "draw")} taken
        {trace.limitsReached.length > 0 && `; it ended at ${trace.limitsReached.join(", ")}`}.
      </p>
      <h3>In the text</h3>
      <ol class="plain-list is-airy">
        {trace.context.includedIds.map((id) => (
          <li key={id}>
            <Named id={id} model={model} isOutdated={outdatedIds.has(id)} />
          </li>
        ))}
      </ol>
      {trace.context.droppedIds.length > 0 && (
        <>
          <h3>Beyond the budget</h3>
          <ol class="plain-list is-airy">
            {trace.context.droppedIds.map((id) => (
              <li key={id}>
                <Named id={id} model={model} isOutdated={outdatedIds.has(id)} />
              </li>
            ))}
          </ol>
        </>
      )}
      {trace.steps.length > 0 && (
        <details>
          <summary>All draws</summary>
          {trace.steps.map((_, i) => (
            <Draw key={i} trace={trace} model={model} i={i} exploration={exploration} />
          ))}
        </details>
      )}
    </>
  );
}

interface NamedProps {
  readonly id: string;
  readonly model: GraphModel;
  readonly isOutdated?: boolean;
}

function Named({ id, model, isOutdated = false }: NamedProps) {
  const memory = model.memories[model.numberOf.get(id) ?? -1];
  return (
    <MemoryLink id={id} sentences={sentencesOf(model)}>
      {memory !== undefined && (
        <small>
          {dayOf(memory.at)}
          {isOutdated && ", outdated by then"}
        </small>
      )}{" "}
    </MemoryLink>
  );
}
