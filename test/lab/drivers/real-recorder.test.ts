import { expect, test } from "vitest";
import {
  recordLost,
  recordRequest,
  realHistory,
  readResponse,
  realRecorder,
  type ObservedDecision,
} from "#src/lab/drivers/real-recorder.ts";
import { UNDECIDED } from "#src/gateway/outcome.ts";
import { micros } from "#src/kit/units.ts";
import { plan } from "#src/lab/scenario/plan/plan.ts";
import { NO_GATEWAY, NO_STATUS, REASONS } from "#src/lab/scenario/history.ts";
import { decodeScenario, SMALL } from "../scenario/examples.ts";

const OBSERVED = {
  arrival: 0,
  attempt: 0,
  sentUs: 1_000,
  receivedUs: 9_000,
  status: 200,
  headers: {},
  body: "",
};

const decisionIn = (fromUs: number, toUs: number): ObservedDecision => ({
  outcome: UNDECIDED,
  gateway: 0,
  fleet: 1,
  fromUs,
  toUs,
  stampUs: fromUs,
  order: 0,
});

test.each([
  ["the gateway's, if it is within the client's", decisionIn(2_000, 3_000), [2_000, 3_000, 2_000]],
  ["the client's, if the gateway's begins before it", decisionIn(500, 3_000), [1_000, 9_000, NaN]],
  ["the client's, if the gateway's ends after it", decisionIn(2_000, 9_500), [1_000, 9_000, NaN]],
  ["the client's, if no gateway reported any", null, [1_000, 9_000, NaN]],
])("the span of a decision is %s", (_, decision, span) => {
  const { id, variants } = decodeScenario(SMALL);
  const variant = variants[0]!;
  const planned = plan(variant, id, 1);
  const real = realRecorder(planned);
  recordRequest(real, OBSERVED, readResponse(OBSERVED, decision));
  const run = {
    plan: planned,
    variant,
    driver: "embedded",
    endUs: 10_000,
    isStamped: true,
  } as const;
  const { fromUs, toUs, stampUs } = realHistory(real, run).requests;
  expect([fromUs[0], toUs[0], stampUs[0]]).toEqual(span);
});

test("a lost request is a row between the others, by when its client knew it", () => {
  const { id, variants } = decodeScenario(SMALL);
  const variant = variants[0]!;
  const planned = plan(variant, id, 1);
  const real = realRecorder(planned);
  const lost = { arrival: 1, attempt: 0, reason: "timeout", gateway: 2 } as const;
  recordRequest(real, OBSERVED, readResponse(OBSERVED, null));
  recordLost(real, { ...lost, sentUs: 8_000, lostUs: 30_000 }, UNDECIDED);
  const again = { ...lost, attempt: 1, reason: "unreachable", gateway: NO_GATEWAY } as const;
  recordLost(real, { ...again, sentUs: 90_000, lostUs: 90_000 }, UNDECIDED);
  const run = {
    plan: planned,
    variant,
    driver: "embedded",
    endUs: 99_000,
    isStamped: true,
  } as const;
  const { requests, header } = realHistory(real, run);
  const rows = [...requests.status.keys()].map((row) => ({
    status: requests.status[row],
    reason: REASONS[requests.reason[row]!],
    gateway: requests.gateway[row],
    attempt: requests.attempt[row],
    times: (["sentUs", "fromUs", "toUs", "answeredUs", "stampUs"] as const).map(
      (name) => requests[name][row],
    ),
  }));
  const none = { status: NO_STATUS };
  expect(rows.slice(1)).toEqual([
    { ...none, reason: "timeout", gateway: 2, attempt: 0, times: [8e3, 8e3, 3e4, 3e4, NaN] },
    {
      ...none,
      reason: "unreachable",
      gateway: NO_GATEWAY,
      attempt: 1,
      times: [9e4, 9e4, 9e4, 9e4, NaN],
    },
  ]);
  expect([rows[0]!.status, real.lost]).toEqual([200, 2]);
  // A first attempt was late by as much as it was; a retry is in no plan.
  const jitterUs = 8_000 - planned.atUs[1]!;
  expect(header.timing).toMatchObject({ kind: "bounded", jitterUs });
});

test("a history holds the events of the run, not those of its gateways being stopped", () => {
  const { id, variants } = decodeScenario(SMALL);
  const variant = variants[0]!;
  const planned = plan(variant, id, 1);
  const real = realRecorder(planned);
  const history = realHistory(real, {
    plan: planned,
    variant,
    driver: "redis",
    endUs: 10_000,
    isStamped: true,
  });
  real.history.events.push({
    event: "StoreUnavailable",
    atUs: micros(20_000),
    stampUs: micros(20_000),
    gateway: 0,
    key: null,
    api: null,
    budget: null,
    value: null,
  });
  expect(history.events).toEqual([]);
});

test.each([
  ["a message that is too large", 413, '{"error":"Request body too large"}', null, "message"],
  ["headers that are too many", 431, '{"error":"Too many headers"}', null, "message"],
  ["a page of the gateway with a method that it does not have", 405, "", null, "message"],
  ["a path that is none", 400, '{"error":"Path not acceptable"}', null, "path"],
  ["a response of the upstream", 413, "", decisionIn(2_000, 3_000), "none"],
  ["an admitted request", 200, "", null, "none"],
])("%s has its reason (LIM-C16)", (_, status, body, decision, reason) => {
  const { id, variants } = decodeScenario(SMALL);
  const planned = plan(variants[0]!, id, 1);
  const real = realRecorder(planned);
  const response = { ...OBSERVED, status, body };
  recordRequest(real, response, readResponse(response, decision));
  const run = {
    plan: planned,
    variant: variants[0]!,
    driver: "embedded",
    endUs: 10_000,
    isStamped: true,
  } as const;
  const { requests } = realHistory(real, run);
  expect(REASONS[requests.reason[0]!]).toBe(reason);
});
