/** Who there is, and how the server does: health, counters, queue. */
import { useEffect, useState } from "preact/hooks";
import type { PersonStatistics } from "mnemosyne-edge";
import { call, key, personPath, request, rights, signOut } from "../api.js";
import { useLoaded } from "../loading.js";
import { changes } from "../live.js";
import { Said, Trouble, Waiting } from "../parts/said.js";
import { go, place, writePlace } from "../place.js";
import { bytes, count, momentOf, outcomeWord } from "../words.js";

const refreshMs = 5_000;

export function OverviewView() {
  const { person } = place.value;
  return (
    <div class="page">
      <Persons />
      {person !== "" && <Counts person={person} />}
      <Service />
    </div>
  );
}

function Persons() {
  const { value, error } = useLoaded<{ persons: string[]; nextCursor: string | null }>(
    (signal) => call("GET", "/v1/persons?limit=1000", { signal }),
    "persons",
  );
  const [name, setName] = useState("");
  const names = (value?.persons ?? []).filter((each) => !each.endsWith("*"));
  const patterns = (value?.persons ?? []).filter((each) => each.endsWith("*"));
  return (
    <section>
      <h2>Persons</h2>
      <Trouble text={error} />
      {value === null && error === "" && <Waiting what="persons" />}
      {value !== null && names.length === 0 && <p>Nobody has submitted anything yet.</p>}
      <ul class="persons">
        {names.map((each) => (
          <li key={each}>
            <a
              href={writePlace({ person: each, view: "graph", choices: {} })}
              aria-current={each === place.value.person ? "true" : undefined}
            >
              <Said text={each} />
            </a>
          </li>
        ))}
      </ul>
      {(patterns.length > 0 || value?.nextCursor != null) && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (name !== "") go({ person: name, view: "graph", choices: {} });
          }}
        >
          <label class="field">
            Somebody by name {patterns.length > 0 && `(your key: ${patterns.join(", ")})`}
            <input value={name} onInput={(event) => setName(event.currentTarget.value)} />
          </label>
          <button type="submit">Open</button>
        </form>
      )}
      {key.value !== null && (
        <p>
          Signed in with a key, for this tab only.{" "}
          <button type="button" onClick={signOut}>
            Sign out
          </button>
        </p>
      )}
    </section>
  );
}

function Counts({ person }: { readonly person: string }) {
  const { value, error } = useLoaded<PersonStatistics>(
    (signal) => call("GET", personPath(person, "stats"), { signal }),
    `stats ${person}`,
    useTicks() + changes.value,
  );
  if (value === null) return <Trouble text={error} />;
  const { outcomes } = value;
  const waiting = (outcomes.queued ?? 0) + (outcomes.open ?? 0);
  const figures: readonly (readonly [string, string])[] = [
    ["memories", value.memoryCount.toLocaleString("en")],
    ["edges", value.edgeCount.toLocaleString("en")],
    ["pairs", value.pairCount.toLocaleString("en")],
    ["edges renewed by repetition", value.boostedEdgeCount.toLocaleString("en")],
    ["statements", value.statementCount.toLocaleString("en")],
    ["in memory", bytes(value.bytesInMemory)],
    ["waiting", waiting.toLocaleString("en")],
    ...Object.entries(outcomes).flatMap(([name, each]) =>
      name === "queued" || name === "open" ? [] : [[outcomeWord(name), each.toLocaleString("en")] as const],
    ),
  ];
  return (
    <section>
      <h2>
        <Said text={person} />
      </h2>
      <p>
        {value.firstAt === null ? "No memories yet." : `From ${momentOf(value.firstAt)} to ${momentOf(value.lastAt!)}.`}{" "}
        {waiting === 0
          ? "Nothing waits to be processed."
          : `${count(waiting, "interaction waits", "interactions wait")}.`}
      </p>
      <Figures figures={figures} />
    </section>
  );
}

function Figures({ figures }: { readonly figures: readonly (readonly [string, string])[] }) {
  return (
    <dl class="figures">
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface ServiceState {
  readonly isAlive: boolean;
  readonly isReady: boolean;
  /** Null where the key may not read them. */
  readonly counters: readonly (readonly [string, string])[] | null;
}

function Service() {
  const isAdmin = rights.value?.isAdmin === true;
  const { value } = useLoaded<ServiceState>((signal) => loadService(isAdmin, signal), `service ${isAdmin}`, useTicks());
  if (value === null) return null;
  return (
    <section>
      <h2>Server</h2>
      <p>
        <Light isOn={value.isAlive} word={value.isAlive ? "alive" : "not answering"} />{" "}
        <Light isOn={value.isReady} word={value.isReady ? "store answers" : "store does not answer"} />
      </p>
      {rights.value?.isAdmin === false && <p class="note">Counters are for an admin's key.</p>}
      {value.counters !== null && <Figures figures={value.counters} />}
    </section>
  );
}

function Light({ isOn, word }: { readonly isOn: boolean; readonly word: string }) {
  return (
    <span class={`light ${isOn ? "is-on" : "is-off"}`}>
      <span aria-hidden="true">●</span> {word}
    </span>
  );
}

async function loadService(isAdmin: boolean, signal: AbortSignal): Promise<ServiceState> {
  const isOk = async (path: string): Promise<boolean> => {
    try {
      return (await request("GET", path, { signal })).ok;
    } catch {
      return false;
    }
  };
  const [isAlive, isReady] = [await isOk("/health"), await isOk("/ready")];
  if (!isAdmin) return { isAlive, isReady, counters: null };
  const text = await (await request("GET", "/metrics", { signal })).text();
  return { isAlive, isReady, counters: readCounters(text) };
}

/** Of the memory's own counters, the sum over their labels. */
function readCounters(text: string): (readonly [string, string])[] {
  const sums = new Map<string, number>();
  for (const line of text.split("\n")) {
    const [, name, value] =
      /^mnemosyne_((?!process|nodejs)\w+?)(?:_total)?(?:\{[^}]*\})? ([\d.e+-]+)$/u.exec(line) ?? [];
    if (name === undefined || /_(?:bucket|sum)$/u.test(name)) continue;
    sums.set(name, (sums.get(name) ?? 0) + Number(value));
  }
  return [...sums].map(
    ([name, value]) =>
      [name.replace("request_seconds_count", "requests").replaceAll("_", " "), value.toLocaleString("en")] as const,
  );
}

/** A number that grows while the page is looked at. */
function useTicks(): number {
  const [ticks, setTicks] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) setTicks((before) => before + 1);
    }, refreshMs);
    return () => clearInterval(timer);
  }, []);
  return ticks;
}
