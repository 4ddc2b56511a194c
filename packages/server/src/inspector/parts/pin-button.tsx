/** Pins a statement or a memory to the core memory, or takes the pin away. */
import { call, memoryPath } from "../api.js";
import { useSending } from "../sending.js";
import { Trouble } from "./said.js";

interface PinProps {
  readonly person: string;
  readonly id: string;
  readonly isPinned: boolean;
  readonly class?: string;
}

export function PinButton({ person, id, isPinned, class: look = "" }: PinProps) {
  const { send, trouble } = useSending<unknown>();
  const path = `${memoryPath(person, id)}/pin`;
  const pin = (): Promise<void> => send(() => (isPinned ? call("DELETE", path) : call("PUT", path, { body: {} })));
  return (
    <>
      <button type="button" class={look} aria-pressed={isPinned} onClick={() => void pin()}>
        {isPinned ? "Unpin" : "Pin"}
      </button>
      <Trouble text={trouble} />
    </>
  );
}
