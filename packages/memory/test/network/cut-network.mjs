/**
 * Loaded before everything else (`node --import`) in a process and its children: any attempt to use the network fails and is
 * recorded in a file. The file also has a line for each process and thread that was cut off.
 */
import dgram from "node:dgram";
import dns from "node:dns";
import { appendFileSync } from "node:fs";
import http from "node:http";
import http2 from "node:http2";
import https from "node:https";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import tls from "node:tls";

function note(kind, what) {
  appendFileSync(process.env.NETWORK_NOTES, `${JSON.stringify({ kind, what })}\n`);
}

function refuse(owner, method, name) {
  owner[method] = function refused() {
    note("try", name);
    throw new Error(`the network is cut off, and ${name} was called`);
  };
}

refuse(globalThis, "fetch", "fetch");
refuse(net.Socket.prototype, "connect", "net.Socket.connect");
refuse(dgram, "createSocket", "dgram.createSocket");
refuse(tls, "connect", "tls.connect");
refuse(http2, "connect", "http2.connect");
for (const module of [http, https]) for (const method of ["request", "get"]) refuse(module, method, `http.${method}`);
const lookups = Object.keys(dns).filter((name) => /^(?:lookup|resolve|reverse)/u.test(name));
for (const name of lookups) {
  refuse(dns, name, `dns.${name}`);
  if (name in dns.promises) refuse(dns.promises, name, `dns.promises.${name}`);
}
syncBuiltinESMExports();

note("cut off", process.argv[1] ?? "");
