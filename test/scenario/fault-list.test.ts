import { describe, expect, test } from "vitest";
import { decoded, saidOf, small } from "./examples.ts";

const FLEET = small("  keys:", "  fleet: { nodes: 3 }\n  keys:");
const withFaults = (faults: readonly string[]): string =>
  `${FLEET}faults:\n${faults.map((fault) => `  - ${fault}\n`).join("")}`;
const faultsOf = (...faults: readonly string[]): unknown =>
  decoded(withFaults(faults)).variants[0]?.faults;
const faultsSaid = (...faults: readonly string[]): readonly string[] => saidOf(withFaults(faults));

describe("faults", () => {
  test("are a list by time", () => {
    expect(
      faultsOf(
        "{ at: 9s, gateway: leave, node: 0 }",
        "{ at: 1s, for: 2s, store: down }",
        "{ at: 2s, for: 1s, store: { latency: 20ms } }",
        "{ at: 4s, store: restart }",
        "{ at: 5s, gateway: crash, node: 2 }",
        "{ at: 6s, gateway: join, nodes: 2 }",
        "{ at: 7s, gateway: restart, node: 4 }",
        "{ at: 8s, clock: { skew: -50ms }, node: 1 }",
      ),
    ).toEqual([
      { kind: "store_down", fromUs: 1_000_000, toUs: 3_000_000 },
      {
        kind: "store_slow",
        fromUs: 2_000_000,
        toUs: 3_000_000,
        latencyUs: { kind: "constant", us: 20_000 },
      },
      { kind: "store_restart", atUs: 4_000_000 },
      { kind: "gateway_crash", atUs: 5_000_000, node: 2 },
      { kind: "gateway_join", atUs: 6_000_000, count: 2 },
      { kind: "gateway_restart", atUs: 7_000_000, node: 4 },
      { kind: "clock_skew", atUs: 8_000_000, node: 1, skewUs: -50_000 },
      { kind: "gateway_leave", atUs: 9_000_000, node: 0 },
    ]);
  });

  test.each<[fault: string, said: string]>([
    [
      "{ at: 1s, store: down }",
      'SCN-MISSING-FIELD a fault of the store needs "for"; write for: 2s',
    ],
    [
      "{ at: 1s, for: 1s, store: restart }",
      'SCN-UNKNOWN-FIELD "for" does not go with "restart": it takes no time; write down and for, then restart at its end',
    ],
    [
      "{ at: 1s, for: 1s, store: dwon }",
      'SCN-VALUE "dwon" is not one of down, restart; did you mean "down"?',
    ],
    [
      "{ at: 1s, gateway: crash }",
      'SCN-MISSING-FIELD "crash" needs "node"; write which gateway, counted from 0',
    ],
    [
      "{ at: 1s, gateway: crash, node: 3 }",
      "SCN-NAME there is no gateway 3 at that time; they count from 0 to 2",
    ],
    [
      "{ at: 1s, gateway: join, node: 1 }",
      'SCN-UNKNOWN-FIELD "node" does not go with "join"; write nodes: 1',
    ],
    [
      "{ at: 1s, gateway: crash, node: 1, nodes: 2 }",
      'SCN-UNKNOWN-FIELD "nodes" does not go with "crash"; write node: 0',
    ],
    ["{ store: restart }", 'SCN-MISSING-FIELD a fault needs "at": When it happens, or begins.'],
    ["{ at: 1s }", "SCN-MISSING-FIELD a fault needs one of store, gateway, clock, configure"],
    [
      "{ at: 1s, configure: { kyes: {} } }",
      'SCN-UNKNOWN-FIELD "kyes" is not a part of the configuration; did you mean "keys"?',
    ],
    ["{ at: 1s, configure: { keys: { alice: { rate: 0.5 } } } }", "CFG-RATE-FRACTION "],
  ])("%s is told", (fault, line) => {
    expect(faultsSaid(fault).map((each) => each.slice(0, line.length))).toEqual([line]);
  });

  test("that configure are laid one over the other, in the order of their times", () => {
    const faults = faultsOf(
      "{ at: 2s, configure: { keys: { alice: { per: 2 } } } }",
      "{ at: 1s, configure: { keys: { alice: { rate: 7 }, bob: { apis: [orders], rate: 1, per: 1 } } } }",
      "{ at: 3s, configure: { keys: { bob: null } } }",
    );
    const limits = (
      faults as readonly {
        readonly configuration: {
          readonly keys: ReadonlyMap<
            string,
            {
              readonly id: string;
              readonly limit: { readonly rate: number; readonly perUs: number } | null;
            }
          >;
        };
      }[]
    ).map(({ configuration }) =>
      [...configuration.keys.values()].map(({ id, limit }) => [id, limit?.rate, limit?.perUs]),
    );
    expect(limits).toEqual([
      [
        ["alice", 7, 1_000_000],
        ["bob", 1, 1_000_000],
      ],
      [
        ["alice", 7, 2_000_000],
        ["bob", 1, 1_000_000],
      ],
      [["alice", 7, 2_000_000]],
    ]);
  });

  test("that configure make keys that traffic may use", () => {
    const text = small(
      "burst: 8 }",
      "burst: 8 }\n  - { as: bob, send: GET /orders, burst: 8, at: 2s }",
    );
    expect(saidOf(text)).toEqual(['SCN-NAME no key of the world is called "bob"; known: alice']);
    const later = `${text}faults:\n  - { at: 1s, configure: { keys: { bob: { apis: [orders], rate: 1, per: 1 } } } }\n`;
    expect([...(decoded(later).variants[0]?.world.credentials.keys() ?? [])]).toEqual([
      "alice",
      "bob",
    ]);
  });
});
