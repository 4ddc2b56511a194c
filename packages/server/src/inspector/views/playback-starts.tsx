/** The scene of a recall with the start nodes: each score as a bar of its parts, and why others were passed over. */
import type { RecallTrace } from "mnemosyne-edge";
import type { GraphModel } from "../graph/graph-model.js";
import { round } from "../words.js";
import { NamedMemory, type SceneProps } from "./playback-names.js";
import { partNames, partsOf } from "./playback.js";

export function Starts({ trace, model }: SceneProps) {
  const all = [...trace.starts, ...trace.passedOver];
  const scale = Math.max(...all.map(({ score }) => score), 0.01);
  const used = new Set(all.flatMap((start) => partsOf(start).flatMap(({ name, value }) => (value === 0 ? [] : name))));
  if (all.length === 0) return <p>No memory was near enough.</p>;
  return (
    <>
      <p class="bar-keys" aria-hidden="true">
        {partNames.map(
          (name, part) =>
            used.has(name) && (
              <span key={name} class={`bar-key part-${part}`}>
                {name}
              </span>
            ),
        )}
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
      <NamedMemory id={start.id} model={model} />
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
