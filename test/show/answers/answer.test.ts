import { expect, test } from "vitest";
import { answerMarkdown } from "#src/show/answers/answer.ts";

const HOSTILE = "x\n::error::owned <img> @everyone `code` \u001B[31m";
const sentence = (text: string) => ({ id: "any", text, numbers: {} });

test("in Markdown no name of an answer begins a line, and all markup of it is in backticks", () => {
  const text = answerMarkdown([
    sentence(`${HOSTILE} is slower.`),
    sentence(`So is ${HOSTILE}.`),
    sentence("::error::owned"),
  ]);
  expect(text).not.toMatch(/^\s*::/m);
  expect(text).not.toContain("\u001B");
  expect(text).toContain(String.raw`x\n::error::owned`);
  expect(text.replaceAll(/(`+)(?!`).*?[^`]\1(?!`)/g, "code")).toBe("**code**\n\ncode code");
});

test("plain sentences have no markup in Markdown", () => {
  expect(
    answerMarkdown([
      sentence("A sliding_log refuses 2 of 9 requests (22 %)."),
      sentence("It's 3/s."),
    ]),
  ).toBe("**A sliding_log refuses 2 of 9 requests (22 %).**\n\nIt's 3/s.");
});
