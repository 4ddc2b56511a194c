/** The film of a recall beside the graph: scene by scene, with the numbers that decided. */
import { Fragment } from "preact";
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

export function Playback({ trace, model, outdatedIds, scene, exploration }: PlaybackProps) {
  const last = sceneCount(trace) - 1;
  const show = (next: number): void => choose({ scene: String(Math.max(0, Math.min(last, next))) });
  return (
    <section class="panel" aria-label="How it was found">
      <h2>How it was found</h2>
      {/* Not disabled at the ends: that would take the focus from whoever steps there. */}
      <div class="player">
        <button type="button" aria-label="Back" aria-disabled={scene === 0} onClick={() => show(scene - 1)}>
          ‹
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
      {scene === last && <End trace={trace} model={model} outdatedIds={outdatedIds} />}
    </section>
  );
}

function titleOf({ steps }: RecallTrace, scene: number): string {
  if (scene === 0) return "what time the question is about";
  if (scene === 1) return "where the recall starts";
  return scene - scenesBefore < steps.length ? `draw ${scene - scenesBefore + 1} of ${steps.length}` : "what was found";
}

function TimeRead({ trace }: SceneProps) {
  return (
    <>
      {trace.timeFoci.length === 0 && <p>The question names no time; it looks everywhere.</p>}
      <ul>
        {trace.timeFoci.map(({ words, from, until }, i) => (
          <li key={i}>
            <q>
              <Said text={words} />
            </q>
            : {from === null ? "any time" : dayOf(from)} to {until === null ? "today" : dayOf(until)}
          </li>
        ))}
      </ul>
      <p class="note">
        {count(trace.memoryCount, "memory was", "memories were")} compared with it, {trace.candidateCount} of them in
        full.
      </p>
    </>
  );
}

/** Each is a parameter. */
const limitWords: Readonly<Record<RecallTrace["limitsReached"][number], string>> = {
  recallNodeCountMax: "memories in one recall",
  traversalStepCountMax: "draws in one recall",
  traversalNodeCountPerStartMax: "memories reached from one start",
};

function End({ trace, model, outdatedIds }: Pick<PlaybackProps, "trace" | "model" | "outdatedIds">) {
  const { includedIds, droppedIds } = trace.context;
  const lists = [["In the text", includedIds] as const, ["Beyond the budget", droppedIds] as const].filter(
    ([, ids]) => ids.length > 0,
  );
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
      {lists.map(([title, ids]) => (
        <Fragment key={title}>
          <h3>{title}</h3>
          <ol class="plain-list is-airy">
            {ids.map((id) => (
              <li key={id}>
                <NamedMemory id={id} model={model} isOutdated={outdatedIds.has(id)} />
              </li>
            ))}
          </ol>
        </Fragment>
      ))}
    </>
  );
}
