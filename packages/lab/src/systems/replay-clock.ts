/** The clock of a memory whose time is replayed. */
import type { Clock } from "mnemosyne-edge";

/** Shows the moment that is being replayed. */
export class ReplayClock implements Clock {
  ms = 0;

  nowMs(): number {
    return this.ms;
  }
}
