/** What a program saw of a client, as one JSON object: what it got, or what it was thrown. */
const seen = {};

export async function see(name, work) {
  try {
    seen[name] = await work();
  } catch (error) {
    const { status = null, code = null, message } = error;
    seen[name] = { threw: error.constructor.name, status, code, message };
  }
}

export async function collect(stream) {
  const all = [];
  for await (const each of stream) all.push(each);
  return all;
}

export function printSeen() {
  process.stdout.write(JSON.stringify(seen));
}
