/** All routes of REST. */
import { conversationRoutes } from "./conversation-routes.js";
import { interactionRoutes } from "./interaction-routes.js";
import { memoryRoutes } from "./memory-routes.js";
import { personRoutes } from "./person-routes.js";
import { recallRoutes } from "./recall-routes.js";
import type { Route } from "./route.js";
import { serviceRoutes } from "./service-routes.js";

export const restRoutes: readonly Route[] = [
  ...interactionRoutes,
  ...recallRoutes,
  ...memoryRoutes,
  ...conversationRoutes,
  ...personRoutes,
  ...serviceRoutes,
];
