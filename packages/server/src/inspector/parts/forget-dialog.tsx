/** Forgetting for good: what goes, what goes with it, a confirmation, and the receipt. */
import { useState } from "preact/hooks";
import type { CoreSummaryView, ForgettingReceipt } from "mnemosyne-edge";
import { call, personPath } from "../api.js";
import type { GraphModel } from "../graph/graph-model.js";
import { useLoaded } from "../loading.js";
import { useSending } from "../sending.js";
import { count, dayOf } from "../words.js";
import { Dialog, DoneButton } from "./dialog.js";
import { Said, Trouble } from "./said.js";

interface ForgetProps {
  readonly person: string;
  readonly ids: readonly string[];
  readonly model: GraphModel;
  readonly onClose: (isDone: boolean) => void;
}

export function ForgetDialog({ person, ids, model, onClose }: ForgetProps) {
  const [isSure, setSure] = useState(false);
  const { send, isBusy, trouble, done } = useSending<ForgettingReceipt>();
  const submit = (): void => void send(() => call("POST", personPath(person, "memories:forget"), { body: { ids } }));
  return (
    <Dialog title={`Forget ${count(ids.length, "memory", "memories")}`} onClose={() => onClose(done !== null)}>
      {done === null ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <Consequences person={person} ids={ids} model={model} />
          <label class="check">
            <input type="checkbox" checked={isSure} onChange={(event) => setSure(event.currentTarget.checked)} /> Forget
            it for good; it cannot be brought back
          </label>
          <Trouble text={trouble} />
          <div class="actions">
            <button type="submit" class="danger" disabled={!isSure} aria-disabled={isBusy}>
              Forget
            </button>
            <button type="button" onClick={() => onClose(false)}>
              Keep it
            </button>
          </div>
        </form>
      ) : (
        <Receipt receipt={done} onDone={() => onClose(true)} />
      )}
    </Dialog>
  );
}

function Consequences({ person, ids, model }: Omit<ForgetProps, "onClose">) {
  const { value: core } = useLoaded<CoreSummaryView>(
    (signal) => call("GET", personPath(person, "core"), { signal }),
    `core of ${person}`,
  );
  const chosen = ids.flatMap((id) => model.numberOf.get(id) ?? []);
  const isChosen = new Set(chosen);
  const edgeCount = model.edges.filter(({ a, b }) => isChosen.has(a) || isChosen.has(b)).length;
  const alone = model.edges.filter(({ a, b, isPair }) => isPair && isChosen.has(a) !== isChosen.has(b)).length;
  const holdAgain = model.replacements.filter(
    ({ old, by }) =>
      isChosen.has(by) &&
      !isChosen.has(old) &&
      model.outdatedMs[old]! < Infinity &&
      model.memories[old]!.outdatedBy.length === 1,
  );
  const facts = (core?.areas ?? []).flatMap((area) => area.facts.filter(({ sourceId }) => ids.includes(sourceId)));
  return (
    <>
      <ul class="going">
        {chosen.slice(0, 20).map((i) => (
          <li key={i}>
            <time>{dayOf(model.timesMs[i]!)}</time> <Said text={model.memories[i]!.summary} lengthMax={160} />
          </li>
        ))}
        {chosen.length > 20 && <li>and {chosen.length - 20} more</li>}
      </ul>
      <h3>What goes with it</h3>
      <ul>
        <li>the conversation, search data and history of {count(ids.length, "interaction")}</li>
        <li>{count(edgeCount, "edge")} to other memories</li>
        {alone > 0 && <li>{count(alone, "memory", "memories")} will no longer be in a pair</li>}
        {holdAgain.length > 0 && (
          <li>{count(holdAgain.length, "earlier memory", "earlier memories")} will hold again</li>
        )}
        {facts.map(({ id, text }) => (
          <li key={id}>
            known about the person: <Said text={text} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Receipt({ receipt, onDone }: { readonly receipt: ForgettingReceipt; readonly onDone: () => void }) {
  const { removed, coreSummaryRebuilt, remainingPairs } = receipt;
  return (
    <div role="status" class="receipt">
      <p>Forgotten. This was removed:</p>
      <dl class="figures">
        {Object.entries(removed).map(([name, value]) => (
          <div key={name}>
            <dt>{name.replaceAll(/([A-Z])/gu, " $1").toLowerCase()}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {remainingPairs.length > 0 && <p>Another memory says the same, and stays: {remainingPairs.join(", ")}</p>}
      {coreSummaryRebuilt && <p>What is known about the person was written again.</p>}
      <DoneButton onDone={onDone} />
    </div>
  );
}
