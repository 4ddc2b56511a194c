/** Lays a graph out on a thread of its own, and shows how it goes. */
import { type LayoutInput, layOut } from "./layout.js";

export interface LayoutMessage {
  readonly positions: Float32Array;
  readonly isFinal: boolean;
}

const showMs = 120;

addEventListener("message", ({ data }: MessageEvent<LayoutInput>) => {
  let shownMs = performance.now();
  let last = new Float32Array();
  for (const positions of layOut(data)) {
    last = positions as Float32Array<ArrayBuffer>;
    if (performance.now() - shownMs < showMs) continue;
    shownMs = performance.now();
    postMessage({ positions: positions.slice(), isFinal: false } satisfies LayoutMessage);
  }
  postMessage({ positions: last, isFinal: true } satisfies LayoutMessage);
});
