import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { OPERATIONS } from "#src/gateway/management/interfaces.ts";
import { BASES } from "./app.ts";

test("docs/reference/operations.md lists every operation, and no others", () => {
  const page = readFileSync(
    join(import.meta.dirname, "../../../docs/reference/operations.md"),
    "utf8",
  );
  const rows = [...page.matchAll(/^\| `([A-Z]+ \S+)` +\| (.+?) +\|$/gm)].map(
    ([, ...cells]) => cells,
  );
  const operations = OPERATIONS.map(({ interface: name, method, path, summary }) => [
    `${method} ${BASES[name]}${path}`,
    summary,
  ]);
  expect(rows).toEqual(operations);
});
