import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { prepare } from "#src/limiter/core/limiter.ts";
import { ALGORITHMS } from "#src/limiter/core/algorithms.ts";
import type { Level } from "#src/limiter/core/store.ts";
import type { RequestOutcome } from "#src/gateway/outcome.ts";
import { BUSY, traffic, type SentRequest } from "#src/studies/swarm/arbitrary/traffic.ts";
import { GRID_US } from "#src/studies/swarm/arbitrary/moments.ts";
import {
  RICH,
  world,
  type RawWorld,
  type WorldParts,
} from "#src/studies/swarm/arbitrary/worlds.ts";
import { modelTake, type ModelStore, type ModelReply } from "./model/store.ts";
import { rig, send, type Rig } from "./rig.ts";
import { holds } from "../runs.ts";

/** The same request put to the store and to the model; undefined where the limiter was not reached. */
function both(
  on: Rig,
  model: ModelStore,
  sending: SentRequest,
): { got: ModelReply; want: ModelReply } | null {
  const outcome = send(on, sending);
  const { resolved, decision, client } = outcome;
  if (resolved === null || decision === null) return null;
  const { levels } = prepare(on.gateway.limiter, resolved, on.nowUs);
  const want = modelTake(model, levels, client, on.nowUs, "spend", sending.cost ?? 1);
  const got = replyOf(outcome, levels);
  if (levels.length === 0) return { got, want: NOTHING };
  const open = {
    ...(isEstimated(levels, sending) ? UNESTIMATED : {}),
    ...(levels.some(isMovedInBackground) ? UNSHOWN : {}),
  };
  return { got: { ...got, ...open }, want: { ...want, ...open } };
}

/** SMO-C2: a sentinel's A moves in the background, so the response has the earlier value. */
const isMovedInBackground = ({ algorithm, rule }: Level): boolean =>
  algorithm === "sentinel" && rule !== null;
/** Until several units fit, A may fall; the announced wait goes by the present A, or one step up (decision 037). */
const isEstimated = (levels: readonly Level[], { cost = 1 }: SentRequest): boolean =>
  cost > 1 && levels.some(({ rule }) => rule !== null);
const UNESTIMATED = { waitUs: 0, resetUs: 0 };

const UNSHOWN = { shown: -1, limit: -1, remaining: -1, resetUs: 0 };

const NOTHING: ModelReply = { refusedBy: -1, waitUs: 0, delayUs: 0, ...UNSHOWN, changes: [] };

function replyOf({ decision }: RequestOutcome, levels: readonly unknown[]): ModelReply {
  const { refused, level, shown, retryAfterUs, delayUs } = decision!;
  const { limit, remaining, resetUs, changes } = decision!;
  return {
    refusedBy: refused === null ? -1 : levels.indexOf(level),
    waitUs: retryAfterUs,
    delayUs,
    shown: shown === null ? -1 : levels.indexOf(shown),
    limit,
    remaining,
    resetUs,
    changes: changes.map(({ change }) => change),
  };
}

function agree(
  raw: RawWorld,
  requests: readonly SentRequest[],
  about: (reply: ModelReply) => Partial<ModelReply> = (reply) => reply,
): void {
  const on = rig(raw);
  const model: ModelStore = new Map();
  const answers = requests.map((sending) => both(on, model, sending)).filter((one) => one !== null);
  expect(answers.map(({ got }) => about(got))).toEqual(answers.map(({ want }) => about(want)));
}

/** As several gateways would stamp them whose clocks differ by less than half a second. */
const withSkew = (
  requests: readonly SentRequest[],
  skewsUs: readonly number[],
): readonly SentRequest[] =>
  requests.map((sending, i) => ({
    ...sending,
    atUs: sending.atUs + GRID_US * 2 + skewsUs[i % skewsUs.length]!,
  }));

describe("the store in memory answers as the plain model does, request by request (LIM-C1, ALG-3, HDR-C1, HDR-C2)", () => {
  test.each(ALGORITHMS)("%s", (algorithm) => {
    const parts: WorldParts = { ...RICH, algorithms: [algorithm] };
    holds(
      fc.property(world(parts), traffic(BUSY), (raw, requests) => agree(raw, requests)),
      100,
    );
  });

  test("with an allowance that is seldom whole", () => {
    const parts: WorldParts = { ...RICH, smoothing: "coarse" };
    holds(
      fc.property(world(parts), traffic(BUSY), (raw, requests) => agree(raw, requests)),
      100,
    );
  });

  test("with one in small steps", () => {
    const parts: WorldParts = { ...RICH, smoothing: "fine" };
    holds(
      fc.property(world(parts), traffic(BUSY), (raw, requests) => agree(raw, requests)),
      200,
    );
  });

  test("for one key that is always at the edge", () => {
    const often = { most: 60, longestGap: 3, clients: ["alice"], paths: ["/orders"] };
    holds(
      fc.property(world({ ...RICH, quotas: false }), traffic(often), (raw, requests) =>
        agree(raw, requests),
      ),
      300,
    );
  });

  test("after idle times in which rows are dropped", () => {
    const seldom = { ...BUSY, longestGap: 400, most: 60 };
    holds(
      fc.property(world(RICH), traffic(seldom), (raw, requests) => agree(raw, requests)),
      150,
    );
  });

  test("when clocks are behind each other", () => {
    const skews = fc.array(fc.integer({ min: -GRID_US, max: GRID_US }), {
      minLength: 2,
      maxLength: 4,
    });
    holds(
      fc.property(world(RICH), traffic(BUSY), skews, (raw, requests, skewsUs) =>
        agree(raw, withSkew(requests, skewsUs)),
      ),
      150,
    );
  });
});
