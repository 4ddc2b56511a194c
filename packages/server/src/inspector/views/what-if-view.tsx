/** What if: other parameters, and what they would do to fading, recall, repetition and pruning. Nothing is stored. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Parameters, PersonStatistics } from "mnemosyne-edge";
import type { ParameterList } from "../../server/rest/parameter-routes.js";
import { call, personPath } from "../api.js";
import { useLoaded } from "../loading.js";
import { changes } from "../live.js";
import { useParameters } from "../person-data.js";
import { choose, place } from "../place.js";
import { QuestionForm } from "../parts/question-form.js";
import { Said, Trouble, Waiting } from "../parts/said.js";
import { useSentences } from "../sentences.js";
import { count, dayOf, momentOf } from "../words.js";
import { ParameterSliders } from "./parameter-sliders.js";
import { type RecallAnswer, usualQuestion } from "./recall-data.js";
import { WhatIfCurves } from "./what-if-curves.js";
import {
  type Overrides,
  type WhatIfAnswer,
  askWhatIf,
  type Compared,
  comparedMax,
  countRepeated,
  loadCompared,
  readOverrides,
  toConfiguration,
  writeOverrides,
} from "./what-if-data.js";

const settleMs = 350;
const prunedShownMax = 20;

export function WhatIfView() {
  const { person } = place.value;
  const { list, values } = useParameters();
  const { value: statistics, error } = useLoaded<PersonStatistics>(
    (signal) => call("GET", personPath(person, "stats"), { signal }),
    `stats ${person}`,
    changes.value,
  );
  if (list === null || values === null || statistics === null) {
    return error === "" ? <Waiting what="the parameters" /> : <Trouble text={error} />;
  }
  return <Bench person={person} list={list} values={values} statistics={statistics} />;
}

interface BenchProps {
  readonly person: string;
  readonly list: ParameterList;
  readonly values: Parameters;
  readonly statistics: PersonStatistics;
}

function Bench({ person, list, values, statistics: { memoryCount, lastAt } }: BenchProps) {
  const { choices } = place.value;
  const sliders = useRef<HTMLElement>(null);
  const given = choices["set"] ?? "";
  const overrides = useMemo(() => readOverrides(given, list), [given, list]);
  const changed = useMemo(() => ({ ...values, ...overrides }) as Parameters, [values, overrides]);
  const setOne = (name: string, value: number | null): void => {
    const { [name]: _, ...rest } = overrides;
    const isUsual = value === null || value === values[name as keyof Parameters];
    choose({ set: writeOverrides(isUsual ? rest : { ...rest, [name]: value }) });
  };
  return (
    <div class="with-sides what-if">
      <div class="what-if-head">
        <h2>What if</h2>
        <p class="note">
          Change how the memory fades, recalls and prunes, and see what would differ. It is tried on a copy: nothing is
          stored.
        </p>
        <p class="actions">
          <button type="button" onClick={() => showFirstField(sliders.current!)}>
            To the parameters
          </button>
        </p>
      </div>
      <section class="finder" aria-label="Parameters" ref={sliders}>
        <Copying overrides={overrides} />
        <ParameterSliders list={list} overrides={overrides} onChange={setOne} />
      </section>
      <div class="what-if-results">
        <WhatIfCurves values={values} changed={changed} isChanged={Object.keys(overrides).length > 0} />
        {lastAt === null ? (
          <p>
            <Said text={person} /> has no memories yet: there is nothing to recall or to prune with these parameters.
          </p>
        ) : (
          <Effects {...{ person, overrides, values, changed, memoryCount, lastAt }} />
        )}
      </div>
    </div>
  );
}

/** Where there is one column, they are below the results. */
function showFirstField(sliders: HTMLElement): void {
  sliders.scrollIntoView({ block: "start" });
  sliders.querySelector("input")?.focus({ preventScroll: true });
}

function Copying({ overrides }: { readonly overrides: Overrides }) {
  const [copied, setCopied] = useState("");
  const { json, commandLine } = toConfiguration(overrides);
  if (Object.keys(overrides).length === 0) return null;
  const copy = async (name: string, text: string): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(name);
  };
  return (
    <div class="configuration">
      <pre tabIndex={0} role="region" aria-label="Configuration">
        {json}
      </pre>
      <div class="actions">
        <button type="button" onClick={() => void copy("json", json)}>
          {copied === "json" ? "Copied" : "Copy as configuration"}
        </button>
        <button type="button" onClick={() => void copy("line", commandLine)}>
          {copied === "line" ? "Copied" : "Copy as command"}
        </button>
        <button type="button" onClick={() => choose({ set: "" })}>
          Back to the server's
        </button>
      </div>
    </div>
  );
}

interface EffectsProps {
  readonly person: string;
  readonly overrides: Overrides;
  readonly values: Parameters;
  readonly changed: Parameters;
  readonly memoryCount: number;
  /** When the last memory took place. */
  readonly lastAt: string;
}

function Effects({ person, overrides, values, changed, memoryCount, lastAt }: EffectsProps) {
  const { choices } = place.value;
  const keep = Number(choices["keep"] ?? "") || Math.max(1, Math.round(0.8 * memoryCount));
  const recall = {
    q: choices["q"] ?? usualQuestion,
    seed: choices["seed"] ?? "7",
    at: choices["at"] ?? lastAt,
  };
  const wanted = JSON.stringify([person, recall, keep]);
  const settled = useSettledText(JSON.stringify(overrides));
  const before = useLoaded<WhatIfAnswer>(
    (signal) => askWhatIf(person, {}, { recall, keep }, signal),
    wanted,
    changes.value,
  );
  const after = useLoaded<WhatIfAnswer>(
    (signal) => askWhatIf(person, JSON.parse(settled) as Overrides, { recall, keep }, signal),
    `${wanted} ${settled}`,
    changes.value,
  );
  const history = useLoaded<Compared>((signal) => loadCompared(person, signal), `history ${person}`, changes.value);
  const refusal = after.error || before.error;
  const repeated = useMemo(() => countBoth(history.value, values, changed), [history.value, values, changed]);
  return (
    <>
      <section aria-label="Recall">
        <h3>Recall</h3>
        <QuestionForm
          key={recall.q}
          q={recall.q}
          placeholder="ask both"
          button="Ask"
          isInline
          onAsk={(question) => choose({ q: question })}
        />
        <p class="note">
          Asked {choices["at"] === undefined ? "at the time of the last memory, " : "on "}
          {momentOf(recall.at)}, with seed {recall.seed}: the same draws on both sides.
        </p>
        <Trouble text={refusal} />
        {refusal === "" && <RecalledDifference before={before.value} after={after.value} />}
        {refusal === "" && (
          <div class="versions">
            <Recalled title="As the server has it" answer={before.value} other={after.value} />
            <Recalled title="What if" answer={after.value} other={before.value} />
          </div>
        )}
      </section>
      <section aria-label="Repetition">
        <h3>Said before</h3>
        {repeated === null ? (
          <Waiting what="the history" />
        ) : (
          <p class="repeated">
            {count(repeated[0]!, "interaction counts", "interactions count")} as said before; with this it would be{" "}
            <b>{repeated[1]}</b>. Each is compared with the memory that it was compared with when it came.
            {history.value?.hasEarlier === true &&
              ` Only the newest ${comparedMax.toLocaleString("en")} interactions are counted; there are older ones.`}
          </p>
        )}
      </section>
      <section aria-label="Pruning">
        <h3>Pruning</h3>
        <label class="field keep">
          If only so many memories may stay, of {memoryCount.toLocaleString("en")}
          <input
            type="number"
            min={1}
            max={memoryCount}
            value={keep}
            onChange={(event) => choose({ keep: event.currentTarget.value })}
          />
        </label>
        {refusal === "" && <Pruned person={person} before={before.value} after={after.value} />}
      </section>
    </>
  );
}

function countBoth(history: Compared | null, values: Parameters, changed: Parameters): number[] | null {
  return history === null ? null : [values, changed].map((each) => countRepeated(history, each));
}

/** In a sentence what the two lists below differ in. */
function RecalledDifference({ before, after }: { before: WhatIfAnswer | null; after: WhatIfAnswer | null }) {
  if (before?.recall == null || after?.recall == null) return null;
  const idsOf = ({ memories }: RecallAnswer): Set<string> => new Set(memories.map(({ id }) => id));
  const [usual, other] = [idsOf(before.recall), idsOf(after.recall)];
  const gained = [...other].filter((id) => !usual.has(id)).length;
  const lost = [...usual].filter((id) => !other.has(id)).length;
  const same = usual.size === 0 ? "Nothing is recalled." : "The same memories are recalled.";
  return (
    <p role="status" class="difference">
      {gained + lost === 0
        ? same
        : `${count(gained, "memory is", "memories are")} recalled only with this, ${lost} no more.`}
    </p>
  );
}

interface RecalledProps {
  readonly title: string;
  readonly answer: WhatIfAnswer | null;
  readonly other: WhatIfAnswer | null;
}

function Recalled({ title, answer, other }: RecalledProps) {
  const recall = answer?.recall;
  if (recall == null) return <Waiting what="the recall" />;
  const isIn = new Set(other?.recall?.memories.map(({ id }) => id) ?? []);
  return (
    <div class="version">
      <h4>{title}</h4>
      <p class="note">
        {count(recall.memories.length, "memory", "memories")}, {recall.trace.context.tokenCount} tokens
        {recall.confidence !== null && `, ${Math.round(100 * recall.confidence)} % sure`}
      </p>
      <ol class="plain-list">
        {recall.memories.map(({ id, at, summary }) => {
          const isOnly = other?.recall != null && !isIn.has(id);
          return (
            <li key={id} class={isOnly ? "only-entered" : ""}>
              <small>
                {dayOf(at)}
                {isOnly && ", only here"}
              </small>{" "}
              <Said text={summary} lengthMax={90} />
            </li>
          );
        })}
      </ol>
    </div>
  );
}

interface PrunedProps {
  readonly person: string;
  readonly before: WhatIfAnswer | null;
  readonly after: WhatIfAnswer | null;
}

function Pruned({ person, before, after }: PrunedProps) {
  const pruned = after?.pruned ?? [];
  const shown = pruned.slice(0, prunedShownMax);
  const sentences = useSentences(
    person,
    shown.map(({ id }) => id),
  );
  if (before?.pruned == null || after?.pruned == null) return <Waiting what="the pruning" />;
  const usual = new Set(before.pruned.map(({ id }) => id));
  const otherwise = pruned.filter(({ id }) => !usual.has(id)).length;
  return (
    <>
      <p role="status">
        {pruned.length === 0
          ? "No memory would go."
          : `${count(pruned.length, "memory would go", "memories would go")}, ${otherwise} of them only with this.`}
      </p>
      <ol class="plain-list version">
        {shown.map(({ id, score }) => (
          <li key={id} class={usual.has(id) ? "" : "only-left"}>
            <small>
              {score.toFixed(3)}
              {!usual.has(id) && ", only with this"}
            </small>{" "}
            <Said text={sentences(id)?.text ?? id} lengthMax={110} />
          </li>
        ))}
      </ol>
      {pruned.length > shown.length && <p class="note">and {pruned.length - shown.length} more</p>}
    </>
  );
}

function useSettledText(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), settleMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
