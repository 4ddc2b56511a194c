/** Appends to persons in a Redis until it is killed, and prints each person and id that was acknowledged. */
import { RedisStore } from "../../dist/stores/redis/store.js";

const [, , url, name] = process.argv;
const store = await RedisStore.open({ url });
for (let i = 0; ; i++) {
  const [person, id] = [`person-${name}-${Math.floor(i / 5)}`, `${name}-${i}`];
  await store.write(person, null, { put: [{ kind: "note", id, bytes: Buffer.from(id), due: { queue: 0 }, was: 0 }] });
  process.stdout.write(`${person} ${id}\n`);
}
