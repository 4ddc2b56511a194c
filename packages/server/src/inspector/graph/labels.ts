/** Where a label goes: beside its memory, on no other label or named memory, and over as few others as there is room for. */

/** In pixels of the screen. */
export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export interface LabelWish {
  readonly disc: Box;
  readonly textWidth: number;
  /** It is shown even where there is no room: somebody asked for it. */
  readonly isForced: boolean;
}

export interface LabelGround {
  readonly width: number;
  /** What no label may hide, except one that is forced. */
  readonly taken: readonly Box[];
  /** What it had better not hide. */
  readonly others: readonly Box[];
}

const halfHeight = 8;
const gap = 3;
const margin = 4;

/** Null where there is no room. */
export function placeLabel({ disc, textWidth, isForced }: LabelWish, ground: LabelGround): Box | null {
  const places = placesBeside(disc, textWidth, ground.width);
  const free = places.filter((place) => countHidden(place, ground.taken) === 0);
  if (free.length > 0) return fewestHidden(free, ground.others);
  return isForced ? fewestHidden(places, [...ground.taken, ...ground.others]) : null;
}

/** The first of the best. */
function fewestHidden(places: readonly Box[], others: readonly Box[]): Box {
  const counts = places.map((place) => countHidden(place, others));
  return places[counts.indexOf(Math.min(...counts))]!;
}

function countHidden(place: Box, others: readonly Box[]): number {
  let hidden = 0;
  for (const other of others) if (overlap(place, other)) hidden += 1;
  return hidden;
}

/** To the right, to the left, above, below, and at the corners, as far as there is room; never none. */
function placesBeside(disc: Box, textWidth: number, width: number): Box[] {
  const [x, y] = [(disc.left + disc.right) / 2, (disc.top + disc.bottom) / 2];
  const at = (left: number, middle: number): Box => {
    const shift = Math.max(margin, Math.min(left, width - margin - textWidth));
    return { left: shift, right: shift + textWidth, top: middle - halfHeight, bottom: middle + halfHeight };
  };
  const [right, left, middle] = [disc.right + gap, disc.left - gap - textWidth, x - textWidth / 2];
  const [above, below] = [disc.top - halfHeight, disc.bottom + halfHeight];
  const sides = [at(right, y), at(left, y), at(middle, above), at(middle, below)];
  const corners = [at(right, above), at(right, below), at(left, above), at(left, below)];
  const all = [...sides, ...corners].filter((place) => !overlap(place, disc));
  return all.length === 0 ? [sides[0]!] : all;
}

function overlap(one: Box, other: Box): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}
