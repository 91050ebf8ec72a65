// The tidy rule that finds comparisons of secrets, and the comparisons that it accepts.
import { expect, test } from "vitest";
import { problemsIn } from "./tidy.ts";

const path = "src/gateway/http/a.node.ts";

/** A file of src that has fewer lines is a problem (test/file-lengths.test.ts). */
const EMPTY_LINES = "\n".repeat(15);

test.each([
  "const is = said === secret;",
  "const is = accessSecret() === said;",
  "if (said !== settings.token) return;",
  "if (stored.token == shown) return;",
  "const is = signature === expected;",
  "const is = bodyOf(message) === request.signature;",
  "const is = user.access_key === said;",
  "const is = keys.some((key) => key.password === said);",
  "if (header.startsWith(token)) return;",
  "if (credential.startsWith(known)) return;",
  "if (credentials.admin.secret.localeCompare(said) === 0) return;",
  "if (Buffer.compare(hmac, shown) === 0) return;",
  "const known = tokens.includes(token);",
  "switch (token) {",
  'import { timingSafeEqual } from "node:crypto";',
])("%j compares a secret in a time that depends on it", (line) => {
  expect(problemsIn({ path, text: line + EMPTY_LINES })).toEqual([
    expect.stringContaining(`${path}:1 compares a secret itself`),
  ]);
});

test.each([
  "if (secret === null || token !== undefined || credential === STANDARD) return;",
  'if (password !== "" && /^[!-~]+$/.test(secret)) return;',
  "if (token.kind !== option.name || credential.startsWith(BY_ID)) return;",
  "const name = secretFile === other;",
  "// Never said === secret.",
])("%j compares none", (line) => {
  expect(problemsIn({ path, text: line + EMPTY_LINES })).toEqual([]);
});
