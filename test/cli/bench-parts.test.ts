import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readResult } from "#src/studies/bench/result.ts";
import { TINY_PART_FILES, TINY_PARTS } from "../studies/bench/parts/tiny-parts.ts";
import { folderWith, weir } from "./weir.ts";

test("a suite of parts runs, is printed and saved, and its result compares and renders", async () => {
  const folder = folderWith(TINY_PART_FILES);
  const args = ["bench", "tiny.yaml", "--repeats", "2", "--out", "base.json"];
  const { code, out, err } = await weir(folder, args);
  expect({ code, err }).toMatchObject({ code: 0 });
  expect(out).toContain("  target met: ours: at least 5 times as good as theirs; measured 5");
  expect(err).toContain("seed 1; tiny, 8 measurements in 2 rounds");
  const result = readResult(readFileSync(join(folder, "base.json"), "utf8"));
  expect(result).toMatchObject({ footer: { cells: 3, repeats: 6, errors: 0 }, capacity: null });
  const compared = await weir(folder, ["compare", "base.json", "base.json", "--force"]);
  expect(compared.out).toMatch(/^unclear +ours: /m);
  const page = await weir(folder, ["report", "base.json", "-o", "page.html"]);
  expect(page.code).toBe(0);
  expect(readFileSync(join(folder, "page.html"), "utf8")).toContain("something small");
});

test("--quick, --only and --list select cases", async () => {
  const folder = folderWith(TINY_PART_FILES);
  const listed = await weir(folder, ["bench", "tiny.yaml", "--list"]);
  expect(listed.out).toBe(
    "tiny  Two cases (2 cases, 3 repeats)\n  small: something small\n    ours; (theirs); (others)\n  large: something large\n    ours\n",
  );
  const quick = await weir(folder, ["bench", "tiny.yaml", "--list", "--quick"]);
  expect(quick.out).toContain("(1 case, 3 repeats)");
  const only = await weir(folder, ["bench", "tiny.yaml", "--only", "sm*", "--json"]);
  expect(Object.keys((JSON.parse(only.out) as { metrics: object }).metrics)).toEqual(["small"]);
});

test.each([
  [["--only", "tall"], "weir bench: there is no case tall"],
  [["--only", "smal"], "did you mean small?"],
  [["--cross"], "--cross is not for suites of parts, which take --quick, --only"],
  [["--against", "."], "--against is not for suites of parts"],
  [["--duration", "1s"], "--duration is not for suites of parts"],
])("%j is bad input: %s", async (args, message) => {
  const { code, err } = await weir(folderWith(TINY_PART_FILES), ["bench", "tiny.yaml", ...args]);
  expect(err).toContain(message);
  expect(code).toBe(2);
});

test("a suite whose programs are missing names the first one, with its position", async () => {
  const folder = folderWith({ "tiny.yaml": TINY_PARTS });
  const { code, err } = await weir(folder, ["bench", "tiny.yaml"]);
  expect(code).toBe(2);
  expect(err).toContain("tiny.yaml:5:21 error BENCH-VALUE there is no program prepare.mjs");
  expect(err).toContain("run them in a checkout");
});
