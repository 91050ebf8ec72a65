import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { insertSwitches } from "#src/studies/mutants/switched-source.ts";

const SOURCE = `import { two } from "./two.ts";
export const twice = (n) => n * two;
function hidden(n) {
  return twice(n) + 1;
}
export function visible(n) {
  return hidden(n);
}
export const KIND = { decide: (n) => visible(n), spend: () => 0 };
`;

/** Runs the text with substitutes for the import and the switchboard; `wrong` replaces by address. */
function evaluate(
  wanted: readonly string[],
  wrong: Readonly<Record<string, (n: number) => number>>,
): { readonly visible: (n: number) => number; readonly KIND: { decide: (n: number) => number } } {
  const text = insertSwitches(SOURCE, "a.ts", wanted, "board")
    .replaceAll(/import \{[^}]*\} from "[^"]*";/g, "")
    .replaceAll("export ", "");
  const createSwitch = (address: string, right: (n: number) => number) => wrong[address] ?? right;
  const createSwitches = (
    address: string,
    names: readonly string[],
    right: Record<string, (n: number) => number>,
  ) => ({
    ...right,
    ...Object.fromEntries(names.map((name) => [name, wrong[`${address}.${name}`] ?? right[name]])),
  });
  const context = { $switch: createSwitch, $switches: createSwitches, two: 2 };
  return runInNewContext(`${text}; ({ visible, KIND });`, context) as ReturnType<typeof evaluate>;
}

test.each<[name: string, wanted: string, result: number]>([
  ["an exported function", "visible", 70],
  ["a function of the module's own", "hidden", 70],
  ["an arrow", "twice", 71],
  ["a function of an object", "KIND.decide", 70],
])("%s can be replaced wherever it is called", (_, wanted, result) => {
  expect(evaluate([wanted], {}).KIND.decide(3)).toBe(7);
  expect(evaluate([wanted], { [`a.ts#${wanted}`]: () => 70 }).KIND.decide(3)).toBe(result);
});

test("a function that is not wanted keeps its text", () => {
  expect(insertSwitches(SOURCE, "a.ts", ["twice"], "board")).toContain("function hidden(n) {");
});

test("a name that is no function of the top level is an error", () => {
  expect(() => insertSwitches(SOURCE, "a.ts", ["three"], "board")).toThrow(
    'a.ts has no function "three" at its top level',
  );
});
