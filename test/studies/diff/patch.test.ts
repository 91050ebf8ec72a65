// The unified diff of a changed file, as the program patch reads it.
import { expect, test } from "vitest";
import { formatPatch } from "#src/studies/diff/patch.ts";

test("a unified diff has lines around a change, and marks a file that has no last end of line", () => {
  const lines = Array.from({ length: 20 }, (_, at) => `line ${at + 1}`);
  const before = { file: "a.conf", text: lines.join("\n") };
  const text = before.text.replace("line 5\n", "line five\n").replace("line 20", "line twenty");
  expect(formatPatch([before], [{ ...before, text }])).toBe(`--- a.conf
+++ a.conf
@@ -2,7 +2,7 @@
 line 2
 line 3
 line 4
-line 5
+line five
 line 6
 line 7
 line 8
@@ -17,4 +17,4 @@
 line 17
 line 18
 line 19
-line 20
\\ No newline at end of file
+line twenty
\\ No newline at end of file
`);
  expect(formatPatch([before], [before])).toBe("");
});
