// Requests without a response (LIM-C18): each is a row with its times and its reason, and a client that retries sends it again.
import { describe, expect, test } from "vitest";
import {
  NO_GATEWAY,
  isLost,
  REASONS,
  type History,
  type Requests,
} from "#src/lab/scenario/history.ts";
import { orders, play, statuses } from "./plays.ts";

const S = 1_000_000;
const keys = { alice: { apis: ["orders"], rate: 1, per: 10 } };
const wide = { keys: { alice: { ...keys.alice, rate: 9 } } };
const burst = (count: number, more: object = {}): object => ({
  as: "alice",
  send: "GET /orders",
  burst: count,
  ...more,
});
const slowNetwork = { network: { latency: "1s" } };
const slowStore = { store: { latency: "1s" }, gateway: { store_timeout: 9 } };
const slowUpstream = { upstream: { time: "1s" } };
const inQueue = { gateway: { algorithm: "leaky_bucket", queue: 5 } };

const crashAt = (at: string, node = 0): object => ({ at, gateway: "crash", node });
const restartAt = (at: string, node = 0): object => ({ at, gateway: "restart", node });

const playWith = (world: object, traffic: readonly object[], faults: readonly object[]): History =>
  play({ world: { apis: orders(), keys, ...world }, traffic, faults });

/** "ended at 0: 0.5 to 1" of a request sent to gateway 0 at 0.5 s and lost at 1 s; "200" of one with a response. */
function inWords({ requests }: Pick<History, "requests">): readonly string[] {
  return Array.from({ length: requests.length }, (_, row) => {
    if (!isLost(requests.status[row]!)) return String(requests.status[row]);
    const gateway = requests.gateway[row]!;
    const times = (["sentUs", "fromUs", "toUs", "answeredUs"] as const).map(
      (name) => requests[name][row]! / S,
    );
    const [sent, from, to, known] = times;
    const span = sent === from && to === known ? `${sent} to ${to}` : times.join(" ");
    return `${REASONS[requests.reason[row]!]} at ${gateway === NO_GATEWAY ? "none" : gateway}: ${span}`;
  });
}

describe("a request is lost with its gateway", () => {
  test.each<[string, object, string, readonly string[]]>([
    ["before it has arrived", slowNetwork, "500ms", ["ended at 0: 0 to 0.5"]],
    ["while the store works", slowStore, "1500ms", ["ended at 0: 0 to 1.5"]],
    ["while the upstream works", slowUpstream, "500ms", ["ended at 0: 0 to 0.5"]],
    [
      "while it is throttled",
      {
        keys: { alice: { ...keys.alice, rate: 0, throttle_interval: 2, throttle_retry_limit: 3 } },
      },
      "3s",
      ["ended at 0: 0 to 3"],
    ],
  ])("%s", (_, world, at, expected) => {
    for (const fault of [crashAt(at), restartAt(at)]) {
      const { requests } = playWith(world, [burst(1)], [fault]);
      expect(inWords({ requests })).toEqual(expected);
      expect([...requests.stampUs]).toEqual([Number.NaN]);
    }
  });

  test("while it waits for its turn, and the gateway has responded to those before", () => {
    const history = playWith(inQueue, [burst(3)], [crashAt("15s")]);
    expect(inWords(history)).toEqual(["200", "200", "ended at 0: 0 to 15"]);
    expect([...history.requests.delayUs]).toEqual([0, 10 * S, 0]);
  });

  test("and not after its response has left, or once it is refused", () => {
    expect(inWords(playWith(slowUpstream, [burst(1)], [crashAt("1001ms")]))).toEqual(["200"]);
    const onItsWayBack = playWith(slowNetwork, [burst(1)], [crashAt("1500ms")]);
    expect(inWords(onItsWayBack)).toEqual(["200"]);
    expect([...onItsWayBack.requests.answeredUs]).toEqual([2 * S]);
    const refused = playWith(slowUpstream, [burst(2)], [crashAt("500ms")]);
    expect(inWords(refused)).toEqual(["429", "ended at 0: 0 to 0.5"]);
  });

  test("although the store has counted it", () => {
    const traffic = [burst(1), burst(1, { name: "later", at: "5s" })];
    const history = playWith(slowUpstream, traffic, [restartAt("500ms")]);
    expect(inWords(history)).toEqual(["ended at 0: 0 to 0.5", "429"]);
  });

  test("and not with another one", () => {
    const world = { ...slowUpstream, ...wide, fleet: { nodes: 2 } };
    const history = playWith(world, [burst(4)], [crashAt("500ms", 1)]);
    const { requests } = history;
    const lost = [...requests.status.keys()].filter((row) => isLost(requests.status[row]!));
    expect(lost.map((row) => requests.gateway[row])).toEqual([1, 1]);
    expect(statuses(history).filter((status) => status === 200)).toHaveLength(2);
  });

  test("and not with one that leaves, which finishes its requests", () => {
    for (const world of [slowNetwork, slowStore, slowUpstream, inQueue]) {
      const leaves = { at: "500ms", gateway: "leave", node: 0 };
      expect(inWords(playWith(world, [burst(1)], [leaves]))).toEqual(["200"]);
    }
    expect(
      inWords(playWith(inQueue, [burst(3)], [{ at: "15s", gateway: "leave", node: 0 }])),
    ).toEqual(["200", "200", "200"]);
  });
});

test.each(["crash", "leave"])("after a %s no gateway takes a request", (gateway) => {
  const later = burst(2, { at: "3s" });
  const history = playWith(slowNetwork, [later], [{ at: "1s", gateway, node: 0 }]);
  expect(inWords(history)).toEqual(["unreachable at none: 3 to 3", "unreachable at none: 3 to 3"]);
});

test("the row of a lost request has its API, its key and its cost, and no header, budget or command", () => {
  const world = { ...slowUpstream, ...wide };
  const traffic = [
    burst(1, { cost: 3 }),
    burst(1, { name: "none", as: undefined, at: "2s" }),
    burst(1, { name: "unreached", at: "2s" }),
  ];
  const { header, requests } = playWith(world, traffic, [crashAt("500ms")]);
  const nameIn = (names: readonly string[], column: "api" | "key", row: number): string =>
    names[requests[column][row]!] ?? "none";
  const rows = [...requests.status.keys()];
  expect(rows.map((row) => nameIn(header.apis, "api", row))).toEqual([
    "orders",
    "orders",
    "orders",
  ]);
  expect(rows.map((row) => nameIn(header.keys, "key", row))).toEqual(["alice", "none", "alice"]);
  expect([...requests.cost]).toEqual([3, 1, 1]);
  const absent = ["budget", "body", "policy", "standing"] as const;
  for (const column of absent) expect([...requests[column]]).toEqual([-1, -1, -1]);
  const unknown = ["retryAfterS", "limit", "remaining", "resetUs", "stampUs"] as const;
  for (const column of unknown) expect(requests[column].every(Number.isNaN)).toBe(true);
  const none = ["delayUs", "commandsBefore", "commandsAll"] as const;
  for (const column of none) expect([...requests[column]]).toEqual([0, 0, 0]);
});

describe("a client sends a lost request again", () => {
  const attemptsIn = ({ requests }: { readonly requests: Requests }): readonly string[] => {
    const words = inWords({ requests });
    const rows = [...words.keys()].toSorted((a, b) => requests.sentUs[a]! - requests.sentUs[b]!);
    return rows.map(
      (row) => `${requests.attempt[row]} at ${requests.sentUs[row]! / S}: ${words[row]}`,
    );
  };
  const backoff = { backoff: { base: "1s", factor: 2, maxAttempts: 4 } };

  test("after its backoff, until a gateway serves again", () => {
    const world = { ...slowUpstream, ...wide };
    const faults = [crashAt("500ms"), restartAt("3s")];
    const history = playWith(world, [burst(1, { behaviour: backoff })], faults);
    expect(attemptsIn(history)).toEqual([
      "0 at 0: ended at 0: 0 to 0.5",
      "1 at 1.5: unreachable at none: 1.5 to 1.5",
      "2 at 3.5: 200",
    ]);
    expect([...history.requests.plannedUs]).toEqual([0, 0, 0]);
  });

  test("to another gateway", () => {
    const world = { ...slowNetwork, ...wide, fleet: { nodes: 2 } };
    const history = playWith(world, [burst(1, { behaviour: backoff })], [crashAt("500ms")]);
    expect(attemptsIn(history)).toEqual(["0 at 0: ended at 0: 0 to 0.5", "1 at 1.5: 200"]);
    expect([...history.requests.gateway]).toEqual([0, 1]);
  });

  test("no more often than it would after refusals", () => {
    const history = playWith({}, [burst(1, { at: "1s", behaviour: backoff })], [crashAt("500ms")]);
    expect(attemptsIn(history).map((text) => text.slice(0, 6))).toEqual([
      "0 at 1",
      "1 at 2",
      "2 at 4",
      "3 at 8",
    ]);
  });

  test.each(["ignore", "honourRetryAfter"])(
    "but not with %s: no header names a time",
    (behaviour) => {
      const history = playWith(slowNetwork, [burst(1, { behaviour })], [restartAt("500ms")]);
      expect(attemptsIn(history)).toEqual(["0 at 0: ended at 0: 0 to 0.5"]);
    },
  );

  test("and one that sends one request at a time goes on with the next one after the last attempt", () => {
    const twice = { backoff: { base: "1s", factor: 2, maxAttempts: 2 } };
    const traffic = [burst(2, { sequential: true, behaviour: twice })];
    const faults = [restartAt("500ms"), restartAt("2s")];
    expect(attemptsIn(playWith(slowNetwork, traffic, faults))).toEqual([
      "0 at 0: ended at 0: 0 to 0.5",
      "1 at 1.5: ended at 0: 1.5 to 2",
      "0 at 2: 200",
    ]);
  });

  test("one that sends one at a time knows of the loss of a delayed or slow response when it happens", () => {
    const once = [burst(2, { sequential: true })];
    const world = { ...slowUpstream, ...wide };
    expect(attemptsIn(playWith(world, once, [restartAt("500ms")]))).toEqual([
      "0 at 0: ended at 0: 0 to 0.5",
      "0 at 0.5: 200",
    ]);
    const three = [burst(3, { sequential: true })];
    expect(attemptsIn(playWith(inQueue, three, [restartAt("5s")]))).toEqual([
      "0 at 0: 200",
      "0 at 0: ended at 0: 0 to 5",
      "0 at 5: 200",
    ]);
  });

  test("of ATB once it has a token, at the rate that responses alone change", () => {
    const atb = { atb: { perMinute: 60, maxAttempts: 3 } };
    const world = { ...slowNetwork, ...wide };
    const history = playWith(world, [burst(2, { behaviour: atb })], [restartAt("500ms")]);
    expect(attemptsIn(history)).toEqual([
      "0 at 0: ended at 0: 0 to 0.5",
      "1 at 1: 200",
      "0 at 3: 200",
    ]);
  });
});
