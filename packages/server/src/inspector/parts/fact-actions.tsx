/** What can be done about a statement: correct it, say that it is not true, take it out of the core memory, pin it. */
import { call, memoryPath } from "../api.js";
import { useSending } from "../sending.js";
import { PinButton } from "./pin-button.js";
import { Trouble } from "./said.js";

interface FactActionsProps {
  readonly person: string;
  /** The name of the statement. */
  readonly id: string;
  readonly isPinned: boolean;
  readonly onCorrect: () => void;
}

export function FactActions({ person, id, isPinned, onCorrect }: FactActionsProps) {
  const { send, isBusy, trouble } = useSending<unknown>();
  const withdraw = (reason: "removed" | "untrue"): void =>
    void send(() => call("PUT", `${memoryPath(person, id)}/withdrawal`, { body: { reason } }));
  return (
    <>
      <button type="button" class="small" onClick={onCorrect}>
        Correct…
      </button>
      <button
        type="button"
        class="small"
        aria-disabled={isBusy}
        title="It was never so: neither the core memory nor a recall says it any more. Its memory can take that back"
        onClick={() => withdraw("untrue")}
      >
        Not true
      </button>
      <button
        type="button"
        class="small"
        aria-disabled={isBusy}
        title="The core memory no longer says it; a recall still finds it. Its memory can take that back"
        onClick={() => withdraw("removed")}
      >
        Remove
      </button>
      <PinButton person={person} id={id} isPinned={isPinned} class="small" />
      <Trouble text={trouble} />
    </>
  );
}
