/** What somebody said: always as text, in its own reading direction, with hidden characters named. */
import { rights } from "../api.js";
import { shorten, visibleText } from "../words.js";

export function Said({ text, lengthMax }: { readonly text: string; readonly lengthMax?: number }) {
  const shown = lengthMax === undefined ? visibleText(text) : shorten(text, lengthMax);
  const [speaker = ""] = /^(?:user|assistant):(?= )/u.exec(shown) ?? [];
  return (
    <bdi class="said" dir="auto">
      {/* Who speaks does not count for the direction of what they say. */}
      {speaker !== "" && <bdi>{speaker}</bdi>}
      {shown.slice(speaker.length)}
    </bdi>
  );
}

export function Trouble({ text }: { readonly text: string }) {
  return text === "" ? null : (
    <p class="trouble" role="alert">
      {visibleText(text)}
    </p>
  );
}

export function Waiting({ what }: { readonly what: string }) {
  return (
    <p class="waiting" role="status">
      Loading {what}…
    </p>
  );
}

/** Why nothing that changes a memory is offered, where the key may not. */
export function ReadOnlyNote() {
  return rights.value?.isReadOnly === true ? (
    <p class="note read-only">Your key may only read: nothing can be changed here.</p>
  ) : null;
}
