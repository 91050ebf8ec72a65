// Real time: a gateway that is not Weir's. One that runs already is configured by hand, and the world of the scenario is
// its claim; an implementation is started for each world. Nothing but its responses is known of its decisions.
import { performance } from "node:perf_hooks";
import { isFailure, requireValue } from "../reading/failure.ts";
import { findImplementation, type Implementation } from "../implementations/catalogue.node.ts";
import type { LimitHeaderNames } from "../implementations/manifest.ts";
import { serveImplementation } from "../implementations/serve.node.ts";
import { readWantedWorld } from "../implementations/wanted.ts";
import type { Plan, Variant } from "../scenario/types.ts";
import { requestOf } from "../sim/clients.ts";
import { addressOf, placeOfAddress } from "../sim/places.ts";
import { byLines } from "./decide.node.ts";
import { foreignOffer } from "./foreign-offer.ts";
import { playClients, type ServedWorld } from "./clients.node.ts";
import type { Against, AppliedWorld, Driver, Offer } from "./driver.ts";
import { realHistory, realRecorder, type RealRecorder } from "./real-recorder.ts";
import { createClaimResolver, limitHeaders, reasonOf } from "./stranger.ts";
import { createUpstream } from "./upstream.node.ts";

/** Headers of a gateway of which nothing is known: the two that mean the same everywhere. */
const COMMON_HEADERS: LimitHeaderNames = {
  limit: "x-ratelimit-limit",
  remaining: "x-ratelimit-remaining",
  reset: null,
  reset_is: "seconds",
  retry_after: "retry-after",
};

const LEAD_US = 20_000;

interface Stranger {
  readonly url: URL;
  readonly refusal: number;
  readonly headers: LimitHeaderNames;
  readonly exited: Promise<string>; // why it ended by itself
  readonly stop: () => Promise<void>;
}

export async function remote(against: Against): Promise<Driver> {
  if (against.kind === "target")
    return againstTarget(foreignOffer(true, null), new URL(against.url));
  return createImplementationDriver(requireValue(await findImplementation(against.name)));
}

export function createImplementationDriver(implementation: Implementation): Driver {
  const { kind, clock } = implementation.manifest;
  const offer = foreignOffer(clock === "real", implementation);
  return kind === "decide"
    ? byLines(offer, implementation)
    : againstImplementation(offer, implementation);
}

function againstTarget(offer: Offer, url: URL): Driver {
  const stranger: Stranger = {
    url,
    refusal: 429,
    headers: COMMON_HEADERS,
    exited: new Promise<string>(() => {}),
    stop: () => Promise.resolve(),
  };
  return {
    offer,
    apply: (variant) => Promise.resolve(createPlayedWorld(stranger, variant)),
    close: () => Promise.resolve(),
  };
}

function againstImplementation(offer: Offer, implementation: Implementation): Driver {
  const { manifest } = implementation;
  let upstream: ReturnType<typeof createUpstream> | null = null;
  return {
    offer,
    apply: async (variant) => {
      const { configuration } = variant.world;
      if (configuration === null) throw new Error("the configuration of the world has errors");
      upstream ??= createUpstream([]);
      const served = await serveImplementation(
        implementation,
        readWantedWorld(configuration),
        (await upstream).url,
      );
      if (isFailure(served)) throw new Error(served.message);
      const { refusal } = manifest;
      return createPlayedWorld(
        { ...served, refusal, headers: manifest.headers ?? NO_HEADERS },
        variant,
      );
    },
    close: async () => (await upstream)?.close(),
  };
}

const NO_HEADERS: LimitHeaderNames = {
  ...COMMON_HEADERS,
  limit: null,
  remaining: null,
  retry_after: null,
};

function createPlayedWorld(stranger: Stranger, variant: Variant): AppliedWorld {
  return {
    play: async (plan) => {
      const epochUs = Date.now() * 1_000 + LEAD_US;
      const startMs = performance.now() + LEAD_US / 1_000;
      const nowUs = (): number => Math.floor((performance.now() - startMs) * 1_000);
      const real = realRecorder(plan, epochUs);
      const served = createServedWorld(stranger, variant, plan, real, epochUs);
      const ended = stranger.exited.then((why) => {
        throw new Error(why);
      });
      await Promise.race([playClients({ variant, plan, served, real, nowUs }), ended]);
      return realHistory(real, {
        plan,
        variant,
        driver: "remote",
        endUs: nowUs(),
        isStamped: false,
      });
    },
    close: () => stranger.stop(),
  };
}

function createServedWorld(
  { url, refusal, headers }: Stranger,
  { world }: Variant,
  plan: Plan,
  real: RealRecorder,
  epochUs: number,
): ServedWorld {
  const load = { inFlight: 0 };
  const claimed =
    world.configuration === null ? null : createClaimResolver(world.configuration, epochUs);
  return {
    destinationOf: () => ({ url, load }),
    read: ({ arrival }, { status, headers: received, sentUs, receivedUs }) => {
      const flow = plan.flows[plan.flow[arrival]!]!;
      const address = addressOf(plan, placeOfAddress(plan, arrival));
      const request = requestOf(world.credentials, flow, plan.client[arrival]!, address);
      return {
        decision:
          claimed === null
            ? null
            : {
                outcome: claimed(request),
                gateway: 0,
                fleet: 1,
                fromUs: sentUs,
                toUs: receivedUs,
                stampUs: Number.NaN,
                order: real.order++,
              },
        reason: reasonOf(status, refusal),
        headers: limitHeaders(received, headers, epochUs + receivedUs),
        body: "",
      };
    },
    inject: (fault) => {
      throw new Error(`a gateway of others cannot get ${fault.kind}; the scenario is unsupported`);
    },
    call: () => Promise.resolve(null),
  };
}
