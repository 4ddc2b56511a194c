/** Something that plays by itself, step after step, until its end; played again, it begins at its beginning. */
import { useEffect, useState } from "preact/hooks";

export interface Played {
  readonly isAtEnd: boolean;
  readonly stepMs: number;
  readonly step: () => void;
  readonly rewind: () => void;
}

export function usePlaying({ isAtEnd, stepMs, step, rewind }: Played, place: number): [boolean, () => void] {
  const [isPlaying, setPlaying] = useState(false);
  useEffect(() => {
    if (!isPlaying) return undefined;
    if (isAtEnd) {
      setPlaying(false);
      return undefined;
    }
    const timer = setTimeout(step, stepMs);
    return () => clearTimeout(timer);
  }, [isPlaying, place]);
  const toggle = (): void => {
    if (!isPlaying && isAtEnd) rewind();
    setPlaying(!isPlaying);
  };
  return [isPlaying, toggle];
}
