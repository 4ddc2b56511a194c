/** How memories fade, and what a repetition takes off: as the server has it, and what if. */
import { useMemo } from "preact/hooks";
import { decay } from "mnemosyne-edge/internal/core/paper/decay.js";
import { rewind } from "mnemosyne-edge/internal/core/paper/rewind.js";
import { dayMs } from "mnemosyne-edge/internal/core/time.js";
import type { Parameters } from "mnemosyne-edge";
import { Curve } from "../parts/curve.js";

const curvePoints = 160;

interface CurvesProps {
  readonly values: Parameters;
  readonly changed: Parameters;
  readonly isChanged: boolean;
}

export function WhatIfCurves({ values, changed, isChanged }: CurvesProps) {
  const fading = useMemo(
    () =>
      curveOf(
        2.5 * Math.max(values.decayMidpointDays, changed.decayMidpointDays),
        (day, each) => decay(day * dayMs, each),
        values,
        changed,
        isChanged,
      ),
    [values, changed, isChanged],
  );
  const rewinding = useMemo(
    () =>
      curveOf(
        3 * Math.max(values.rewindCriticalDays, changed.rewindCriticalDays, 1),
        (day, each) => rewind(day * dayMs, each) / dayMs,
        values,
        changed,
        isChanged,
      ),
    [values, changed, isChanged],
  );
  return (
    <div class="two-curves">
      <section>
        <h3>Fading</h3>
        <p class="note">How easily recall reaches a memory; 1 is as when it was new.</p>
        <Curve
          label="How easily a memory is reached, by age"
          xLabel="age in days, less what repetition took off"
          {...fading}
        />
      </section>
      <section>
        <h3>Saying it again</h3>
        <p class="note">By how many days a memory gets younger when it is said again.</p>
        <Curve
          label="Days that a repetition takes off a memory's age, by the time since it was last said"
          xLabel="days since it was last said"
          yMax={Math.max(1, 1.05 * Math.max(values.rewindMaxDays, changed.rewindMaxDays))}
          {...rewinding}
        />
      </section>
    </div>
  );
}

function curveOf(
  end: number,
  formula: (day: number, parameters: Parameters) => number,
  values: Parameters,
  changed: Parameters,
  isChanged: boolean,
) {
  const x = Array.from({ length: curvePoints }, (_, i) => (i * end) / (curvePoints - 1));
  const line = (label: string, parameters: Parameters) => ({ label, values: x.map((day) => formula(day, parameters)) });
  const usual = line("as the server has it", values);
  return { x, lines: isChanged ? [line("what if", changed), { ...usual, isDashed: true }] : [usual] };
}
