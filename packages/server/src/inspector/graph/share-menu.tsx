/** Saves the graph as it is seen now as a picture. */
import { useEffect, useRef, useState } from "preact/hooks";
import { saveFile } from "../parts/save-file.js";
import { place } from "../place.js";
import { toPng, toSvg } from "./picture.js";
import type { Palette, Scene } from "./scene.js";

export function ShareMenu({ scene, palette }: { readonly scene: Scene; readonly palette: Palette }) {
  const [hasTexts, setTexts] = useState(false);
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => closeWhenLeft(menu.current!), []);
  const name = `memory-${place.value.view}`;
  return (
    <details class="share" ref={menu} onKeyDown={closeOnEscape}>
      <summary title="Save as a picture">Picture</summary>
      <div class="popover">
        <label>
          <input type="checkbox" checked={hasTexts} onChange={(event) => setTexts(event.currentTarget.checked)} /> with
          texts
        </label>
        <button
          type="button"
          onClick={() =>
            saveFile(`${name}.svg`, new Blob([toSvg(scene, palette, hasTexts)], { type: "image/svg+xml" }))
          }
        >
          SVG
        </button>
        <button type="button" onClick={async () => saveFile(`${name}.png`, await toPng(scene, palette, hasTexts))}>
          PNG
        </button>
      </div>
    </details>
  );
}

/** By the pointer, or because a dialog took the focus: it does not stay open behind what comes next. */
function closeWhenLeft(menu: HTMLDetailsElement): () => void {
  const leave = ({ type, target }: Event): void => {
    if (!(target instanceof Element) || menu.contains(target)) return;
    if (type === "pointerdown" || target.closest("dialog") !== null) menu.open = false;
  };
  document.addEventListener("pointerdown", leave);
  document.addEventListener("focusin", leave);
  return () => {
    document.removeEventListener("pointerdown", leave);
    document.removeEventListener("focusin", leave);
  };
}

function closeOnEscape(event: KeyboardEvent & { readonly currentTarget: HTMLDetailsElement }): void {
  if (event.key !== "Escape") return;
  event.currentTarget.open = false;
  event.currentTarget.querySelector("summary")?.focus();
}
