import { expect, test } from "vitest";
import { Failure, isFailure } from "#src/kit/reading/failure.ts";

test("A failure's message has its problems, one a line", () => {
  expect(new Failure("the file is empty", "the port is taken").message).toBe(
    "the file is empty\nthe port is taken",
  );
});

test.each([null, undefined, "the file is empty", { problems: ["the file is empty"], message: "" }])(
  "%j is a value and no failure",
  (value) => {
    expect(isFailure(value)).toBe(false);
  },
);

test("A copy in another thread is no failure", () => {
  const failure = new Failure("the file is empty");
  expect([isFailure(failure), isFailure(structuredClone(failure))]).toEqual([true, false]);
});
