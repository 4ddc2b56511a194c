/** A slider for every parameter, in groups by what they steer. */
import { useState } from "preact/hooks";
import type { ParameterList } from "../../server/rest/parameter-routes.js";
import { type Overrides, type Parameter, sliderRange } from "./what-if-data.js";

interface SlidersProps {
  readonly list: ParameterList;
  readonly overrides: Overrides;
  readonly onChange: (name: string, value: number | null) => void;
}

/** What people want to see first. */
const firstGroup = /decay/iu;

export function ParameterSliders({ list, overrides, onChange }: SlidersProps) {
  const [find, setFind] = useState("");
  const words = find.toLowerCase().split(/\s+/u);
  const isFound = ({ name, meaning }: Parameter, title: string): boolean =>
    words.every((word) => `${name} ${meaning} ${title}`.toLowerCase().includes(word));
  return (
    <>
      <label class="field">
        Find a parameter
        <input type="search" value={find} onInput={(event) => setFind(event.currentTarget.value)} />
      </label>
      {list.groups.map(({ title, source, parameters }) => {
        const found = parameters.filter((each) => isFound(each, title));
        if (found.length === 0) return null;
        const isOpen = find !== "" || firstGroup.test(source) || found.some(({ name }) => name in overrides);
        return (
          <details key={`${title} ${find !== ""}`} class="filters" open={isOpen}>
            <summary>
              {title} ({found.length})
            </summary>
            {found.map((each) => (
              <Slider key={each.name} parameter={each} value={overrides[each.name] ?? each.value} onChange={onChange} />
            ))}
          </details>
        );
      })}
    </>
  );
}

interface SliderProps {
  readonly parameter: Parameter;
  readonly value: number;
  readonly onChange: (name: string, value: number | null) => void;
}

function Slider({ parameter, value, onChange }: SliderProps) {
  const { name, meaning, min, max, integer } = parameter;
  const range = sliderRange(parameter);
  const isChanged = value !== parameter.value;
  const change = (text: string): void => {
    const wanted = Number(text);
    if (text === "" || !Number.isFinite(wanted) || wanted < min || wanted > max) return;
    onChange(name, integer ? Math.round(wanted) : Number(wanted.toPrecision(6)));
  };
  return (
    <div class={`parameter${isChanged ? " is-changed" : ""}`} data-parameter={name}>
      <p>
        <b>{name}</b>
        {isChanged && (
          <button type="button" class="link" onClick={() => onChange(name, null)}>
            back to {parameter.value}
          </button>
        )}
      </p>
      <p class="note">{meaning}</p>
      <div class="parameter-inputs">
        <input
          type="range"
          {...range}
          value={value}
          aria-label={name}
          onInput={(event) => change(event.currentTarget.value)}
        />
        <input
          type="number"
          min={min}
          max={max}
          step="any"
          value={value}
          aria-label={`${name} as a number`}
          onChange={(event) => change(event.currentTarget.value)}
        />
      </div>
    </div>
  );
}
