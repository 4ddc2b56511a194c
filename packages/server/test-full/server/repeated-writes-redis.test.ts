/**
 * Two servers on one Redis, with one folder of answers: the one that is sent a write is killed in the middle of it, and the
 * write is sent again to the other, which has been running all the time. It is done exactly once.
 */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ScratchFolder } from "../../../memory/test/durability/scratch-folder.js";
import { RedisServer, hasRedis } from "../../../memory/test/redis/redis-server.mjs";
import { Caller } from "../../test/server/rest/http.js";
import { ServedProcess } from "../../test/server/served-process.mjs";
import { Told, prepareWrite, writes } from "../../test/server/writes.js";

const script = fileURLToPath(new URL("../../test/server/dying-server.mjs", import.meta.url));

describe.skipIf(!hasRedis)("a write that is repeated at the other server", () => {
  const scratch = new ScratchFolder();
  const [answers, dying] = [scratch.next(".answers"), scratch.next(".die")];
  let redis: RedisServer;
  let [mortal, other]: ServedProcess[] = [];
  let [toMortal, toOther]: Caller[] = [];

  beforeAll(async () => {
    redis = await RedisServer.start();
    const shared = { path: redis.url, script, answers };
    mortal = await ServedProcess.start({ ...shared, dying });
    other = await ServedProcess.start(shared);
    [toMortal, toOther] = [mortal, other].map(({ port }) => new Caller(`http://127.0.0.1:${port}`));
  });
  afterAll(async () => {
    await mortal?.kill();
    await other?.kill();
    await redis?.stop();
  });

  describe.each(writes)("$operationId", (write) => {
    it.each(["before", "after"])("is done once where the first died %s it", async (moment) => {
      const told = new Told(toOther!, `${write.operationId}-${moment}`);
      const send = await prepareWrite(write, told);
      writeFileSync(dying, `${moment} ${write.dies}`);
      await expect(send(toMortal!)).rejects.toThrow();
      const repeated = await send(toOther!);
      expect({ status: repeated.status, text: repeated.text }).toMatchObject({
        status: expect.toSatisfy((s: number) => s < 300),
      });
      expect(await write.isSo(told)).toEqual(write.expected);
      await mortal!.kill();
      await mortal!.restart();
      // Whoever asks again, wherever, gets that answer.
      for (const http of [toMortal!, toOther!]) expect((await send(http)).text).toBe(repeated.text);
      expect(await write.isSo(told)).toEqual(write.expected);
    });
  });
});
