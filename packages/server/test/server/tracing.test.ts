/** Spans, with the real API and a small provider: one per request, named by its operation, without texts or names. */
import {
  type Attributes,
  type Context,
  type Span,
  type SpanOptions,
  type SpanStatus,
  type TextMapPropagator,
  SpanStatusCode,
  context,
  propagation,
  trace,
} from "@opentelemetry/api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Servers, type Serving } from "./serving.js";

class NotedSpan {
  readonly attributes: Attributes = {};
  status: SpanStatus = { code: SpanStatusCode.UNSET };
  isEnded = false;

  name: string;
  readonly options: SpanOptions;
  readonly parent: unknown;

  constructor(name: string, options: SpanOptions, parent: unknown) {
    this.name = name;
    this.options = options;
    this.parent = parent;
  }

  updateName(name: string): this {
    this.name = name;
    return this;
  }

  setAttributes(attributes: Attributes): this {
    Object.assign(this.attributes, attributes);
    return this;
  }

  setStatus(status: SpanStatus): this {
    this.status = status;
    return this;
  }

  end(): void {
    this.isEnded = true;
  }
}

const parentKey = Symbol("parent");
const spans: NotedSpan[] = [];
const tracer = {
  startSpan(name: string, options: SpanOptions = {}, parent: Context = context.active()): Span {
    const span = new NotedSpan(name, options, parent.getValue(parentKey));
    spans.push(span);
    return span as unknown as Span;
  },
  startActiveSpan(name: string, options: SpanOptions, parent: Context, work: (span: Span) => unknown): unknown {
    return work(tracer.startSpan(name, options, parent));
  },
};
const propagator: TextMapPropagator = {
  inject() {},
  extract: (given, carrier, getter) => given.setValue(parentKey, getter.get(carrier, "traceparent")),
  fields: () => ["traceparent"],
};

const servers = new Servers();
let serving: Serving;

beforeAll(async () => {
  trace.setGlobalTracerProvider({ getTracer: () => tracer as never });
  propagation.setGlobalPropagator(propagator);
  serving = await servers.start();
});

afterAll(() => {
  trace.disable();
  propagation.disable();
});

describe("spans", () => {
  it("are one per request, below the caller's, ended, without what was said", async () => {
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    await fetch(`${serving.url}/v1/persons/zenobia/interactions`, {
      method: "POST",
      headers: { "content-type": "application/json", traceparent },
      body: '{"text":"I own a xylophone."}',
    });
    await fetch(`${serving.url}/v1/persons/zenobia/memories/nothing`);
    await fetch(`${serving.url}/nowhere`);
    expect(
      spans.map(({ name, attributes, isEnded }) => [name, attributes["http.response.status_code"], isEnded]),
    ).toEqual([
      ["commitInteraction", 202, true],
      ["getMemory", 404, true],
      ["unknown", 404, true],
    ]);
    expect(spans[0]!.parent).toBe(traceparent);
    expect(spans[0]!.attributes["http.request.method"]).toBe("POST");
    expect(JSON.stringify(spans)).not.toMatch(/zenobia|xylophone|nothing/u);
  });

  it("say so if the server failed", async () => {
    await serving.mnemosyne.close();
    await fetch(`${serving.url}/ready`);
    expect(spans.at(-1)).toMatchObject({ name: "getReadiness", status: { code: SpanStatusCode.ERROR } });
  });
});
