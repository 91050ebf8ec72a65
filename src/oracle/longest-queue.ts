// How long requests of a configuration may wait for their turns (ALG-C10).
import { SPECS } from "../spec/by-algorithm.ts";
import type { OracleConfiguration, OracleEndpointLimit, OracleLimit } from "./configured.ts";

/** The longest delay that any of its limits can cause, by the clock that stamps the requests; 0: none delays. */
export function longestQueueUs(configuration: OracleConfiguration): number {
  const { algorithm, queue } = configuration.options;
  if (algorithm === null || !SPECS[algorithm].delays) return 0;
  const delays = limitsIn(configuration)
    .filter(({ rate }) => rate >= 1)
    .map(({ rate, perUs }) => ((queue === "rate" ? Math.floor(rate) : queue) * perUs) / rate);
  return Math.ceil(Math.max(0, ...delays));
}

interface Limited {
  readonly limit: OracleLimit | null;
  readonly endpoints: readonly OracleEndpointLimit[];
}

function limitsIn({ apis, policies, keys }: OracleConfiguration): OracleLimit[] {
  const atEndpoints = ({ limit, endpoints }: Limited): (OracleLimit | null)[] => [
    limit,
    ...endpoints.map((endpoint) => endpoint.limit),
  ];
  const limits = [
    ...[...apis.values()].flatMap(({ globalRateLimit, endpoints }) =>
      atEndpoints({ limit: globalRateLimit, endpoints }),
    ),
    ...[...policies.values(), ...keys.values()].flatMap(({ limit, accessRights }) => [
      limit,
      ...[...accessRights.values()].flatMap(atEndpoints),
    ]),
  ];
  return limits.filter((limit) => limit !== null);
}
