// A configuration on several instances: its decisions are those of instances that are replayed alone.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { KINDS } from "#src/lab/implementations/readers.ts";
import { startCandidate, type Candidate } from "#src/studies/replay/candidates.ts";
import { countersOf, sharesCounters, type Fleet } from "#src/studies/replay/fleet.ts";
import { hashOf } from "#src/studies/replay/names.ts";
import { KONG_READER } from "#src/lab/implementations/kong/read.ts";
import { mustRead } from "../../lab/implementations/read-and-play.ts";
import { holdsUntil } from "../../runs.ts";
import {
  addressOf,
  nameTable,
  randomLog,
  randomPair,
  START_US,
  type LoggedRequest,
} from "../diff/requests.ts";

const SENDER = [{ kind: "field of every log", name: "ip" }] as const;

/** Which requests are refused; targets have the address of their client. */
function decideRequests(
  candidate: Candidate,
  requests: readonly LoggedRequest[],
): { readonly refused: readonly boolean[]; readonly rules: readonly number[] } {
  const targetOf = ({ client, path }: LoggedRequest): string =>
    `GET /${path}\u001F${addressOf(client)}`;
  const targets = [...new Set(requests.map(targetOf))];
  const limiter = startCandidate(candidate, {
    clients: nameTable([0, 1, 2, 3, 4, 5].map(addressOf)),
    targets: nameTable(targets),
    sender: SENDER,
  });
  limiter.makeRoom(6);
  const refused = requests.map(
    (each) => limiter.decide(each.client, targets.indexOf(targetOf(each)), each.atUs) !== 0,
  );
  return { refused, rules: (limiter.ruleCounts?.() ?? []).map(({ counted }) => counted) };
}

const instanceOf: Record<Fleet["balancer"], (of: number, client: number, at: number) => number> = {
  "round-robin": (of, _, at) => at % of,
  sticky: (of, client) => hashOf(addressOf(client)) % of,
};

const randomFleet: fc.Arbitrary<Fleet> = fc.record({
  instances: fc.constantFrom(1, 2, 3, 4, 4), // one instance alone decides as all
  sharesCounters: fc.constant(false),
  balancer: fc.constantFrom("round-robin", "sticky"),
});

let apart = 0;
test("instances that count apart decide as if each were alone with its requests", async () => {
  const property = fc.property(randomPair, randomFleet, randomLog, (pair, fleet, requests) => {
    const together = decideRequests({ ...pair.before, fleet }, requests);
    const shared = { ...fleet, sharesCounters: true };
    const one = decideRequests({ ...pair.before, fleet: shared }, requests);
    expect(one).toEqual(decideRequests(pair.before, requests));
    const numbered = requests.map((request, at) => ({
      request,
      at,
      instance: instanceOf[fleet.balancer](fleet.instances, request.client, at),
    }));
    const refused: boolean[] = [];
    for (let instance = 0; instance < fleet.instances; instance++) {
      const own = numbered.filter((each) => each.instance === instance);
      const alone = decideRequests(
        pair.before,
        own.map(({ request }) => request),
      );
      for (const [row, { at }] of own.entries()) refused[at] = alone.refused[row]!;
    }
    expect(together.refused).toEqual(refused);
    expect(together.rules).toEqual(one.rules);
    if (one.refused.some((each, at) => each !== refused[at])) apart++;
  });
  await holdsUntil(20, () => apart, property, 50);
});

test("programs with a store of all instances share counters, unless the fleet has another word for it", () => {
  const fleet: Fleet = { instances: 4, sharesCounters: null, balancer: "sticky" };
  const shared = KINDS.filter((kind) => sharesCounters(kind, fleet));
  expect(shared).toEqual(expect.arrayContaining(["envoy-ratelimit", "spring-cloud-gateway"]));
  expect(countersOf("nginx", fleet)).toBe(4);
  expect(countersOf("nginx", { ...fleet, sharesCounters: true })).toBe(1);
  expect(countersOf("envoy-ratelimit", { ...fleet, sharesCounters: false })).toBe(4);
  expect(countersOf("nginx", undefined)).toBe(1);
});

const KONG = (policies: readonly string[]): string => `_format_version: "3.0"
services:
- url: http://a
  routes:
${policies
  .map(
    (policy, at) => `  - paths: [/${at}]
    plugins: [{ name: rate-limiting, config: { minute: 1, limit_by: ip, policy: ${policy} } }]`,
  )
  .join("\n")}
`;

test.each<
  readonly [policies: readonly string[], path: number, fleet: Partial<Fleet>, refused: number]
>([
  [["local"], 0, {}, 4],
  [["redis"], 0, {}, 7],
  [["redis"], 0, { sharesCounters: false }, 4],
  [["local", "cluster"], 0, {}, 4],
  [["local", "cluster"], 1, {}, 7],
])(
  "Kong with policies %j on 4 instances refuses of 8 requests to /%i, with %j, %i",
  (policies, path, fleet, refused) => {
    const configuration = mustRead(KONG_READER, KONG(policies));
    const candidate = { kind: "rules", file: "kong.yaml", configuration } as const;
    const requests = Array.from({ length: 8 }, () => ({ atUs: START_US, client: 0, path }));
    const onFour = {
      instances: 4,
      sharesCounters: null,
      balancer: "round-robin",
      ...fleet,
    } as const;
    const decided = decideRequests({ ...candidate, fleet: onFour }, requests);
    expect(decided.refused.filter(Boolean)).toHaveLength(refused);
    expect(decided.rules[path]).toBe(8);
  },
);
