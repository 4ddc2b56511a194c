/**
 * OpenTelemetry spans, for who has it set up: a span for each request, named by its operation. Without the package, or
 * without a provider that a program registered, nothing is done.
 */
import type { MiddlewareHandler } from "hono";
import type { ServerEnv } from "./server-context.js";

export async function traceRequests(): Promise<MiddlewareHandler<ServerEnv>> {
  const api = await import("@opentelemetry/api").catch(() => null);
  if (api === null) return (_, next) => next();
  const { SpanKind, SpanStatusCode, propagation, context, trace } = api;
  return async (c, next) => {
    const tracer = trace.getTracer("mnemosyne-edge");
    const parent = propagation.extract(context.active(), Object.fromEntries(c.req.raw.headers));
    return tracer.startActiveSpan(c.req.method, { kind: SpanKind.SERVER }, parent, async (span) => {
      await next();
      span.updateName(c.var.operation ?? "unknown");
      span.setAttributes({ "http.request.method": c.req.method, "http.response.status_code": c.res.status });
      if (c.res.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    });
  };
}
