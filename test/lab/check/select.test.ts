// Which rows a filter lets through, and which names it may use.
import { expect, test } from "vitest";
import { isAdmittedStatus, select, unknownName } from "#src/lab/check/select.ts";
import { secondsToMicros } from "#src/kit/units.ts";
import type { Filter } from "#src/lab/scenario/types.ts";
import { historyOf } from "../../histories/history.ts";
import { EVERYTHING } from "../../histories/world.ts";

const us = secondsToMicros;
const history = historyOf({
  flows: [
    { name: "calm", stages: ["first", "second"] },
    { name: "busy", as: "bob", send: "POST /users" },
    { name: "nobody", as: null },
  ],
  rows: [
    { at: 1.5, planned: 1, flow: "calm", stage: "first", from: "10.0.0.7" },
    { at: 2, flow: "calm", stage: "second", status: 429, gateway: 1, from: "10.0.1.1" },
    { at: 2, flow: "busy", api: "users", status: 201, from: "2001:db8::1" },
    { at: 4.5, planned: 1, attempt: 1, flow: "busy", api: "users", status: 300 },
    { at: 5, flow: "nobody", api: "none", status: 404 },
  ],
});

test.each([
  [{}, [0, 1, 2, 3, 4]],
  [{ flow: ["calm"] }, [0, 1]],
  [{ flow: ["busy", "nobody"] }, [2, 3, 4]],
  [{ as: ["alice"] }, [0, 1]],
  [{ as: ["alice", "bob"] }, [0, 1, 2, 3]],
  [{ endpoint: "POST /users" }, [2, 3]],
  [{ endpoint: "GET /orders" }, [0, 1, 4]],
  [{ api: ["orders"] }, [0, 1]],
  [{ api: ["users", "orders"] }, [0, 1, 2, 3]],
  [{ status: [200, 201] }, [0, 2]],
  [{ stage: ["first"] }, [0]],
  [{ stage: ["first", "second"] }, [0, 1]],
  [{ gateway: [1] }, [1]],
  [{ from: [{ first: "10.0.0.7", bits: 32 }] }, [0]],
  [{ from: [{ first: "10.0.0.0", bits: 23 }] }, [0, 1]],
  [
    {
      from: [
        { first: "10.0.0.0", bits: 24 },
        { first: "2001:db8::", bits: 64 },
      ],
    },
    [0, 2],
  ],
  [{ from: [{ first: "0.0.0.0", bits: 0 }] }, [0, 1, 3, 4]],
  [{ from: [{ first: "127.0.0.1", bits: 32 }] }, [3, 4]],
  [{ flow: ["calm"], status: [429] }, [1]],
  [{ flow: ["calm"], api: ["users"] }, []],
] satisfies [Partial<Filter>, number[]][])("%j lets %j through", (filter, rows) => {
  expect(select(history, { ...EVERYTHING, ...filter })).toEqual(rows);
});

test.each([
  [1, 2, [0]],
  [1.5, 2, []],
  [2, 4.5, [1, 2]],
  [4.5, 9, [3, 4]],
])("from %d s to %d s is when a request was planned, and a retry sent: %j", (from, to, rows) => {
  const during = { fromUs: us(from), toUs: us(to) };
  expect(select(history, { ...EVERYTHING, during })).toEqual(rows);
});

test.each([
  [{ flow: ["calm", "wild"] }, 'the run has no flow "wild"'],
  [{ as: ["carol"] }, 'the run has no client "carol"'],
  [{ api: ["payments"] }, 'the run has no API "payments"'],
  [{ stage: ["third"] }, 'the run has no stage "third"'],
  [{ endpoint: "GET /users" }, 'the run has no endpoint "GET /users"'],
  [
    { flow: ["calm"], as: ["bob"], api: ["users"], stage: ["first"], endpoint: "POST /users" },
    null,
  ],
  [{}, null],
] satisfies [Partial<Filter>, string | null][])("%j: %s", (filter, message) => {
  expect(unknownName(history, { ...EVERYTHING, ...filter })).toBe(message);
});

test("a row of a missing flow is an internal error", () => {
  const { header } = history;
  const few = { ...history, header: { ...header, flows: header.flows.slice(0, 2) } };
  expect(() => select(few, EVERYTHING)).toThrow("row 4 names flow 2 of 2");
});

test("a status from 200 to 299 is admitted", () => {
  expect([101, 199, 200, 299, 300].filter(isAdmittedStatus)).toEqual([200, 299]);
});
