// Lists of names are declared where they are read, and their types elsewhere. These tests compare the two.
import { expect, test } from "vitest";
import { GAUGES } from "#src/lab/scenario/read/comparisons.ts";
import { asRequests, emptyTable } from "#src/lab/scenario/history/columns.ts";
import type { GaugeSample, Requests } from "#src/lab/scenario/history.ts";
import { CAPABILITIES } from "#src/lab/scenario/read/needs.ts";
import type { Capability } from "#src/lab/scenario/types.ts";

const sortNames = (names: Iterable<string>): readonly string[] =>
  [...names].toSorted((a, b) => (a < b ? -1 : 1));

test("the gauges of expectations are those of a history", () => {
  const gauges: Readonly<Record<GaugeSample["gauge"], true>> = {
    allowance: true,
    entries: true,
    bytes: true,
  };
  expect(sortNames(GAUGES)).toEqual(sortNames(Object.keys(gauges)));
});

test("a file may name every capability", () => {
  const all: Readonly<Record<Capability, true>> = {
    events: true,
    gauges: true,
    "event-time": true,
    "store-commands": true,
    "store-size": true,
    faults: true,
    fleet: true,
    latency: true,
    calls: true,
    deliveries: true,
    "sequential-clients": true,
  };
  expect(sortNames(CAPABILITIES)).toEqual(sortNames(Object.keys(all)));
});

test("a history's columns have the number types of `Requests`", () => {
  const typed: Requests = {
    length: 1,
    plannedUs: new Float64Array(1),
    sentUs: new Float64Array(1),
    cost: new Uint16Array(1),
    fromUs: new Float64Array(1),
    toUs: new Float64Array(1),
    stampUs: new Float64Array(1),
    answeredUs: new Float64Array(1),
    status: new Uint16Array(1),
    reason: new Uint8Array(1),
    flow: new Uint16Array(1),
    stage: new Int16Array(1),
    client: new Uint32Array(1),
    address: new Int32Array(1),
    attempt: new Uint16Array(1),
    gateway: new Uint16Array(1),
    fleet: new Uint16Array(1),
    key: new Int32Array(1),
    api: new Int32Array(1),
    budget: new Int32Array(1),
    body: new Int32Array(1),
    retryAfterS: new Float64Array(1),
    limit: new Float64Array(1),
    remaining: new Float64Array(1),
    resetUs: new Float64Array(1),
    policy: new Int32Array(1),
    standing: new Int32Array(1),
    commandsBefore: new Uint16Array(1),
    commandsAll: new Uint16Array(1),
    delayUs: new Float64Array(1),
  };
  expect(asRequests(emptyTable(1), 1)).toEqual(typed);
});
