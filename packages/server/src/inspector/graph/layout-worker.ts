/** Lays a graph out on a thread of its own, and shows how it goes. */
import { type LayoutInput, layOut, spread } from "./layout.js";

export interface LayoutRequest extends LayoutInput {
  /** How large each memory is drawn. */
  readonly radii: Float32Array;
}

export interface LayoutMessage {
  readonly positions: Float32Array;
  readonly isFinal: boolean;
}

const showMs = 120;

addEventListener("message", ({ data }: MessageEvent<LayoutRequest>) => {
  let shownMs = performance.now();
  let last: Float32Array = new Float32Array();
  for (const positions of layOut(data)) {
    last = positions;
    if (performance.now() - shownMs < showMs) continue;
    shownMs = performance.now();
    postMessage({ positions: spread(positions, data.radii), isFinal: false } satisfies LayoutMessage);
  }
  postMessage({ positions: spread(last, data.radii), isFinal: true } satisfies LayoutMessage);
});
