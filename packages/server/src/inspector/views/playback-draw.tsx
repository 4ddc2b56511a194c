/** The scene of a recall with one draw: weight × decay × mu against it, and what the words mean. */
import { days, round } from "../words.js";
import { NamedMemory, type SceneProps } from "./playback-names.js";

interface DrawProps extends SceneProps {
  readonly i: number;
  readonly exploration: number | null;
}

/** weight × decay × mu against the draw. */
export function Draw({ trace, model, i, exploration }: DrawProps) {
  const step = trace.steps[i]!;
  const { from, to, weight, decay, probability, draw, taken, effectiveAgeMs, boostMs } = step;
  return (
    <div class="draw">
      <p>
        From <NamedMemory id={from} model={model} /> to <NamedMemory id={to} model={model} />
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
export function Terms() {
  return (
    <dl class="terms">
      <dt>weight</dt>
      <dd>how closely the two memories are connected</dd>
      <dt>decay</dt>
      <dd>how easily a memory is reached at its age, 1 when it is new; saying it again makes it younger</dd>
      <dt>mu</dt>
      <dd>how readily recall follows edges: the parameter explorationFactor</dd>
      <dt>draw</dt>
      <dd>a number from 0 to 1 by chance, the same for the same seed; below the product, the edge is followed</dd>
    </dl>
  );
}
