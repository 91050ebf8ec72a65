// /hello and /ready. A gateway is alive if it responds at all. It is ready if it accepts requests and can decide them
// as its configuration requires.
import { TRAITS } from "../../limiter/core/algorithms.ts";
import { gatewaysAt, optionsOf } from "../../limiter/core/limiter.ts";
import { ALL_CLIENTS } from "../../limiter/core/client.ts";
import { updateHealthByResult } from "../../limiter/core/steps.ts";
import { hasFailed, type Level, type StoreOp } from "../../limiter/core/store.ts";
import { SECOND, type Micros } from "../../kit/units.ts";
import type { Gateway } from "../gateway.ts";
import type { RemoteStore } from "../../limiter/store/remote.ts";
import type { KeySource } from "./ways.node.ts";
import { answerPage, readOnly, type OwnPage } from "./own-pages.node.ts";

interface ReadinessSource {
  readonly gateway: Gateway;
  readonly store: RemoteStore | null;
  readonly isDraining: () => boolean;
  readonly keys: Pick<KeySource, "status"> | null; // null: all keys are in the configuration
}

export interface Readiness {
  readonly isReady: boolean;
  readonly reason: string | null;
  readonly store: "memory" | "answers" | "away";
  readonly gateways: number;
  /** The source of keys. If it is unreachable, requests with known keys are served, and others get 503. */
  readonly records?: ReturnType<KeySource["status"]>;
}

export const helloPage: OwnPage = readOnly((from, to) => {
  answerPage(from, to, 200, '{"status":"ok"}');
});

type ReadReadiness = (done: (readiness: Readiness) => void) => void;

export function readyPage(read: ReadReadiness): OwnPage {
  return readOnly((from, to) => {
    read(({ isReady, ...rest }) => {
      if (to.destroyed) return;
      const body = { status: isReady ? "ready" : "not ready", ...rest };
      answerPage(from, to, isReady ? 200 : 503, JSON.stringify(body));
    });
  });
}

/** The level of a budget that is never spent. Evaluating it only tests whether the store replies. */
const PROBE_LEVEL: Level = {
  budget: {
    space: "ready",
    scope: "key",
    limit: { rate: 1, perUs: SECOND, smoothing: null },
    because: [],
  },
  algorithm: "fixed_window",
  traits: TRAITS.fixed_window,
  capacity: 1,
  shownLimit: 1,
  burst: 1,
  rule: null,
  imitation: null,
  startsAtClock: false,
  fixedMark: false,
  place: "store",
};

const probe = (atUs: Micros): StoreOp => ({
  op: "take",
  levels: [PROBE_LEVEL],
  client: ALL_CLIENTS,
  atUs,
  intent: "evaluate",
  units: 1,
});

/** The returned function sends at most one store operation a second, however many clients request the page. */
export function readinessIn({ gateway, store, isDraining, keys }: ReadinessSource): ReadReadiness {
  const waiting: ((isAway: boolean) => void)[] = [];
  let sentUs = Number.NEGATIVE_INFINITY;
  let wasAway = true;
  const finish = (isAway: boolean): void => {
    wasAway = isAway;
    for (const report of waiting.splice(0)) report(isAway);
  };
  return (done) => {
    const report = (isAway: boolean): void => {
      const readiness = readinessOf(gateway, store !== null, isAway, isDraining());
      done(keys === null ? readiness : { ...readiness, records: keys.status() });
    };
    const nowUs = gateway.clock();
    if (store === null) report(false);
    else if (waiting.length > 0) waiting.push(report);
    else if (nowUs - sentUs < SECOND) report(wasAway);
    else {
      sentUs = nowUs;
      waiting.push(report);
      store.send(probe(nowUs), optionsOf(gateway.limiter).storeTimeoutUs, (answer) => {
        updateHealthByResult(gateway.limiter, answer, gateway.clock());
        finish(hasFailed(answer));
      });
    }
  };
}

export function readinessOf(
  gateway: Gateway,
  isRemote: boolean,
  isAway: boolean,
  isDraining: boolean,
): Readiness {
  const reason = isDraining ? "draining" : isAway ? whyNotWithout(gateway) : null;
  return {
    isReady: reason === null,
    reason,
    store: !isRemote ? "memory" : isAway ? "away" : "answers",
    gateways: gatewaysAt(gateway.limiter, gateway.clock()),
  };
}

/** Returns why the gateway cannot decide without the store (ALG-C8), or null if it can. */
function whyNotWithout({ limiter }: Gateway): string | null {
  const { onStoreError, expectedGateways } = optionsOf(limiter);
  if (onStoreError === "deny") return "the store does not answer, and on_store_error is deny";
  const isLost =
    onStoreError === "local" && !limiter.health.hasReplied && expectedGateways === null;
  return isLost ? "the store was never reached, and expected_gateways is not set" : null;
}
