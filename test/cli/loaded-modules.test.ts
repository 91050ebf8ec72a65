// What every command loads before its own code: the flags, and no limiter, because `weir --help` and a mistyped flag
// decide no request.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const sources = join(import.meta.dirname, "../../src");
const PRINT_LOADED = `data:text/javascript,${encodeURIComponent(
  'import { registerHooks } from "node:module"; registerHooks({ load: (url, context, next) => (console.error(url), next(url, context)) });',
)}`;

test("the flags are read without the code that decides requests", () => {
  const { status, stderr } = spawnSync(
    process.execPath,
    ["--import", PRINT_LOADED, join(sources, "cli/weir.node.ts"), "--help"],
    { encoding: "utf8" },
  );
  expect(status).toBe(0);
  const loaded = stderr.split("\n").filter((url) => url.startsWith("file:"));
  expect(loaded.some((url) => url.endsWith("/src/studies/replay/choices.ts"))).toBe(true);
  const deciding =
    /\/src\/(?:gateway\/gateway|lab\/sim\/|limiter\/(?:algorithms\/|core\/limiter|store\/memory))/;
  expect(loaded.filter((url) => deciding.test(url))).toEqual([]);
});
