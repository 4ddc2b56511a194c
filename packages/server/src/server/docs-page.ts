/** The OpenAPI document as a page: made here as plain HTML, without a script and without anything from elsewhere. */

interface Shape {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
}
interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Shape }>>;
  readonly description?: string;
}
interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly parameters: readonly { name: string; in: string; required: boolean; description?: string; schema: Shape }[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}
interface OpenApi {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Shape>> };
}

export const docsStyle = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --link: #0b62c4; }
@media (prefers-color-scheme: dark) { :root { --link: #7db7ff; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; }
code, pre { font-family: ui-monospace, monospace; font-size: 0.9em; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); }
details { border: 1px solid var(--line); border-radius: 6px; margin: 0.5rem 0; padding: 0.4rem 0.8rem; }
summary { cursor: pointer; } summary b { display: inline-block; min-width: 4.5rem; }
table { border-collapse: collapse; width: 100%; margin: 0.5rem 0; }
th, td { text-align: left; vertical-align: top; padding: 0.25rem 0.75rem 0.25rem 0; border-top: 1px solid var(--line); }
td:first-child { white-space: nowrap; } a { color: var(--link); }
p.muted { opacity: 0.75; } div.scroll { overflow-x: auto; } code { overflow-wrap: anywhere; }
h1 small { font-size: 0.55em; font-weight: 400; opacity: 0.75; } nav a { margin-right: 1rem; }
summary:focus-visible, a:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
@media (max-width: 40rem) {
  tbody, tr, td { display: block; } td, td:first-child { border: 0; padding: 0; white-space: normal; }
  tr { border-top: 1px solid var(--line); padding: 0.4rem 0; }
}
`;

export function renderDocsPage(document: object): string {
  const api = document as OpenApi;
  const sections = api.tags.map(({ name, description }) => renderTag(api, name, description)).join("");
  const links = [...api.tags.map(({ name }) => name), "Schemas"]
    .map((name) => `<a href="#all-${text(name.toLowerCase())}">${text(name)}</a>`)
    .join(" ");
  const schemas = Object.entries(api.components.schemas)
    .sort(([x], [y]) => x.localeCompare(y, "en"))
    .map(([name, schema]) => `<h3 id="${text(name)}">${text(name)}</h3>${renderSchema(schema)}`)
    .join("");
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${text(api.info.title)} API</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="stylesheet" href="docs/style.css"></head>
<body><h1>${text(api.info.title)} API <small>${text(api.info.version)}</small></h1><p>${text(api.info.description)}
The same as data: <a href="openapi.json">openapi.json</a>.</p><nav>${links}</nav>${sections}<h2 id="all-schemas">Schemas</h2>${schemas}</body></html>`;
}

function renderTag(api: OpenApi, tag: string, description: string): string {
  const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags.includes(tag))
      .map(([method, operation]) => renderOperation(method, path, operation)),
  );
  return `<h2 id="all-${text(tag.toLowerCase())}">${text(tag)}</h2><p class="muted">${text(description)}</p>${operations.join("")}`;
}

function renderOperation(method: string, path: string, operation: Operation): string {
  const parameters = operation.parameters.map(
    ({ name, in: place, required, description = "", schema }) =>
      `<tr><td><code>${text(name)}</code></td><td>${text(place)}${required ? ", required" : ""}</td><td>${renderType(schema)}</td><td>${text(description)}</td></tr>`,
  );
  const body = operation.requestBody === undefined ? "" : `<p>Body: ${renderContent(operation.requestBody)}</p>`;
  const answers = Object.entries(operation.responses).map(
    ([status, answer]) =>
      `<tr><td><code>${text(status)}</code></td><td>${text(answer.description ?? "")}</td><td>${renderContent(answer)}</td></tr>`,
  );
  return `<details id="${text(operation.operationId)}"><summary><b>${method.toUpperCase()}</b> <code>${text(path)}</code><br>${text(operation.summary)}</summary>
<div class="scroll"><table>${parameters.join("")}</table>${body}<table>${answers.join("")}</table></div></details>`;
}

function renderContent({ content = {} }: Content): string {
  return Object.entries(content)
    .map(([type, { schema }]) => `${renderType(schema)} <code>${text(type)}</code>`)
    .join(", ");
}

function renderSchema(schema: Shape): string {
  const about = schema.description === undefined ? "" : `<p>${text(schema.description)}</p>`;
  if (schema.properties === undefined) return `${about}<p>${renderType(schema)}</p>`;
  const rows = Object.entries(schema.properties).map(
    ([name, property]) =>
      `<tr><td><code>${text(name)}</code></td><td>${renderType(property)}${schema.required?.includes(name) === true ? "" : ", optional"}</td><td>${text(property.description ?? "")}</td></tr>`,
  );
  return `${about}<div class="scroll"><table>${rows.join("")}</table></div>`;
}

function renderType(schema: Shape): string {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split("/").at(-1)!;
    return `<a href="#${text(name)}">${text(name)}</a>`;
  }
  if (schema.anyOf !== undefined) return schema.anyOf.map(renderType).join(" or ");
  if (schema.enum !== undefined) return schema.enum.map((value) => `<code>${text(String(value))}</code>`).join(", ");
  if (schema.const !== undefined) return `<code>${text(String(schema.const))}</code>`;
  if (schema.items !== undefined) return `list of ${renderType(schema.items)}`;
  return text([schema.type ?? "anything"].flat().join(" or "));
}

function text(value: string): string {
  return value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
