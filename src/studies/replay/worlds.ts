// A candidate that is a whole world. Its APIs, policies, keys and endpoints decide, in one gateway without sockets.
import { UNKNOWN_SENDER, type Sender } from "../../limiter/core/client.ts";
import type { AccessRight, Configuration, KeyBy } from "../../limiter/core/config.ts";
import { limiter, LOCAL_STORE_TRAITS } from "../../limiter/core/limiter.ts";
import { resolver } from "../../limiter/core/resolve/resolver.ts";
import { micros, type Micros } from "../../kit/units.ts";
import { begin } from "../../gateway/begin.ts";
import { gateway } from "../../gateway/gateway.ts";
import type { GatewayRequest } from "../../gateway/outcome.ts";
import { localStore, memoryStore } from "../../limiter/store/memory.ts";
import { SEPARATOR } from "./names.ts";
import { selectorText, type Selector } from "./selectors.ts";
import { REJECTED, type CandidateLimiter, type RequestNames } from "./candidate-limiter.ts";

export interface WorldCandidate {
  readonly kind: "world";
  readonly file: string;
  readonly configuration: Configuration;
  /** What the clients of the log are: addresses, or keys, which the log names by their credentials or ids. */
  readonly clientsAre: "addresses" | "keys";
}

export function startWorld(
  { configuration, clientsAre }: WorldCandidate,
  { clients, targets, sender: senderFields = [] }: RequestNames,
): CandidateLimiter {
  const store = localStore(memoryStore(), memoryStore());
  const inner = limiter(resolver(configuration), store, LOCAL_STORE_TRAITS, null);
  let nowUs: Micros = micros(0);
  let delayUs = 0;
  const own = gateway(inner, () => nowUs);
  const credentialOf = credentialsById(configuration);
  const endpoints: LoggedEndpoint[] = []; // indexed by the number of the target
  const fieldNames = senderFields.map(selectorText);
  const endpointOf = (name: string): LoggedEndpoint => {
    const [requestLine = "", ...values] = name.split(String.fromCodePoint(SEPARATOR));
    const space = requestLine.indexOf(" ");
    const fields = new Map(fieldNames.map((field, index) => [field, values[index]!]));
    return {
      method: requestLine.slice(0, space),
      target: requestLine.slice(space + 1),
      sender: {
        address: fields.get("ip") ?? UNKNOWN_SENDER.address,
        header: (header) => fields.get(`header:${header}`) || null, // an empty header counts as missing
      },
    };
  };
  return {
    decide: (client, number, atUs) => {
      nowUs = micros(atUs);
      const name = clients.names[client]!;
      const { method, target, sender } = (endpoints[number] ??= endpointOf(
        targets!.names[number]!,
      ));
      const request: GatewayRequest =
        clientsAre === "addresses"
          ? { method, target, credential: null, sender: { ...sender, address: name } }
          : { method, target, credential: credentialOf.get(name) ?? name, sender };
      const outcome = begin(own, request);
      if (outcome.kind !== "done") throw new Error("a world with throttling cannot be replayed");
      delayUs = outcome.decision?.delayUs ?? 0;
      if (outcome.refused === null) return 0;
      return outcome.decision === null ? REJECTED : outcome.decision.retryAfterUs;
    },
    delayUs: () => delayUs,
    makeRoom: () => {},
  };
}

interface LoggedEndpoint {
  readonly method: string;
  readonly target: string;
  readonly sender: Sender;
}

/** The fields of a sender that a configuration counts by (LIM-C17) or takes costs from (LIM-C19), without the key. */
export function senderFieldsOf({
  configuration: { apis, options },
  clientsAre,
}: WorldCandidate): readonly Selector[] {
  const keyBys: readonly KeyBy[] = [
    options.keyBy,
    ...[...apis.values()].flatMap(({ keyBy }) => keyBy ?? []),
  ];
  const headers = [
    ...keyBys.flatMap((keyBy) => (typeof keyBy === "object" ? keyBy.header : [])),
    ...(options.costHeader === null ? [] : [options.costHeader]),
  ];
  const needsAddress = clientsAre === "keys" && keyBys.some((keyBy) => keyBy !== "credential");
  return [
    ...[...new Set(headers)].map((name): Selector => ({ kind: "header", name })),
    ...(needsAddress ? [{ kind: "field of every log", name: "ip" } as const] : []),
  ];
}

/** Credentials by the id of their key: logs have ids more often, because credentials are secret. */
const credentialsById = ({ keys }: Configuration): ReadonlyMap<string, string> =>
  new Map([...keys].map(([credential, { id }]) => [id, credential]));

/** Whether requests may be throttled: they wait and try again, which a replay does not simulate. */
export function hasThrottling({ keys, policies }: Configuration): boolean {
  const inRights = (rights: ReadonlyMap<string, AccessRight> | null): boolean =>
    [...(rights?.values() ?? [])].some(({ throttle }) => throttle !== null);
  return [...keys.values(), ...policies.values()].some(
    ({ throttle, accessRights }) => throttle !== null || inRights(accessRights),
  );
}
