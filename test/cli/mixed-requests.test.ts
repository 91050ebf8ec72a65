import { expect, test } from "vitest";
import { requestName, rowOf } from "#src/cli/requests-of-flow.ts";
import { historyOf } from "../histories/history.ts";
import { messageOf } from "../kit/reading/message-of.ts";

/** A flow that mixes two paths: its requests are counted as one flow's. */
const history = historyOf({
  flows: [
    { name: "other" },
    { name: "mixed", send: "GET /orders" },
    { name: "mixed", send: "PUT /orders" },
  ],
  rows: [
    { at: 0, flow: "mixed" },
    { at: 1, flow: "other" },
    { at: 2, flow: "mixed" },
    { at: 3, flow: "mixed", attempt: 1 },
  ],
});
history.requests.flow[2] = 2;

test("a request of a flow that mixes is the Nth of all of them", () => {
  expect(["mixed:1", "mixed:2", "other:1"].map((typed) => rowOf(history, typed))).toEqual([
    0, 2, 1,
  ]);
  expect([0, 2, 1].map((row) => requestName(history, row))).toEqual([
    "mixed:1",
    "mixed:2",
    "other:1",
  ]);
});

test("a missing request is reported", () => {
  expect(messageOf(rowOf(history, "mixed:3"))).toBe(
    "there is no mixed:3: the flow has 2 requests, numbered from 1",
  );
  expect(messageOf(rowOf(history, "wild:1"))).toBe(
    'there is no flow "wild"; choose one of other, mixed',
  );
  expect(messageOf(rowOf(history, "mixde:1"))).toBe(
    'there is no flow "mixde"; did you mean "mixed"?',
  );
});
