import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { pageText } from "#src/show/page/page-text.node.ts";

test("the page allows its own script and look, each by its hash, and nothing else", async () => {
  const page = await pageText(null, []);
  const one = (pattern: RegExp): string => {
    const found = [...page.matchAll(pattern)].map((match) => match[1]!);
    expect(found).toHaveLength(1);
    return found[0]!;
  };
  const hash = (text: string): string =>
    `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  const policy = one(/<meta http-equiv="Content-Security-Policy" content="([^"]*)">/g);
  expect(Object.fromEntries(policy.split("; ").map((each) => each.split(/ (.*)/)))).toEqual({
    "default-src": "'none'",
    "script-src": hash(one(/<script type="module">([^]*?)<\/script>/g)),
    "style-src": hash(one(/<style>([^]*?)<\/style>/g)),
    "style-src-attr": "'unsafe-inline'",
    "img-src": "data:",
    "base-uri": "'none'",
    "form-action": "'none'",
  });
});
