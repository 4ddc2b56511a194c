/** The inspector's files as the server sends them: small, of its own making, and only they. */
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { loadInspector } from "../../src/server/inspector-files.js";
import type { ServerEnv } from "../../src/server/server-context.js";
import { root } from "../../../../test/docs/project-files.js";
import { ScratchFolder } from "../../../memory/test/durability/scratch-folder.js";

const built = `${root}packages/server/dist/inspector/`;
const folder = new ScratchFolder();

function appOf(path?: string): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  loadInspector(path).mount(app);
  return app;
}

describe("the built page", () => {
  const files = readdirSync(built, { recursive: true, encoding: "utf8" }).filter((name) => /^[^.].*\.\w+$/u.test(name));

  it("is at most 100 kB compressed", () => {
    expect(files.length).toBeGreaterThan(3);
    const bytes = files.reduce((sum, name) => sum + gzipSync(readFileSync(built + name)).length, 0);
    expect(bytes).toBeLessThan(100_000);
    expect(bytes).toBeGreaterThan(10_000);
  });

  it("has nothing inline, evaluates nothing, and names no other host", () => {
    const html = readFileSync(`${built}index.html`, "utf8");
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/u);
    for (const name of files.filter((each) => /\.(?:js|css|html)$/u.test(each))) {
      const text = readFileSync(built + name, "utf8").replaceAll("http://www.w3.org/", "");
      expect(text, name).not.toMatch(/\beval\(|new Function\(|(?:src|href)="https?:/u);
    }
  });
});

describe("the server", () => {
  it("sends the page with a policy of its own", async () => {
    const page = await appOf().request("/");
    expect(page.status).toBe(200);
    const policy = page.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).not.toContain("unsafe");
  });

  it("sends nothing but the files that were built", async () => {
    const place = folder.next("");
    mkdirSync(join(place, "inspector", "assets"), { recursive: true });
    writeFileSync(join(place, "secret.js"), "secret");
    writeFileSync(join(place, "inspector", "index.html"), "<p>page</p>");
    writeFileSync(join(place, "inspector", ".stamp"), "stamp");
    const app = appOf(join(place, "inspector"));
    expect((await app.request("/index.html")).status).toBe(200);
    const tricks = ["/../secret.js", "/%2e%2e/secret.js", "/..%2fsecret.js", "/.stamp", "/assets/", "//secret.js"];
    const answers = await Promise.all(tricks.map((path) => app.request(`http://localhost${path}`)));
    expect(answers.map(({ status }) => status)).toEqual(tricks.map(() => 404));
  });

  it("works without a built page", () => {
    expect(loadInspector(join(folder.next(""), "nothing")).paths).toEqual([]);
  });
});
