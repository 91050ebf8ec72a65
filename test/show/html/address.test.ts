import { expect, test } from "vitest";
import { addressOf, hashOf, isNamed, NOWHERE } from "#src/show/html/address.ts";
import { NOTHING_SOUGHT } from "#src/show/html/find.ts";

test.each([
  ["", NOWHERE],
  ["#", NOWHERE],
  ["#s-limits_first", { ...NOWHERE, anchor: "s-limits_first" }],
  [
    "#s-a?variant=paths%3D%7B%22%2F%26%3F%23%22%7D&line=23",
    { ...NOWHERE, anchor: "s-a", variant: `paths={"/&?#"}`, line: 23 },
  ],
  ["#s-a?variant=&refusal=0", { ...NOWHERE, anchor: "s-a", variant: "", refusal: 0 }],
  [
    "#?text=two%20words&outcome=fail&scheme=dark",
    {
      ...NOWHERE,
      sought: { ...NOTHING_SOUGHT, text: "two words", outcome: "fail" },
      scheme: "dark",
    },
  ],
] as const)("%s is decoded, and encoded the same", (hash, address) => {
  expect(addressOf(hash)).toEqual(address);
  expect(addressOf(hashOf(address))).toEqual(address);
});

test.each(["#a?line=-1&refusal=x&scheme=pink", "#a?line=1e3&line", "#a?unknown=1"])(
  "%s leads to a place without further parts",
  (hash) => {
    expect(addressOf(hash)).toEqual({ ...NOWHERE, anchor: "a" });
  },
);

test("text that was never encoded is taken literally", () => {
  expect(addressOf("#a?variant=100%").variant).toBe("100%");
  expect(addressOf("#?text=a+b").sought.text).toBe("a b");
});

test("half of a pair of surrogates is led to, and keeps nothing else from its address", () => {
  const [half, other] = ["\uD800 b", "b"];
  const led = addressOf(hashOf({ ...NOWHERE, anchor: "s-a", variant: half }));
  expect(led.anchor).toBe("s-a");
  expect([half, other].map((name) => isNamed(name, led))).toEqual([true, false]);
});
