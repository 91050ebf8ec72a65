import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { switchedSource } from "../../../src/experiments/mutants/switched-source.ts";

const SOURCE = `import { two } from "./two.ts";
export const twice = (n) => n * two;
function hidden(n) {
  return twice(n) + 1;
}
export function shown(n) {
  return hidden(n);
}
export const KIND = { judge: (n) => shown(n), spend: () => 0 };
`;

/** Runs the text with stand-ins for the import and the switchboard; `wrong` replaces by address. */
function evaluated(
  wanted: readonly string[],
  wrong: Readonly<Record<string, (n: number) => number>>,
): { readonly shown: (n: number) => number; readonly KIND: { judge: (n: number) => number } } {
  const text = switchedSource(SOURCE, "a.ts", wanted, "board")
    .replaceAll(/import \{[^}]*\} from "[^"]*";/g, "")
    .replaceAll("export ", "");
  const switched = (address: string, right: (n: number) => number) => wrong[address] ?? right;
  const members = (
    address: string,
    names: readonly string[],
    right: Record<string, (n: number) => number>,
  ) => ({
    ...right,
    ...Object.fromEntries(names.map((name) => [name, wrong[`${address}.${name}`] ?? right[name]])),
  });
  const context = { $switched: switched, $members: members, two: 2 };
  return runInNewContext(`${text}; ({ shown, KIND });`, context) as ReturnType<typeof evaluated>;
}

test.each<[name: string, wanted: string, result: number]>([
  ["an exported function", "shown", 70],
  ["a function of the module's own", "hidden", 70],
  ["an arrow", "twice", 71],
  ["a member of an object", "KIND.judge", 70],
])("%s can be replaced wherever it is called", (_, wanted, result) => {
  expect(evaluated([wanted], {}).KIND.judge(3)).toBe(7);
  expect(evaluated([wanted], { [`a.ts#${wanted}`]: () => 70 }).KIND.judge(3)).toBe(result);
});

test("what is not asked for stays as it is written", () => {
  expect(switchedSource(SOURCE, "a.ts", ["twice"], "board")).toContain("function hidden(n) {");
});

test("a name that is no function of the top level is told", () => {
  expect(() => switchedSource(SOURCE, "a.ts", ["three"], "board")).toThrow(
    'a.ts has no function "three" at its top level',
  );
});
