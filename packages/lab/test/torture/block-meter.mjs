/** How long the event loop was blocked: the longest gap between two ticks of a timer, and the CPU time the process took in it. */
import { setTimeout as delay } from "node:timers/promises";

const tickMs = 2;
const idleMs = 250;

export class BlockMeter {
  longest = { ms: 0, cpuMs: 0, what: "nothing" };
  /** Less of it is the machine's doing: the most CPU time within a gap, of all threads. */
  busiestMs = 0;
  noiseMs = 0;

  /** What the machine alone does to an idle loop. */
  async measureNoise() {
    const idle = new BlockMeter();
    await idle.measure("idle", () => delay(idleMs));
    this.noiseMs = idle.longest.ms;
  }

  async measure(what, work) {
    let [last, lastCpu] = [performance.now(), process.cpuUsage()];
    const take = () => {
      const ms = performance.now() - last - tickMs;
      const { user, system } = process.cpuUsage(lastCpu);
      const cpuMs = (user + system) / 1000;
      if (ms > this.longest.ms) this.longest = { ms, cpuMs, what };
      this.busiestMs = Math.max(this.busiestMs, Math.min(ms, cpuMs));
      [last, lastCpu] = [performance.now(), process.cpuUsage()];
    };
    const timer = setInterval(take, tickMs);
    try {
      return await work();
    } finally {
      clearInterval(timer);
      take();
    }
  }

  get block() {
    return { ...this.longest, busiestMs: this.busiestMs, noiseMs: this.noiseMs };
  }
}
