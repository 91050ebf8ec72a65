import { expect, test } from "vitest";
import { NameCache } from "#src/gateway/upstream/name-cache.ts";

test("each name is evaluated once, also one without a value", () => {
  let evaluated = 0;
  const names = new NameCache((name) => (evaluated++, name === "a" ? "A" : null));
  for (let i = 0; i < 3; i++) expect([names.of("a"), names.of("b")]).toEqual(["A", null]);
  expect(evaluated).toBe(2);
});

test("a peer that sends ever new or long names takes a bounded room", () => {
  const names = new NameCache((name) => name);
  for (let i = 0; i < 5_000; i++) {
    expect(names.of(`x-${i}`)).toBe(`x-${i}`);
    names.of(`${"y".repeat(100)}${i}`);
  }
  expect(names.size).toBeLessThanOrEqual(1_000);
});
