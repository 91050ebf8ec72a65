// A candidate that is a whole world: its APIs, policies, keys and endpoints decide, through one gateway without sockets.
import { UNKNOWN_SENDER } from "../core/client.ts";
import type { AccessRight, Configuration } from "../core/config.ts";
import { limiter, LOCAL_STORE_TRAITS } from "../core/limiter.ts";
import { resolver } from "../core/resolve/resolver.ts";
import { micros, type Micros } from "../core/units.ts";
import { begin } from "../gateway/begin.ts";
import { gateway } from "../gateway/gateway.ts";
import type { GatewayRequest } from "../gateway/outcome.ts";
import { localStore, memoryStore } from "../store/memory.ts";
import { REJECTED, type CandidateLimiter, type RequestNames } from "./candidate-limiter.ts";

export interface WorldCandidate {
  readonly kind: "world";
  readonly file: string;
  readonly configuration: Configuration;
  /** A client of the log is an address, or the credential or the id of a key. */
  readonly clientsAre: "addresses" | "keys";
}

export function startWorld(
  { configuration, clientsAre }: WorldCandidate,
  { clients, targets }: RequestNames,
): CandidateLimiter {
  const store = localStore(memoryStore(), memoryStore());
  const inner = limiter(resolver(configuration), store, LOCAL_STORE_TRAITS, null);
  let nowUs: Micros = micros(0);
  let delayUs = 0;
  const own = gateway(inner, () => nowUs);
  const credentialOf = credentialsById(configuration);
  const senders: Pick<GatewayRequest, "credential" | "sender">[] = []; // by client
  const endpoints: Pick<GatewayRequest, "method" | "target">[] = []; // by target
  const senderOf = (name: string): Pick<GatewayRequest, "credential" | "sender"> =>
    clientsAre === "addresses"
      ? { credential: null, sender: { ...UNKNOWN_SENDER, address: name } }
      : { credential: credentialOf.get(name) ?? name, sender: UNKNOWN_SENDER };
  const endpointOf = (name: string): Pick<GatewayRequest, "method" | "target"> => {
    const space = name.indexOf(" ");
    return { method: name.slice(0, space), target: name.slice(space + 1) };
  };
  return {
    decide: (client, target, atUs) => {
      nowUs = micros(atUs);
      const sender = (senders[client] ??= senderOf(clients.names[client]!));
      const endpoint = (endpoints[target] ??= endpointOf(targets!.names[target]!));
      const outcome = begin(own, { ...sender, ...endpoint });
      if (outcome.kind !== "done") throw new Error("a world with throttling cannot be replayed");
      delayUs = outcome.decision?.delayUs ?? 0;
      if (outcome.refused === null) return 0;
      return outcome.decision === null ? REJECTED : outcome.decision.retryAfterUs;
    },
    delayUs: () => delayUs,
    makeRoom: () => {},
  };
}

/** Logs have the ids of keys more often than their credentials, which are secret. */
const credentialsById = ({ keys }: Configuration): ReadonlyMap<string, string> =>
  new Map([...keys].map(([credential, { id }]) => [id, credential]));

/** A throttled request waits and tries again, which a replay does not simulate. */
export function hasThrottling({ keys, policies }: Configuration): boolean {
  const inRights = (rights: ReadonlyMap<string, AccessRight> | null): boolean =>
    [...(rights?.values() ?? [])].some(({ throttle }) => throttle !== null);
  return [...keys.values(), ...policies.values()].some(
    ({ throttle, accessRights }) => throttle !== null || inRights(accessRights),
  );
}
