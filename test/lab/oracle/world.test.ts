// What the oracle uses of a run, from the scenario and from the history.
import { expect, test } from "vitest";
import type { Distribution } from "#src/kit/chance/distribution.ts";
import { limitOf } from "#src/limiter/core/limit.ts";
import { micros, secondsToMicros } from "#src/kit/units.ts";
import {
  countCredentials,
  credentialOf,
  worldOf,
  type FlowCredential,
  type OracleWorld,
} from "#src/lab/oracle/world.ts";
import type { Timing } from "#src/lab/scenario/history.ts";
import type { Fault, Flow } from "#src/lab/scenario/types.ts";
import { BOUNDED, historyOf } from "../../histories/history.ts";
import {
  configuration,
  key,
  variantOf,
  type FaultText,
  type VariantText,
} from "../../histories/world.ts";
import { oracleWorld } from "./evaluate.ts";

const us = secondsToMicros;
const becomes = (atS: number, rate: number): FaultText => ({
  kind: "configure",
  atUs: us(atS),
  configuration: configuration({ keys: [key("alice", { limit: limitOf(rate, 1) })] }),
});

/** "9 s: 5" is a limit of 5 from 9 s on. */
const epochs = ({ epochs: all }: OracleWorld): string =>
  all
    .slice(1)
    .map(({ atUs, configuration: { keys } }) => {
      const [{ limit } = key("")] = [...keys.values()];
      return `${atUs / 1e6} s: ${limit?.rate}`;
    })
    .join(", ");

test("a world with errors is null", () => {
  expect(worldOf(variantOf({ broken: true }))).toBeNull();
});

test("before every change the world applies as it is written", () => {
  expect(oracleWorld({}).epochs.map(({ atUs }) => atUs)).toEqual([Number.NEGATIVE_INFINITY]);
});

const EXACT: Timing = { kind: "exact" };
test.each([
  [EXACT, "1 s: 1, 2 s: 2, 3 s: 3"],
  [BOUNDED, "1.3 s: 1, 2.4 s: 2, 3 s: 3"],
] as const)(
  "changes apply in the order of their times, in real time from the recorded moments: %j %s",
  (timing, expected) => {
    const variant = variantOf({ faults: [becomes(2, 2), becomes(3, 3), becomes(1, 1)] });
    const span = (what: "fault" | "fallback", text: string, fromS: number, toS: number) => ({
      what,
      gateway: null,
      fromUs: us(fromS),
      toUs: us(toS),
      text,
    });
    const spans = [
      span("fault", "configure", 2.1, 2.4),
      span("fallback", "configure", 0.1, 0.2),
      span("fault", "store_restart", 0.3, 0.4),
      span("fault", "configure", 1.1, 1.3),
    ];
    const world = worldOf(variant, historyOf({ timing, spans }));
    expect(epochs(world!)).toBe(expected);
    expect(epochs(worldOf(variant)!)).toBe("1 s: 1, 2 s: 2, 3 s: 3");
  },
);

test("restarts, crashes and leaving gateways lose state", () => {
  const gateways = ["gateway_restart", "gateway_crash", "gateway_leave"] as const;
  const faults: readonly Fault[] = [
    { kind: "store_restart", atUs: us(1) },
    ...gateways.map((kind, node) => ({ kind, atUs: us(2 + node), node })),
    { kind: "gateway_join", atUs: us(6), count: 1 },
    { kind: "store_down", fromUs: us(7), toUs: us(8) },
  ];
  expect(oracleWorld({ faults })).toMatchObject({
    storeRestartsUs: [us(1)],
    gatewayRestarts: [
      { gateway: 0, atUs: us(2) },
      { gateway: 1, atUs: us(3) },
      { gateway: 2, atUs: us(4) },
    ],
  });
});

const free = { perCommandUs: 0, perEntryUs: 0 };
const constant = (of: number): Distribution => ({ kind: "constant", us: micros(of) });
test.each<[Distribution, typeof free, number]>([
  [constant(0), free, 0],
  [constant(5), free, 80],
  [{ kind: "uniform", fromUs: micros(1), toUs: micros(7) }, free, 112],
  [{ kind: "exponential", meanUs: micros(10) }, free, 3360],
  [{ kind: "lognormal", medianUs: micros(4), p99Us: micros(8) }, free, 16 * 4 * 2 ** 2.6],
  [constant(0), { perCommandUs: 3, perEntryUs: 0 }, 240],
  [constant(0), { perCommandUs: 0, perEntryUs: 2 }, 160_000],
  [constant(5), { perCommandUs: 3, perEntryUs: 2 }, 160_320],
])("with %j and %j one request may be under way for %d us", (storeUs, storeCost, flightUs) => {
  expect(oracleWorld({ environment: { storeUs, storeCost } }).storeFlightUs).toBe(flightUs);
});

test("a store that is slow for a while may be slow all the while", () => {
  const slow = (of: number): Fault => ({
    kind: "store_slow",
    fromUs: us(1),
    toUs: us(2),
    latencyUs: constant(of),
  });
  const flight = (more: VariantText): number => oracleWorld(more).storeFlightUs;
  const environment = { storeUs: constant(5) };
  expect([
    flight({ faults: [slow(3), slow(9)] }),
    flight({ faults: [slow(3)], environment }),
    flight({ faults: [slow(9)], environment }),
  ]).toEqual([144, 80, 144]);
});

test.each<[string | null, Flow["headers"], number, string | null]>([
  [null, {}, 0, null],
  [null, { Accept: "x" }, 0, null],
  [null, { Authorization: "secret" }, 0, "secret"],
  [null, { AUTHORIZATION: "Bearer  secret" }, 0, "secret"],
  [null, { Authorization: "a bearer secret" }, 0, "a bearer secret"],
  [null, { Accept: "x", "X-Api-Key": "secret" }, 0, "secret"],
  ["stranger", {}, 0, "stranger"],
  ["alice", {}, 0, "alice"],
  ["team", {}, 0, "one"],
  ["team", {}, 1, "two"],
  ["team", {}, 2, "one"],
  ["nobody", {}, 0, null],
  ["alice", { "X-API-Key": "secret" }, 0, "alice"],
  [null, { "X-API-Key": "secret", Authorization: "bearer other" }, 0, "other"],
  ["alice", { authorization: "secret" }, 0, "two"],
  [null, { "X-API-Key": "secret", "x-api-key": "secret" }, 0, "two"],
])("a flow as %j with %j: its client %d presents %j", (as, headers, client, presented) => {
  const variant = variantOf();
  const credentials = new Map([
    ...variant.world.credentials,
    ["team", ["one", "two"]] as const,
    ["nobody", []] as const,
  ]);
  const world = { ...oracleWorld({}), credentials };
  const count = countCredentials(world, as);
  const [{ credential, isAmbiguous }, later] = [client, client + count].map((one) =>
    credentialOf(world, { as, headers }, one),
  ) as [FlowCredential, FlowCredential];
  expect(later.credential).toBe(credential);
  expect(isAmbiguous ? "two" : credential).toBe(presented);
});
