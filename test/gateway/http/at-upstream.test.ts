import { expect, test } from "vitest";
import { enter, leave, type ListEntry } from "../../../src/gateway/http/at-upstream.ts";

interface Named extends ListEntry {
  readonly name: string;
}
const named = (name: string): Named => ({ name, place: -1 });

test("who leaves is gone, whoever else stays, and in whatever order", () => {
  const all = ["a", "b", "c", "d"].map(named);
  const [a, b, c, d] = all as [Named, Named, Named, Named];
  const list: Named[] = [];
  for (const one of all) enter(list, one);
  const left = (one: Named): string => {
    leave(list, one);
    return list.map(({ name }) => name).join("");
  };
  expect([left(b), left(d), left(d), left(c), left(a), left(a)]).toEqual([
    "adc",
    "ac",
    "ac",
    "a",
    "",
    "",
  ]);
  enter(list, b);
  expect(list).toEqual([b]);
  expect(list.every((one, place) => one.place === place)).toBe(true);
});
