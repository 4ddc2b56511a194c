/** A question that has to be answered first. The browser keeps the focus inside, and Escape closes it. */
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

export function Dialog({ title, onClose, children }: DialogProps) {
  const place = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Closed while it is still there: only then does the browser give the focus back to where it was before.
  useLayoutEffect(() => {
    const dialog = place.current!;
    if (!dialog.open) dialog.showModal();
    return () => dialog.close();
  }, []);
  return (
    <dialog ref={place} aria-labelledby={id} onClose={onClose}>
      <div class="dialog-head">
        <h2 id={id}>{title}</h2>
        <button type="button" class="plain" aria-label="Close" onClick={onClose}>
          ×
        </button>
      </div>
      {children}
    </dialog>
  );
}

/** Stands where what was sent has been answered, and has the focus that the form had. */
export function DoneButton({ onDone }: { readonly onDone: () => void }) {
  const place = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => place.current?.focus(), []);
  return (
    <button type="button" ref={place} onClick={onDone}>
      Done
    </button>
  );
}
