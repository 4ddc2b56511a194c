/** The inspector: looks into a memory through the server's API, and only through it. */
import { render } from "preact";
import { useEffect } from "preact/hooks";
import { type Rights, call, epoch, isLost, key, needsKey, rights } from "./api.js";
import { keepFocus } from "./focus-keeper.js";
import { isLive, listenTo } from "./live.js";
import { Said } from "./parts/said.js";
import { type ViewName, go, place, writePlace } from "./place.js";
import { chooseTheme, startTheme, theme } from "./theme.js";
import { views } from "./views/views.js";
import { SignIn } from "./views/sign-in.js";

function App() {
  const { person, view } = place.value;
  useRights();
  useEffect(
    () => (person === "" || needsKey.value ? undefined : listenTo(person)),
    [person, epoch.value, needsKey.value],
  );
  useEffect(() => {
    document.title = `${person === "" ? "" : `${person}, `}${views[view].title} · Mnemosyne`;
  }, [person, view]);
  if (needsKey.value) return <SignIn />;
  const { View } = views[view];
  return (
    <>
      <a class="skip" href="#content" onClick={(event) => skip(event)}>
        Skip to the content
      </a>
      <header>
        <h1>
          <a href={writePlace({ person, view: "overview", choices: {} })}>Mnemosyne</a>
        </h1>
        {person !== "" && (
          <a class="who" href={writePlace({ person, view: "overview", choices: {} })} title="Persons and health">
            <Said text={person} lengthMax={24} />
            {isLive.value && <span class="live-dot" title="live" aria-hidden="true" />}
          </a>
        )}
        <nav aria-label="Views">
          {(Object.keys(views) as ViewName[]).map((name) => (
            <a
              key={name}
              href={writePlace({ person, view: name, choices: carried(name) })}
              aria-current={name === view ? "page" : undefined}
            >
              {views[name].title}
            </a>
          ))}
        </nav>
        <button
          type="button"
          class="plain theme"
          aria-label={`Use the ${theme.value === "dark" ? "light" : "dark"} theme`}
          onClick={() => chooseTheme(theme.value === "dark" ? "light" : "dark")}
        >
          {theme.value === "dark" ? "☾" : "☀"}
        </button>
      </header>
      {isLost.value && (
        <p class="lost" role="alert">
          The server does not answer. What you see is from before; it is asked again every two seconds.
        </p>
      )}
      <main id="content" tabIndex={-1}>
        {person === "" && view !== "overview" ? (
          <p class="page">
            <a href={writePlace({ person: "", view: "overview", choices: {} })}>Choose a person</a> first.
          </p>
        ) : (
          <View key={person} />
        )}
      </main>
    </>
  );
}

/** A question goes along from view to view; the rest belongs to one. */
function carried(name: ViewName): Record<string, string> {
  const { q = "", seed = "", memory = "" } = place.value.choices;
  if (name === "recall") return { q, seed };
  return name === "graph" ? { memory } : {};
}

function skip(event: Event): void {
  event.preventDefault();
  document.querySelector<HTMLElement>("#content")?.focus();
}

/** What the key may do, and for whom: where there is only one person, nobody has to choose. */
function useRights(): void {
  useEffect(() => {
    const usedKey = key.value;
    call<Rights & { persons: string[] }>("GET", "/v1/persons?limit=2").then(
      ({ persons: [only, second], isReadOnly, isAdmin }) => {
        if (usedKey === key.value) rights.value = { isReadOnly, isAdmin };
        if (only === undefined || second !== undefined || only.endsWith("*") || place.value.person !== "") return;
        go({ person: only, view: "graph", choices: {} });
      },
      () => {},
    );
  }, [epoch.value]);
}

const root = document.querySelector<HTMLElement>("#app")!;
startTheme();
keepFocus(root);
render(<App />, root);
