/** Nothing is shown without a key where the server asks for one. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { refusal, signIn } from "../api.js";
import { Trouble } from "../parts/said.js";

export function SignIn() {
  const [given, setGiven] = useState("");
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  return (
    <main class="sign-in" id="content">
      <h1>Mnemosyne</h1>
      <p>This server asks for a key. It is kept for this tab only.</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (given.trim() !== "") signIn(given.trim());
        }}
      >
        <label class="field">
          Key
          <input
            ref={field}
            type="password"
            autoComplete="off"
            spellcheck={false}
            value={given}
            onInput={(event) => setGiven(event.currentTarget.value)}
          />
        </label>
        <Trouble text={refusal.value} />
        <button type="submit" class="primary">
          Sign in
        </button>
      </form>
      <p class="note">
        <code>mnemosyne keys add --for &lt;person&gt;</code> makes one for somebody's memory,{" "}
        <code>mnemosyne keys add --admin</code> one for everybody's.
      </p>
    </main>
  );
}
