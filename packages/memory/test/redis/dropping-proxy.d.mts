export * from "../stores/dropping-proxy.mjs";
