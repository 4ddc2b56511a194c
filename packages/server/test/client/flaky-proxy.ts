/** A loopback proxy that lets requests through and, when it is told to, cuts the connection before the answer comes back. */
import { type AddressInfo, type Socket, connect, createServer } from "node:net";

export interface FlakyProxy {
  readonly url: string;
  /** How many requests reached the server, and how many answers were withheld. */
  readonly counts: { passed: number; cut: number };
  /** The next so many answers are withheld. */
  cut(count: number): void;
  close(): Promise<void>;
}

export async function startFlakyProxy(target: string): Promise<FlakyProxy> {
  const { port: targetPort } = new URL(target);
  const counts = { passed: 0, cut: 0 };
  const sockets = new Set<Socket>();
  let cutsLeft = 0;
  const server = createServer((near) => {
    const far = connect(Number(targetPort), "127.0.0.1");
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.on("data", (bytes) => {
      if (/^(?:GET|POST|PUT|PATCH|DELETE) /u.test(bytes.subarray(0, 7).toString("latin1"))) counts.passed++;
      far.write(bytes);
    });
    far.on("data", (bytes) => {
      // The first bytes of the answer: by then the server has done what it was asked to.
      if (cutsLeft > 0) {
        cutsLeft--;
        counts.cut++;
        near.destroy();
        return;
      }
      near.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    counts,
    cut: (count) => {
      cutsLeft = count;
    },
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
