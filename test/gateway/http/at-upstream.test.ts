import { expect, test } from "vitest";
import { enter, leave, type ListEntry } from "#src/gateway/http/at-upstream.ts";

interface Named extends ListEntry {
  readonly name: string;
}
const entryOf = (name: string): Named => ({ name, place: -1 });

test("an entry that leaves is gone and all others stay, in any order", () => {
  const all = ["a", "b", "c", "d"].map(entryOf);
  const [a, b, c, d] = all as [Named, Named, Named, Named];
  const list: Named[] = [];
  for (const one of all) enter(list, one);
  const leaveList = (one: Named): string => {
    leave(list, one);
    return list.map(({ name }) => name).join("");
  };
  expect([
    leaveList(b),
    leaveList(d),
    leaveList(d),
    leaveList(c),
    leaveList(a),
    leaveList(a),
  ]).toEqual(["adc", "ac", "ac", "a", "", ""]);
  enter(list, b);
  expect(list).toEqual([b]);
  expect(list.every((one, place) => one.place === place)).toBe(true);
});
