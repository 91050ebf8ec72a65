import { describe, expect, test } from "vitest";
import { decodeScenario, problemsOf, small } from "./examples.ts";

const FLEET = small("  keys:", "  fleet: { nodes: 3 }\n  keys:").replace(
  "burst: 8",
  "every: 1s, count: 11",
);
const withFaults = (faults: readonly string[]): string =>
  `${FLEET}faults:\n${faults.map((fault) => `  - ${fault}\n`).join("")}`;
const faultsOf = (...faults: readonly string[]): unknown =>
  decodeScenario(withFaults(faults)).variants[0]?.faults;
const faultProblems = (...faults: readonly string[]): readonly string[] =>
  problemsOf(withFaults(faults));

describe("injected faults", () => {
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
    ["{ at: 1s, store: down }", 'SCN-MISSING-FIELD "store" needs "for"; write for: 2s'],
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
      "SCN-NAME there is no gateway 3 at that time; the numbers go from 0 to 2",
    ],
    [
      "{ at: 1s, gateway: join, node: 1 }",
      'SCN-UNKNOWN-FIELD "node" does not go with "join"; write nodes: 1',
    ],
    [
      "{ at: 1s, gateway: crash, node: 1, nodes: 2 }",
      'SCN-UNKNOWN-FIELD "nodes" does not go with "crash"; write node: 0',
    ],
    [
      "{ store: restart }",
      'SCN-MISSING-FIELD an injected fault needs "at": When it happens, or begins.',
    ],
    [
      "{ at: 1s }",
      "SCN-MISSING-FIELD an injected fault needs one of store, gateway, clock, configure",
    ],
    [
      "{ at: 1s, configure: { kyes: {} } }",
      'SCN-UNKNOWN-FIELD "kyes" is not a part of the configuration; did you mean "keys"?',
    ],
    [
      "{ at: 1s, configure: { keys: { alise: { rate: 9 } } } }",
      'SCN-NAME no key is called "alise" at that time; did you mean "alice"?',
    ],
    [
      "{ at: 1s, configure: { keys: { zoe: null } } }",
      'SCN-NAME no key is called "zoe" at that time; known: alice',
    ],
    [
      "{ at: 1s, configure: { apis: { ordrs: { rate: 9, per: 1 } } } }",
      'SCN-NAME no API is called "ordrs" at that time; did you mean "orders"?',
    ],
    ["{ at: 1s, configure: { keys: { alice: { rate: 0.5 } } } }", "CFG-RATE-FRACTION "],
  ])("%s is reported", (fault, line) => {
    expect(faultProblems(fault).map((each) => each.slice(0, line.length))).toEqual([line]);
  });

  test("are each reported, whatever the others are", () => {
    expect(
      faultProblems(
        "{ at: 1s, gateway: crash, node: 3 }",
        "{ at: 1s, store: down }",
        "{ at: 1s, configure: { keys: { alise: { rate: 9 } } } }",
        "now",
      ).map((line) => line.slice(0, 40)),
    ).toEqual([
      "SCN-NAME there is no gateway 3 at that t",
      `SCN-MISSING-FIELD "store" needs "for"; w`,
      'SCN-NAME no key is called "alise" at tha',
      'SCN-VALUE "now" is not an injected fault',
    ]);
  });

  test("that cannot be read may have created what the others name", () => {
    const joined = "{ at: 1s, gateway: join, count: 2 }";
    const unread = 'SCN-UNKNOWN-FIELD "count" is not a field of an injected fault';
    const crash = "{ at: 2s, gateway: crash, node: 4 }";
    expect(faultProblems(joined, crash).map((line) => line.slice(0, unread.length))).toEqual([
      unread,
    ]);
  });

  const LATE =
    "warning SCN-LATE-FAULT this begins after the last request, so nothing meets it; let it begin earlier, or send for longer";
  test.each([
    ["burst: 8", "0s", []],
    ["burst: 8", "1us", [LATE]],
    ["every: 1s, count: 3", "2s", []],
    ["every: 1s, count: 3", "2.1s", [LATE]],
    ["rate: 10, for: 3s", "2.99s", []],
    ["rate: 10, for: 3s", "3s", [LATE]],
    ["stages: [{ name: one, rate: 1, for: 3s }], at: 1s", "3.9s", []],
    ["stages: [{ name: one, rate: 1, for: 3s }], at: 1s", "4s", [LATE]],
    ["trace: { times: [3s, 1s] }", "3s", []],
    ["trace: { times: [3s, 1s] }", "4s", [LATE]],
    ["burst: 8, behaviour: honourRetryAfter", "4s", []],
  ])("with %s, at %s, may meet no request", (shape, at, problems) => {
    const text = small("burst: 8", shape);
    expect(problemsOf(`${text}faults:\n  - { at: ${at}, store: restart }\n`)).toEqual(problems);
    const farAway = text.replace("  keys:", "  upstream: { time: 1s }\n  keys:");
    expect(problemsOf(`${farAway}faults:\n  - { at: ${at}, store: restart }\n`)).toEqual([]);
  });

  test("that configure are merged one after the other, in the order of their times", () => {
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

  test("that configure report a problem once if later ones have it too", () => {
    expect(
      faultProblems(
        "{ at: 1s, configure: { keys: { alice: { rte: 20 } } } }",
        "{ at: 2s, configure: { keys: { alice: { rate: 20 } } } }",
        "{ at: 3s, configure: { keys: { alice: { prr: 2 } } } }",
      ),
    ).toEqual([
      'CFG-UNKNOWN-FIELD "rte" is not a field of a key; did you mean "rate"?',
      'CFG-UNKNOWN-FIELD "prr" is not a field of a key; did you mean "per"?',
    ]);
  });

  test("that configure may use a new name that is similar to an old one", () => {
    const text = FLEET.replace(
      "traffic:",
      "traffic:\n  - { as: alice2, send: GET /orders, burst: 1, at: 2s }",
    );
    const patch = [
      "policies: { gold: { rate: 9, per: 1, apis: [orders] } }",
      "keys: { alice2: { apply_policies: [gold] } }",
      "apis: { orders2: { listen: /orders2 } }",
    ].join(", ");
    expect(problemsOf(`${text}faults:\n  - { at: 1s, configure: { ${patch} } }\n`)).toEqual([]);
  });

  test("that configure a policy name an existing one, or one that a key lists", () => {
    const text = small(
      "  keys: { alice: { apis: [orders], rate: 5, per: 1 }",
      "  policies: { gold: { rate: 5, per: 1, apis: [orders] } }\n  keys: { alice: { apply_policies: [gold] }",
    ).replace("burst: 8", "every: 1s, count: 4");
    const problemsOfPatch = (patch: string): readonly string[] =>
      problemsOf(`${text}faults:\n  - { at: 1s, configure: ${patch} }\n`);
    expect(problemsOfPatch("{ policies: { glod: { rate: 9 } } }")).toEqual([
      'SCN-NAME no policy is called "glod" at that time; did you mean "gold"?',
    ]);
    const listed =
      "{ policies: { bold: { rate: 9, per: 1, apis: [orders] } }, keys: { alice: { apply_policies: [bold] } } }";
    expect(problemsOfPatch(listed)).toEqual([]);
  });

  test("that configure create keys that traffic may use", () => {
    const text = small(
      "burst: 8 }",
      "burst: 8 }\n  - { as: bob, send: GET /orders, burst: 8, at: 2s }",
    );
    expect(problemsOf(text)).toEqual([
      'SCN-NAME no key of the world is called "bob"; known: alice',
    ]);
    const later = `${text}faults:\n  - { at: 1s, configure: { keys: { bob: { apis: [orders], rate: 1, per: 1 } } } }\n`;
    expect([...(decodeScenario(later).variants[0]?.world.credentials.keys() ?? [])]).toEqual([
      "alice",
      "bob",
    ]);
  });
});
