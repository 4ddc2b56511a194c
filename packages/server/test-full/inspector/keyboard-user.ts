/**
 * Somebody without a mouse: keys, and what is focused after each. A walk visits everything that Tab reaches and says what
 * is wrong on the way.
 */
import type { CDPSession, Page } from "playwright-core";
import type { Visits } from "../../test/inspector/inspector-server.js";

/** More presses than any view has controls. */
const pressCountMax = 600;
/** A field for a date has parts, which Tab visits one by one. */
const partCountMax = 7;
const ringWidthMin = 2;

export interface Focused {
  /** The same for the same element, while the page is not loaded again. */
  readonly number: number;
  readonly name: string;
}

/** Runs in the page before its own scripts: a control is known by what listens to a press, not by its tag. */
const watchPresses = `{
  const pressed = new WeakSet();
  const numbers = new WeakMap();
  let lastNumber = 0;
  const add = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function (name, ...rest) {
    if (/^(?:click|mousedown|pointerdown)$/u.test(name)) pressed.add(this);
    return add.call(this, name, ...rest);
  };
  const numberOf = (element) => {
    if (!numbers.has(element)) numbers.set(element, ++lastNumber);
    return numbers.get(element);
  };
  globalThis.watch = { pressed, numberOf };
}`;

const describeFocused = `(() => {
  const element = document.activeElement;
  if (element === null || element === document.body || element === document.documentElement) return null;
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  return {
    number: watch.numberOf(element), markup: element.outerHTML.slice(0, 120),
    hasParts: /^(?:date|datetime-local)$/u.test(element.type ?? ""),
    ring: outlineStyle === "none" ? 0 : parseFloat(outlineWidth),
  };
})()`;

/** Everything in sight that can be pressed, moved or typed into, with its number. */
const listControls = `(() => {
  const inside = document.querySelector("dialog[open]") ?? document;
  const usual = "a[href], button, input, select, textarea, summary, [tabindex='0'], [role=button]";
  return [...inside.querySelectorAll("*")]
    .filter((each) => each.matches(usual) || watch.pressed.has(each))
    .filter((each) => !each.disabled && each.checkVisibility({ visibilityProperty: true }) && each.getClientRects().length > 0)
    .map((each) => ({ number: watch.numberOf(each), markup: each.outerHTML.slice(0, 120) }));
})()`;

interface Looks {
  readonly number: number;
  readonly markup: string;
  readonly hasParts: boolean;
  readonly ring: number;
}

export class KeyboardUser {
  readonly page: Page;
  readonly #session: CDPSession;

  private constructor(page: Page, session: CDPSession) {
    this.page = page;
    this.#session = session;
  }

  static async at(visits: Visits, address: string, width = 1_280): Promise<KeyboardUser> {
    const page = await visits.open(address, { viewport: { width, height: 800 } }, async (empty) => {
      await empty.addInitScript(watchPresses);
    });
    return new KeyboardUser(page, await page.context().newCDPSession(page));
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.press("ControlOrMeta+a");
    await this.page.keyboard.type(text);
  }

  /** Null where the focus is lost. */
  async focusedName(): Promise<string | null> {
    return (await this.page.evaluate<Looks | null>(describeFocused)) === null ? null : this.#name();
  }

  /** Goes to a control with Tab and presses a key on it. */
  async use(name: RegExp, key = "Enter", way = "Tab"): Promise<void> {
    const passed = new Set<string>();
    for (let i = 0; i < pressCountMax; i++) {
      await this.press(way);
      const focused = (await this.focusedName()) ?? "";
      if (name.test(focused)) return key === "" ? undefined : this.press(key);
      passed.add(focused);
    }
    throw new Error(`Tab does not reach ${name.source}, but ${[...passed].join(" | ")}`);
  }

  /** Round once; in words, one for each thing that is wrong. */
  async walk(): Promise<{ readonly visited: readonly Focused[]; readonly faults: readonly string[] }> {
    const controls = await this.page.evaluate<{ number: number; markup: string }[]>(listControls);
    const [visited, faults]: [Focused[], string[]] = [[], []];
    const seen = new Set<number>();
    let [partCount, last] = [0, 0];
    for (let i = 0; i < pressCountMax; i++) {
      await this.press("Tab");
      const looks = await this.page.evaluate<Looks | null>(describeFocused);
      // Out of the page, into the browser's own controls, from where it begins again.
      if (looks === null) continue;
      partCount = looks.number === last ? partCount + 1 : 0;
      if (looks.number === last && looks.hasParts && partCount <= partCountMax) continue;
      last = looks.number;
      if (seen.has(last)) {
        // Anywhere but at the beginning it is a trap.
        if (last !== visited[0]!.number) faults.push(`Tab is trapped at ${looks.markup}`);
        break;
      }
      seen.add(last);
      const name = await this.#name();
      visited.push({ number: last, name });
      if (name.trim() === "") faults.push(`no name: ${looks.markup}`);
      if (looks.ring < ringWidthMin) faults.push(`no ring: ${looks.markup}`);
    }
    faults.push(...controls.flatMap(({ number, markup }) => (seen.has(number) ? [] : `not reached: ${markup}`)));
    return { visited, faults };
  }

  /** As the browser tells it to a screen reader. */
  async #name(): Promise<string> {
    const { result } = await this.#session.send("Runtime.evaluate", { expression: "document.activeElement" });
    const query = { objectId: result.objectId!, fetchRelatives: false };
    const { nodes } = await this.#session.send("Accessibility.getPartialAXTree", query);
    return String(nodes[0]?.name?.value ?? "");
  }
}
