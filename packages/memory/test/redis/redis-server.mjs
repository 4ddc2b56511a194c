export * from "../stores/redis-server.mjs";
