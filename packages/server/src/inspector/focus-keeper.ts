/**
 * Nobody loses their place: where what has the focus goes away, its nearest surroundings that are still there get it, and
 * where the whole page is another one, as after signing in, its content. The browser would begin again at the top, and a
 * screen reader say nothing.
 */
const surroundings = "li, details, form, section, dialog, main";

export function keepFocus(root: HTMLElement): void {
  let path: readonly Element[] = [];
  root.addEventListener("focusin", ({ target }) => {
    path = ancestorsOf(target as Element);
  });
  const mend = (): void => {
    const [last] = path;
    if (last === undefined || last.isConnected || document.activeElement !== document.body) return;
    const near = path.find((each) => each.isConnected && each.matches(surroundings)) ?? root.querySelector("main");
    if (near instanceof HTMLElement) focusBriefly(near);
  };
  new MutationObserver(mend).observe(root, { childList: true, subtree: true });
}

function ancestorsOf(element: Element): Element[] {
  const found: Element[] = [];
  for (let each: Element | null = element; each !== null; each = each.parentElement) found.push(each);
  return found;
}

/** Tab goes on from there, but does not come back to it. */
function focusBriefly(element: HTMLElement): void {
  if (!element.hasAttribute("tabindex")) {
    element.tabIndex = -1;
    element.addEventListener("blur", () => element.removeAttribute("tabindex"), { once: true });
  }
  element.focus({ preventScroll: true });
}
