/**
 * Somebody without a mouse: Tab, arrows, Enter, Space, Escape and letters, and what is focused after each. A walk visits
 * everything that Tab reaches and says what is wrong on the way.
 */
import type { BrowserContextOptions, CDPSession, Page } from "playwright-core";
import type { Visits } from "./inspector-server.js";

/** More presses than any view has controls; whoever needs them is caught in a trap. */
const pressCountMax = 600;
/** A field for a date has parts, which Tab visits one by one. */
const partCountMax = 7;
/** Presses in a row, or in all, that end outside of the page. */
const outsideCountMax = 4;
const ringContrastMin = 3;
const ringWidthMin = 2;

export interface Focused {
  /** The same for the same element, while the page is not loaded again; 0 for none. */
  readonly number: number;
  readonly tag: string;
  readonly hasParts: boolean;
  readonly role: string;
  readonly name: string;
}

export interface Walk {
  readonly visited: readonly Focused[];
  /** In words, one for each thing that is wrong. */
  readonly faults: readonly string[];
}

/**
 * Runs in the page before its own scripts: remembers what listens to a press, so that a control is known by what it does
 * and not by its tag, and counts presses of a pointer.
 */
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
  globalThis.watch = { pressed, numberOf, pointerCount: 0 };
  add.call(document, "pointerdown", () => void (watch.pointerCount += 1), true);
}`;

/** What is focused, and how it looks; a string, because it is sent to the page. */
const describeFocused = `(() => {
  const element = document.activeElement;
  if (element === null || element === document.body || element === document.documentElement) return null;
  const style = getComputedStyle(element);
  const { x, y, width, height } = element.getBoundingClientRect();
  let behind = element;
  const isClear = (colour) => colour === "transparent" || /(?:, |\\/ )0\\)$/u.test(colour);
  // The ring is outside of the element, so what is behind it begins with its parent.
  do behind = behind.parentElement; while (behind !== null && isClear(getComputedStyle(behind).backgroundColor));
  return {
    number: watch.numberOf(element), tag: element.tagName.toLowerCase(),
    hasParts: /^(?:date|time|datetime-local|month|week)$/u.test(element.type ?? ""),
    ring: style.outlineStyle === "none" || style.outlineStyle === "hidden" ? 0 : parseFloat(style.outlineWidth),
    colour: style.outlineColor, background: behind === null ? "rgb(255, 255, 255)" : getComputedStyle(behind).backgroundColor,
    box: { x, y, width, height },
  };
})()`;

/**
 * Everything in sight that can be pressed, moved or typed into, with its number and a word about it. Curves are pictures,
 * whatever listens inside them.
 */
const listControls = `(() => {
  const inside = document.querySelector("dialog[open]") ?? document;
  const usual = "a[href], button, input:not([type=hidden]), select, textarea, summary, [contenteditable], [tabindex='0'], [role=button], [role=link], [role=slider], [role=checkbox], [role=tab], [role=menuitem], [role=option], [role=switch]";
  const all = [...inside.querySelectorAll("*")].filter((each) => each.matches(usual) || (watch.pressed.has(each) && each.closest(".uplot") === null));
  return all
    .filter((each) => !each.disabled && each.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && each.getClientRects().length > 0)
    .map((each) => ({ number: watch.numberOf(each), word: each.outerHTML.slice(0, 120) }));
})()`;

interface Looks extends Omit<Focused, "role" | "name"> {
  readonly ring: number;
  readonly colour: string;
  readonly background: string;
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
}

export class KeyboardUser {
  readonly page: Page;
  readonly #session: CDPSession;

  private constructor(page: Page, session: CDPSession) {
    this.page = page;
    this.#session = session;
  }

  static async at(visits: Visits, address: string, options: BrowserContextOptions = {}): Promise<KeyboardUser> {
    const page = await visits.open(address, options, async (empty) => {
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

  async focused(): Promise<Focused | null> {
    const looks = await this.page.evaluate<Looks | null>(describeFocused);
    return looks === null ? null : this.#named(looks);
  }

  /** Presses Tab until something with this name has the focus; says what was there if nothing has. */
  async tabTo(name: RegExp, { back = false }: { readonly back?: boolean } = {}): Promise<Focused> {
    const passed: string[] = [];
    let outsideCount = 0;
    for (let i = 0; i < pressCountMax && outsideCount < outsideCountMax; i++) {
      await this.press(back ? "Shift+Tab" : "Tab");
      const focused = await this.focused();
      if (focused === null) outsideCount += 1;
      else if (name.test(focused.name)) return focused;
      else passed.push(focused.name);
    }
    throw new Error(`Tab does not reach ${name.source}, but ${[...new Set(passed)].join(" | ")}`);
  }

  /** Presses of a pointer since the page was opened. */
  pointerCount(): Promise<number> {
    return this.page.evaluate("watch.pointerCount");
  }

  /** With Tab from the beginning to the end, then back again. In an open dialog it goes round once. */
  async walk(): Promise<Walk> {
    const controls = await this.page.evaluate<{ number: number; word: string }[]>(listControls);
    const { visited, faults } = await this.#walkOneWay("Tab", true);
    const numbers = new Set(visited.map(({ number }) => number));
    for (const { number, word } of controls) if (!numbers.has(number)) faults.push(`not reached: ${word}`);
    const back = await this.#walkOneWay("Shift+Tab", false);
    const backNumbers = new Set(back.visited.map(({ number }) => number));
    for (const { number, name } of visited) {
      if (!backNumbers.has(number)) faults.push(`not reached backwards: ${name}`);
    }
    return { visited, faults: [...faults, ...back.faults] };
  }

  async #walkOneWay(key: string, isLooking: boolean): Promise<{ visited: Focused[]; faults: string[] }> {
    const [visited, faults]: [Focused[], string[]] = [[], []];
    const seen = new Set<number>();
    let partCount = 0;
    let outsideCount = 0;
    for (let i = 0; i < pressCountMax; i++) {
      await this.press(key);
      const looks = await this.page.evaluate<Looks | null>(describeFocused);
      // Out of the page, into the browser's own controls, from where it begins again.
      if (looks === null) {
        outsideCount += 1;
        if (outsideCount > outsideCountMax) return { visited, faults: [...faults, `${key} stays outside`] };
        continue;
      }
      const before = visited.at(-1);
      if (before?.number === looks.number) {
        partCount += 1;
        if (looks.hasParts && partCount <= partCountMax) continue;
        return { visited, faults: [...faults, `${key} does not leave ${before.name || before.tag}`] };
      }
      partCount = 0;
      if (seen.has(looks.number)) {
        // Round once; anywhere but at the beginning it is a trap.
        if (looks.number !== visited[0]!.number) faults.push(`${key} goes round in a part`);
        return { visited, faults };
      }
      seen.add(looks.number);
      const focused = await this.#named(looks);
      visited.push(focused);
      if (isLooking) faults.push(...(await this.#faultsOf(focused, looks)));
    }
    return { visited, faults: [...faults, `${key} does not come to an end`] };
  }

  async #faultsOf({ name, role, tag }: Focused, looks: Looks): Promise<string[]> {
    const word = `${tag} "${name}"`;
    const faults: string[] = [];
    if (name.trim() === "") faults.push(`no name: ${role} ${await this.page.evaluate(markup)}`);
    if (/^(?:generic|none|)$/u.test(role)) faults.push(`no role: ${word}`);
    if (looks.ring < ringWidthMin) return [...faults, `no ring: ${word}`];
    const contrast = contrastOf(looks.colour, looks.background);
    if (contrast < ringContrastMin) faults.push(`ring of contrast ${contrast.toFixed(1)}: ${word}`);
    if (!(await this.#isRingSeen(looks.box))) faults.push(`ring is not seen: ${word}`);
    return faults;
  }

  /** Whether the picture is another one without the ring. */
  async #isRingSeen({ x, y, width, height }: Looks["box"]): Promise<boolean> {
    const { width: right, height: bottom } = this.page.viewportSize()!;
    const [left, top] = [Math.max(0, x - 6), Math.max(0, y - 6)];
    const clip = {
      x: left,
      y: top,
      width: Math.min(right, x + width + 6) - left,
      height: Math.min(bottom, y + height + 6) - top,
    };
    if (clip.width <= 0 || clip.height <= 0) return false;
    const look = (): Promise<Buffer> => this.page.screenshot({ clip, animations: "disabled" });
    const ringed = await look();
    await this.page.evaluate(`document.activeElement.style.outline = "none"`);
    const bare = await look();
    await this.page.evaluate(`document.activeElement.style.outline = ""`);
    return !ringed.equals(bare);
  }

  /** Name and role as the browser tells them to a screen reader. */
  async #named({ number, tag, hasParts }: Looks): Promise<Focused> {
    const { result } = await this.#session.send("Runtime.evaluate", { expression: "document.activeElement" });
    const { nodes } = await this.#session.send("Accessibility.getPartialAXTree", {
      objectId: result.objectId!,
      fetchRelatives: false,
    });
    const [node] = nodes;
    return { number, tag, hasParts, role: String(node?.role?.value ?? ""), name: String(node?.name?.value ?? "") };
  }
}

const markup = `document.activeElement.outerHTML.slice(0, 120)`;

/** As WCAG has it, of two colours as a computed style writes them. */
function contrastOf(one: string, other: string): number {
  const [x, y] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => b - a) as [number, number];
  return (x + 0.05) / (y + 0.05);
}

function luminanceOf(colour: string): number {
  const parts = (colour.match(/[\d.]+/gu) ?? []).slice(0, 3).map((part) => {
    const share = Number(part) / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * parts[0]! + 0.7152 * parts[1]! + 0.0722 * parts[2]!;
}
