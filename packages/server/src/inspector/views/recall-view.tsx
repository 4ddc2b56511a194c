/** Recall: ask, read what a model would get, and watch how it was found. */
import { useEffect, useMemo, useState } from "preact/hooks";
import { GraphStage } from "../graph/graph-stage.js";
import { useLoaded } from "../loading.js";
import { changes } from "../live.js";
import { usePersonGraph, useParameters } from "../person-data.js";
import { choose, go, place } from "../place.js";
import { Said, Trouble, Waiting } from "../parts/said.js";
import { count, momentOf } from "../words.js";
import { Nothing } from "./graph-view.js";
import { Playback } from "./playback-panel.js";
import { momentAt, sceneCount } from "./playback.js";
import { type RecallAnswer, askFor } from "./recall-data.js";

const questions = [
  "What should I know about this person?",
  "What has changed lately?",
  "Is there anything to be careful about?",
];

export function RecallView() {
  const { person, choices } = place.value;
  const { model, error } = usePersonGraph(person);
  const parameters = useParameters();
  const asked = {
    q: choices["q"] ?? "",
    seed: choices["seed"] ?? "",
    at: choices["at"] ?? "",
    budget: choices["budget"] ?? "",
  };
  const recall = useLoaded<RecallAnswer | null>(
    async (signal) => (asked.q === "" ? null : askFor(person, asked, signal)),
    JSON.stringify([person, asked]),
    changes.value,
  );
  const answer = recall.value;
  // The address names what was drawn, so that it shows the same again.
  useEffect(() => {
    if (answer !== null && asked.seed === "") choose({ seed: String(answer.seed), at: answer.trace.at });
  }, [answer]);
  const last = answer === null ? 0 : sceneCount(answer.trace) - 1;
  const scene = Math.min(last, choices["scene"] === undefined ? last : Math.max(0, Number(choices["scene"]) || 0));
  const moment = useMemo(
    () => (answer === null || model === null ? null : momentAt(answer.trace, model, scene)),
    [answer, model, scene],
  );
  if (model === null) return error === "" ? <Waiting what="the graph" /> : <Trouble text={error} />;
  if (model.memories.length === 0) return <Nothing person={person} />;
  const atMs = answer === null ? Date.now() : Date.parse(answer.trace.at);
  return (
    <div class={`with-sides recall${answer === null ? "" : " has-panel"}`}>
      <section class="finder" aria-label="Question">
        <Question key={asked.q} />
        <Trouble text={recall.error} />
        {recall.isBusy && asked.q !== "" && <p role="status">Recalling…</p>}
        {answer !== null && <Answer answer={answer} />}
      </section>
      <GraphStage
        model={model}
        atMs={atMs}
        selectedId=""
        isLeaving
        onSelect={(id) => {
          if (id !== "") go({ view: "graph", choices: { memory: id } });
        }}
        {...(moment ?? {})}
      />
      {answer !== null && (
        <Playback
          trace={answer.trace}
          model={model}
          outdatedIds={new Set(answer.memories.flatMap(({ id, outdated }) => (outdated === null ? [] : [id])))}
          scene={scene}
          exploration={parameters?.explorationFactor ?? null}
        />
      )}
    </div>
  );
}

/** What is typed stays here until it is asked. */
function Question() {
  const { choices } = place.value;
  const [text, setText] = useState(choices["q"] ?? "");
  const [seed, setSeed] = useState("");
  const [at, setAt] = useState("");
  const [budget, setBudget] = useState(choices["budget"] ?? "");
  const ask = (q: string): void => {
    if (q !== "") choose({ q, seed, budget, at: at === "" ? "" : new Date(at).toISOString(), scene: "" });
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        ask(text.trim());
      }}
    >
      <label class="field">
        Question
        <textarea
          class="question"
          rows={2}
          value={text}
          placeholder="ask the memory"
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={askOnEnter}
        />
      </label>
      {choices["q"] === undefined && (
        <p class="badges">
          {questions.map((each) => (
            <button key={each} type="button" class="badge" onClick={() => ask(each)}>
              {each}
            </button>
          ))}
        </p>
      )}
      <details class="filters">
        <summary>Time, seed and budget</summary>
        <label class="field">
          Asked at (empty: now)
          <input type="datetime-local" value={at} onInput={(event) => setAt(event.currentTarget.value)} />
        </label>
        <div class="two">
          <label class="field">
            Seed
            <input
              inputMode="numeric"
              value={seed}
              placeholder="drawn"
              onInput={(event) => setSeed(event.currentTarget.value)}
            />
          </label>
          <label class="field">
            Tokens
            <input
              inputMode="numeric"
              value={budget}
              placeholder="usual"
              onInput={(event) => setBudget(event.currentTarget.value)}
            />
          </label>
        </div>
      </details>
      <button type="submit" class="primary">
        Ask
      </button>
    </form>
  );
}

/** As in a field of one line. */
function askOnEnter(event: KeyboardEvent & { readonly currentTarget: HTMLTextAreaElement }): void {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}

function Answer({ answer }: { readonly answer: RecallAnswer }) {
  const { context, confidence, memories, trace, seed } = answer;
  const { tokenCount, tokenBudget, coreSummary } = trace.context;
  return (
    <div class="answer">
      <h2>What a model gets</h2>
      <p class="note">
        {tokenCount} of {tokenBudget} tokens; {count(memories.length, "memory", "memories")} recalled,{" "}
        {trace.context.includedIds.length} in the text; core summary: {coreSummary}.
      </p>
      {confidence !== null && (
        <p class="confidence">
          <meter min={0} max={1} value={confidence} aria-label="Confidence" /> {Math.round(100 * confidence)} % that the
          memory holds an answer
        </p>
      )}
      <pre tabIndex={0} role="region" aria-label="Context" class="context">
        <Said text={context} />
      </pre>
      <p class="note">
        Asked at {momentOf(trace.at)} with seed {String(seed)}; the address of this page replays it.
      </p>
    </div>
  );
}
