import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadModule } from "#src/lab/implementations/load-module.node.ts";
import { folderWith } from "../../cli/weir.ts";

const packages = join(import.meta.dirname, "../../../node_modules");

/** TypeScript that Node does not strip, each in a module of its own. */
const MODULES: Readonly<Record<string, string>> = {
  "enum.ts": "enum Rate { low = 7 } export const rate: number = Rate.low;",
  "decorator.ts":
    "const twice = (get: () => number, _: unknown) => () => 2 * get();\nclass Limit { @twice rate() { return 3.5; } }\nexport const rate = new Limit().rate();",
  "path.ts": 'import { seven } from "@limits/seven"; export const rate = seven;',
  "ending.ts": 'import { seven } from "./limits/seven"; export const rate = seven;',
  "package.ts": 'import { seven } from "own-limits"; export const rate = seven;',
};
const OTHERS = {
  "limits/seven.ts": "export const seven: number = 7;",
  "node_modules/own-limits/package.json":
    '{ "name": "own-limits", "type": "module", "main": "./index.ts" }',
  "node_modules/own-limits/index.ts": "export const seven: number = 7;",
  "tsconfig.json": '{ "compilerOptions": { "paths": { "@limits/*": ["./limits/*"] } } }',
  "package.json": '{ "type": "module" }',
};

const install = (folder: string): void => {
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  symlinkSync(join(packages, "tsx"), join(folder, "node_modules/tsx"));
};

test.each(Object.keys(MODULES))(
  "%s is loaded by the user's tsx, and names it without one",
  async (name) => {
    const files = { [name]: MODULES[name]!, ...OTHERS };
    const without = folderWith(files);
    await expect(loadModule(join(without, name))).rejects.toThrow(`run npm i -D tsx in ${without}`);
    const folder = folderWith(files);
    install(folder);
    expect(await loadModule(join(folder, name))).toMatchObject({ rate: 7 });
  },
);

test("Node loads what it can strip, and the error of a module is its own", async () => {
  const folder = folderWith({
    "types.ts": "export const rate: number = 7;",
    "throws.ts": 'throw new RangeError("none of these");',
    "missing.js": 'import "./none.js";',
  });
  expect(await loadModule(join(folder, "types.ts"))).toMatchObject({ rate: 7 });
  await expect(loadModule(join(folder, "throws.ts"))).rejects.toThrow(/^none of these$/);
  await expect(loadModule(join(folder, "missing.js"))).rejects.not.toThrow("tsx");
});
