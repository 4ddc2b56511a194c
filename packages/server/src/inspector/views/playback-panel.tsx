/** The film of a recall beside the graph: scene by scene, with the numbers that decided. */
import { useEffect, useState } from "preact/hooks";
import type { RecallTrace } from "mnemosyne-edge";
import { choose } from "../place.js";
import { Said } from "../parts/said.js";
import { count, dayOf } from "../words.js";
import { Draw, Terms } from "./playback-draw.js";
import { NamedMemory, type SceneProps } from "./playback-names.js";
import { Starts } from "./playback-starts.js";
import { sceneCount, scenesBefore } from "./playback.js";

interface PlaybackProps extends SceneProps {
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

function TimeRead({ trace, model }: SceneProps) {
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
                    , by <NamedMemory id={eventId} model={model} />
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

/** Each is a parameter, which What if can change. */
const limitWords: Readonly<Record<RecallTrace["limitsReached"][number], string>> = {
  recallNodeCountMax: "memories in one recall",
  traversalStepCountMax: "draws in one recall",
  traversalNodeCountPerStartMax: "memories reached from one start",
};

function End({ trace, model, outdatedIds, exploration }: Omit<PlaybackProps, "scene">) {
  const takenCount = trace.steps.filter(({ taken }) => taken).length;
  return (
    <>
      <p>
        {count(trace.starts.length, "start node")} and {takenCount} of {count(trace.steps.length, "draw")} taken.
      </p>
      {trace.limitsReached.map((name) => (
        <p key={name} class="note">
          It stopped at the limit on {limitWords[name]} (<code>{name}</code>).
        </p>
      ))}
      <h3>In the text</h3>
      <ol class="plain-list is-airy">
        {trace.context.includedIds.map((id) => (
          <li key={id}>
            <NamedMemory id={id} model={model} isOutdated={outdatedIds.has(id)} />
          </li>
        ))}
      </ol>
      {trace.context.droppedIds.length > 0 && (
        <>
          <h3>Beyond the budget</h3>
          <ol class="plain-list is-airy">
            {trace.context.droppedIds.map((id) => (
              <li key={id}>
                <NamedMemory id={id} model={model} isOutdated={outdatedIds.has(id)} />
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
