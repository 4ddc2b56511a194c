/** A field for a question, as high as it is long, with a button. It keeps what is typed to itself until it is asked. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

interface QuestionProps {
  /** What was asked last; mounted again (by its key), the field begins with it. */
  readonly q: string;
  readonly placeholder: string;
  readonly button: string;
  readonly onAsk: (question: string) => void;
  /** Between the field and the button. */
  readonly children?: ComponentChildren;
}

export function QuestionForm({ q, placeholder, button, onAsk, children }: QuestionProps) {
  const [text, setText] = useState(q);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onAsk(text.trim());
      }}
    >
      <label class="field">
        Question
        <textarea
          class="question"
          rows={2}
          value={text}
          placeholder={placeholder}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={askOnEnter}
        />
      </label>
      {children}
      <button type="submit" class="primary">
        {button}
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
