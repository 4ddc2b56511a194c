/** A way to a Redis on which answers get lost: it passes everything on, and on request cuts the connection instead of an answer. */
import { once } from "node:events";
import { connect, createServer } from "node:net";

export class DroppingProxy {
  /** Answers to lose from now on; the connection is cut with each. */
  dropCount = 0;
  #passCount = 0;
  #server;

  static async start(targetPort) {
    const proxy = new DroppingProxy(targetPort);
    await once(proxy.#server, "listening");
    return proxy;
  }

  constructor(targetPort) {
    this.#server = createServer((caller) => {
      const target = connect(targetPort, "127.0.0.1");
      caller.on("data", (bytes) => target.write(bytes));
      target.on("data", (answer) => {
        if (this.dropCount === 0 || this.#passCount-- > 0) return void caller.write(answer);
        this.dropCount--;
        caller.destroy();
      });
      for (const [end, other] of [
        [caller, target],
        [target, caller],
      ]) {
        end.on("error", () => {});
        end.on("close", () => other.destroy());
      }
    }).listen(0, "127.0.0.1");
  }

  get url() {
    return `redis://127.0.0.1:${this.#server.address().port}`;
  }

  /** Loses one answer, after having passed on some. */
  dropAfter(passCount) {
    this.#passCount = passCount;
    this.dropCount = 1;
  }

  stop() {
    this.#server.close();
  }
}
