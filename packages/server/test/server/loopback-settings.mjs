/** Settings of a server on this machine, for tests and the processes that they start; each adds its limits. */
export const loopback = {
  host: "127.0.0.1",
  port: 0,
  allowedHosts: [],
  allowedOrigins: [],
  trustsProxy: false,
  upstream: null,
};
