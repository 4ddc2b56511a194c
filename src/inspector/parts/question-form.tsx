/** A field for a question, with a button. It keeps what is typed to itself until it is asked. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

interface QuestionProps {
  /** What was asked last; mounted again (by its key), the field begins with it. */
  readonly q: string;
  readonly placeholder: string;
  readonly button: string;
  readonly onAsk: (question: string) => void;
  readonly isInline?: boolean;
  /** Between the field and the button. */
  readonly children?: ComponentChildren;
}

export function QuestionForm({ q, placeholder, button, onAsk, isInline = false, children }: QuestionProps) {
  const [text, setText] = useState(q);
  return (
    <form
      class={isInline ? "inline" : ""}
      onSubmit={(event) => {
        event.preventDefault();
        onAsk(text.trim());
      }}
    >
      <label class="field">
        Question
        <input
          type="search"
          value={text}
          placeholder={placeholder}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      {children}
      <button type="submit" class="primary">
        {button}
      </button>
    </form>
  );
}
