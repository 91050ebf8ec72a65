import { expect, test } from "vitest";
import {
  recordRequest,
  realHistory,
  readResponse,
  realRecorder,
  type ObservedDecision,
} from "../../src/drivers/real-recorder.ts";
import { UNDECIDED } from "../../src/gateway/outcome.ts";
import { micros } from "../../src/core/units.ts";
import { plan } from "../../src/scenario/plan/plan.ts";
import { REASONS } from "../../src/scenario/history.ts";
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
