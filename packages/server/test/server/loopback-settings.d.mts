import type { ServerSettings } from "../../src/server/server-context.js";

export declare const loopback: Omit<ServerSettings, "limits">;
