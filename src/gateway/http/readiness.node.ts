// /hello and /ready. A gateway lives as long as it answers at all; it is ready when it decides as its
// configuration promises, and takes requests.
import { TRAITS } from "../../core/algorithms.ts";
import { gatewaysAt, optionsOf } from "../../core/limiter.ts";
import { ALL_CLIENTS } from "../../core/client.ts";
import { updateHealthByResult } from "../../core/steps.ts";
import { hasFailed, type Level, type StoreOp } from "../../core/store.ts";
import { SECOND, type Micros } from "../../core/units.ts";
import type { Gateway } from "../gateway.ts";
import type { RemoteStore } from "../../store/remote.ts";
import type { KeySource } from "./ways.node.ts";
import { answerPage, readOnly, type OwnPage } from "./own-pages.node.ts";

export interface Serving {
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
  /** Where keys are looked up: away, those that are known go on, and others are answered with 503. */
  readonly records?: ReturnType<KeySource["status"]>;
}

export const helloPage: OwnPage = readOnly((from, to) => {
  answerPage(from, to, 200, '{"status":"ok"}');
});

export type AskReadiness = (hear: (found: Readiness) => void) => void;

export function readyPage(ask: AskReadiness): OwnPage {
  return readOnly((from, to) => {
    ask(({ isReady, ...rest }) => {
      if (to.destroyed) return;
      const body = { status: isReady ? "ready" : "not ready", ...rest };
      answerPage(from, to, isReady ? 200 : 503, JSON.stringify(body));
    });
  });
}

/** A budget that nobody spends: asking for it only shows whether the store answers. */
const NOBODYS: Level = {
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
  startsAtClock: false,
  fixedMark: false,
  place: "store",
};

const question = (atUs: Micros): StoreOp => ({
  op: "take",
  levels: [NOBODYS],
  client: ALL_CLIENTS,
  atUs,
  intent: "evaluate",
});

/** However many want to know, the store is asked once at a time, and not again within a second. */
export function readinessIn({ gateway, store, isDraining, keys }: Serving): AskReadiness {
  const waiting: ((isAway: boolean) => void)[] = [];
  let askedUs = Number.NEGATIVE_INFINITY;
  let wasAway = true;
  const tell = (isAway: boolean): void => {
    wasAway = isAway;
    for (const one of waiting.splice(0)) one(isAway);
  };
  return (hear) => {
    const say = (isAway: boolean): void => {
      const found = readinessOf(gateway, store !== null, isAway, isDraining());
      hear(keys === null ? found : { ...found, records: keys.status() });
    };
    const nowUs = gateway.clock();
    if (store === null) say(false);
    else if (waiting.length > 0) waiting.push(say);
    else if (nowUs - askedUs < SECOND) say(wasAway);
    else {
      askedUs = nowUs;
      waiting.push(say);
      store.send(question(nowUs), optionsOf(gateway.limiter).storeTimeoutUs, (answer) => {
        updateHealthByResult(gateway.limiter, answer, gateway.clock());
        tell(hasFailed(answer));
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

/** Why nothing may be decided without the store (ALG-C8); null: it may. */
function whyNotWithout({ limiter }: Gateway): string | null {
  const { onStoreError, expectedGateways } = optionsOf(limiter);
  if (onStoreError === "deny") return "the store does not answer, and on_store_error is deny";
  const isLost =
    onStoreError === "local" && !limiter.health.hasReplied && expectedGateways === null;
  return isLost ? "the store was never reached, and expected_gateways is not set" : null;
}
