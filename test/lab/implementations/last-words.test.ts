import { expect, test } from "vitest";
import { summarizeOutput } from "#src/lab/implementations/last-words.ts";

test.each([
  ["", ""],
  ["no budget file\n", "no budget file"],
  [
    "file:///a/limiter.mjs:44\n)(\n^\n\nSyntaxError: Unexpected token\n    at compile (node:x:1:2)\n\nNode.js v24\n",
    "file:///a/limiter.mjs:44 / SyntaxError: Unexpected token",
  ],
  [
    'Traceback (most recent call last):\n  File "a.py", line 3, in <module>\nValueError: no budget\n',
    "ValueError: no budget",
  ],
  [
    'Exception in thread "main" java.lang.IllegalStateException: no budget\n\tat Main.main(Main.java:3)\n',
    'Exception in thread "main" java.lang.IllegalStateException: no budget',
  ],
  ["panic: no budget\n\ngoroutine 1 [running]:\n", "panic: no budget"],
  ["ERROR: no budget\nusage: limiter FILE\n", "ERROR: no budget"],
  ["one\ntwo\nthree\nfour\n", "two / three / four"],
  ["\u001B[31mred\u001B[0m\n", "\\u001b[31mred\\u001b[0m"],
])("of %j the error is quoted, without a stack", (output, expected) => {
  expect(summarizeOutput(output)).toEqual(expected);
});
