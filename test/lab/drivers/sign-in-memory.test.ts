import * as fc from "fast-check";
import { expect, test } from "vitest";
import { signInMemory } from "#src/lab/drivers/sign-in-memory.ts";
import { sign } from "#src/gateway/management/http/webhook-sender.node.ts";
import { holds } from "../../runs.ts";
import { ANY_CHARACTER } from "../../any-character.ts";

test("a page signs webhooks as a served gateway does, with any secret", () => {
  const words = fc.string({ unit: ANY_CHARACTER, maxLength: 200 });
  const inBase64 = fc.oneof(
    fc.base64String({ maxLength: 200 }),
    fc.string({ unit: "binary-ascii", maxLength: 40 }),
    fc.string({
      unit: fc.constantFrom("a", "Z", "9", "+", "/", "-", "_", "=", " ", "\n"),
      maxLength: 20,
    }),
  );
  const secret = fc.oneof(
    words,
    inBase64.map((text) => `whsec_${text}`),
  );
  holds(
    fc.property(secret, words, (one, text) => {
      expect(signInMemory(one, text)).toBe(sign(one, text));
    }),
    300,
  );
});
