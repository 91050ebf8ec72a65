import { expect, test } from "vitest";
import type { MeasuredPart } from "#src/lab/report/measured.ts";
import { answerMarkdown, leadWithAnswer, shortenAnswer } from "#src/show/answers/answer.ts";

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

test("the first sentence is the headline of a page, without its full stop, and the others follow", () => {
  const part = { title: "t", headline: "of the part" } as unknown as MeasuredPart;
  expect(leadWithAnswer(part, [sentence("It takes 1.5 s."), sentence("So be it.")])).toEqual({
    title: "t",
    headline: "It takes 1.5 s",
    answer: ["So be it."],
  });
  expect(leadWithAnswer(part, [])).toBe(part);
});

test("a long answer loses the dispensable sentences, the last ones of an id first, but never the first", () => {
  const ids = ["answer", "note", "answer", "cause", "answer", "note"];
  const answer = [...ids, "next", "next", "next", "next", "next"].map((id, at) => ({
    id,
    text: String(at),
    numbers: {},
  }));
  const shorten = (...dispensable: readonly string[]) =>
    shortenAnswer(answer, dispensable).map(({ text }) => Number(text));
  expect(shorten("note", "answer")).toEqual([0, 2, 3, 6, 7, 8, 9, 10]);
  expect(shorten("answer", "note")).toEqual([0, 1, 3, 6, 7, 8, 9, 10]);
  expect(shorten("cause", "answer")).toEqual([0, 1, 5, 6, 7, 8, 9, 10]);
  expect(shorten("answer")).toEqual([0, 1, 3, 5, 6, 7, 8, 9, 10]);
  expect(shortenAnswer(answer.slice(0, 8), ["note"])).toHaveLength(8);
});
