import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { asRequests, COLUMNS, emptyTable } from "#src/lab/scenario/history/columns.ts";
import { writeHistory } from "#src/lab/scenario/history/write.ts";
import { readHistory } from "#src/lab/scenario/history/read.ts";
import {
  HISTORY_FORMAT,
  NO_GATEWAY,
  NO_STATUS,
  REASONS,
  type History,
} from "#src/lab/scenario/history.ts";
import { formatProblem } from "#src/kit/reading/source.ts";
import { micros, NEVER } from "#src/kit/units.ts";
import { holds } from "../../runs.ts";

function historyOf(
  rows: readonly Readonly<Record<string, number>>[],
  more: Partial<History> = {},
): History {
  const table = emptyTable(rows.length);
  rows.forEach((row, index) => {
    for (const { name, usual } of COLUMNS)
      table[name][index] = row[name] ?? (typeof usual === "number" ? usual : table[usual][index]!);
  });
  return {
    header: {
      format: HISTORY_FORMAT,
      scenario: "limits/small",
      variant: "speed=5",
      axes: { speed: 5, order: ["a", null] },
      seed: 7,
      driver: "virtual",
      timing: { kind: "exact" },
      epochUs: micros(1_700_000_000_000_000),
      flows: [{ name: "first", as: null, method: "GET", path: "/orders", stages: ["calm"] }],
      keys: ["alice"],
      apis: ["orders"],
      budgets: [
        {
          name: "key:alice",
          scope: "quota",
          algorithm: "quota",
          rate: 5,
          perUs: NEVER,
          because: ["LIM-1"],
        },
      ],
      bodies: [{ error: "Rate Limit Exceeded" }],
      fields: ['"key";q=5;w=1'],
      addresses: ["10.0.0.7"],
    },
    requests: asRequests(table, rows.length),
    events: [],
    gauges: [],
    spans: [],
    calls: [],
    deliveries: [],
    store: { commands: 4, inner: 3, roundTrips: 2, peakEntries: 1, peakBytes: 50 },
    ...more,
  };
}

const textOf = (history: History): string => [...writeHistory(history)].join("");
const reread = (history: History): History | null =>
  readHistory("run.ndjson", textOf(history).split("\n")).history;
const problemLines = (text: string): readonly string[] =>
  readHistory("run.ndjson", text.split("\n")).problems.map(formatProblem);

const PLAIN = historyOf(
  [
    { plannedUs: 5, key: 0, api: 0, budget: 0 },
    { plannedUs: 6, status: 429, reason: 1, retryAfterS: 1, body: 0, key: 0, api: 0, budget: 0 },
  ],
  {
    events: [
      {
        event: "RatelimitExceeded",
        atUs: micros(6),
        stampUs: micros(6),
        gateway: 0,
        key: "alice",
        api: null,
        budget: "key:alice",
        value: null,
      },
    ],
    gauges: [
      {
        gauge: "allowance",
        atUs: micros(6),
        key: "alice",
        budget: "key:alice",
        gateway: null,
        value: 20.5,
      },
    ],
    spans: [
      {
        what: "store_down",
        gateway: null,
        fromUs: micros(1),
        toUs: NEVER,
        text: "the store is down",
      },
    ],
    calls: [
      {
        call: "raise",
        on: "admin",
        method: "PUT",
        path: "/admin/org/keys/alice",
        gateway: 1,
        plannedUs: micros(7),
        sentUs: micros(8),
        answeredUs: micros(9),
        status: 200,
        headers: { etag: '"2"' },
        body: { ID: "alice" },
      },
    ],
    deliveries: [
      {
        delivery: "d-1",
        webhook: "w1",
        event: "RatelimitExceeded",
        attempt: 1,
        sentUs: micros(9),
        endedUs: micros(10),
        method: "PUT",
        url: "https://hooks.example/",
        headers: { "webhook-id": "d-1" },
        body: null,
        status: null,
        error: "broke off",
        state: "waiting",
      },
    ],
  },
);

test("a history is lines that can be read", () => {
  expect(textOf(PLAIN).split("\n").slice(1)).toEqual([
    '{"request":0,"plannedUs":5,"key":0,"api":0,"budget":0}',
    '{"request":1,"plannedUs":6,"status":429,"reason":1,"key":0,"api":0,"budget":0,"body":0,"retryAfterS":1}',
    '{"event":"RatelimitExceeded","atUs":6,"stampUs":6,"gateway":0,"key":"alice","api":null,"budget":"key:alice","value":null}',
    '{"gauge":"allowance","atUs":6,"key":"alice","budget":"key:alice","gateway":null,"value":20.5}',
    '{"span":"store_down","gateway":null,"fromUs":1,"toUs":1e999,"text":"the store is down"}',
    '{"call":"raise","on":"admin","method":"PUT","path":"/admin/org/keys/alice","gateway":1,"plannedUs":7,"sentUs":8,"answeredUs":9,"status":200,"headers":{"etag":"\\"2\\""},"body":{"ID":"alice"}}',
    '{"delivery":"d-1","webhook":"w1","event":"RatelimitExceeded","attempt":1,"sentUs":9,"endedUs":10,"method":"PUT","url":"https://hooks.example/","headers":{"webhook-id":"d-1"},"body":null,"status":null,"error":"broke off","state":"waiting"}',
    '{"footer":true,"requests":2,"events":1,"gauges":1,"spans":1,"calls":1,"deliveries":1,"store":{"commands":4,"inner":3,"roundTrips":2,"peakEntries":1,"peakBytes":50}}',
    "",
  ]);
});

describe("a history that was written is read back", () => {
  test("with everything in it", () => {
    expect(reread(PLAIN)).toEqual(PLAIN);
    const bounded = {
      ...PLAIN,
      header: {
        ...PLAIN.header,
        timing: {
          kind: "bounded",
          jitterUs: micros(3),
          maxUs: micros(9),
          isStamped: true,
          stepUs: micros(2),
          clockUs: NEVER,
        } as const,
      },
    };
    expect(reread(bounded)).toEqual(bounded);
  });

  test("with lost requests, and a call that no gateway took", () => {
    const lost = { status: NO_STATUS, stampUs: Number.NaN, key: 0, api: 0 };
    const history = historyOf(
      [
        {
          ...lost,
          plannedUs: 5,
          toUs: 9,
          answeredUs: 9,
          reason: REASONS.indexOf("ended"),
          gateway: 1,
        },
        { ...lost, plannedUs: 7, reason: REASONS.indexOf("unreachable"), gateway: NO_GATEWAY },
      ],
      {
        calls: [{ ...PLAIN.calls[0]!, gateway: NO_GATEWAY, status: NO_STATUS, body: null }],
      },
    );
    expect(reread(history)).toEqual(history);
    expect(textOf(history).split("\n").slice(1, 3)).toEqual([
      '{"request":0,"plannedUs":5,"toUs":9,"stampUs":null,"status":0,"reason":10,"gateway":1,"key":0,"api":0}',
      '{"request":1,"plannedUs":7,"stampUs":null,"status":0,"reason":9,"gateway":65535,"key":0,"api":0}',
    ]);
  });

  test("with an infinite value of an event", () => {
    const [event] = PLAIN.events;
    for (const value of [Infinity, -Infinity, 2.5, null]) {
      const history = { ...PLAIN, events: [{ ...event!, value }] };
      expect(reread(history)).toEqual(history);
    }
  });

  test("whatever the numbers are", () => {
    const times = fc.oneof(fc.nat(1e9), fc.maxSafeInteger());
    const stamps = fc.oneof(times, fc.constant(Number.NaN));
    const figures = fc.oneof(
      stamps,
      fc.double({ noNaN: true }).map((value) => value + 0),
      fc.constantFrom(Infinity, -Infinity),
    );
    const cells = {
      time: times,
      number: figures,
      uint8: fc.constant(3),
      uint16: fc.nat(65_535),
      int16: fc.integer({ min: -32_768, max: 32_767 }),
      uint32: fc.nat(4_294_967_295),
      int32: fc.constantFrom(-1, 0),
    };
    const row = fc.record(
      Object.fromEntries(
        COLUMNS.map(({ name, kind, within }) => [
          name,
          within === null
            ? name === "stampUs"
              ? stamps
              : cells[kind]
            : within === "flows"
              ? fc.constant(0)
              : within === "reasons"
                ? fc.nat(REASONS.length - 1)
                : fc.constantFrom(-1, 0),
        ]),
      ),
      { requiredKeys: [] },
    );
    holds(
      fc.property(
        fc.array(row as fc.Arbitrary<Readonly<Record<string, number>>>, { maxLength: 20 }),
        (rows) => {
          const history = historyOf(rows);
          expect(reread(history)).toEqual(history);
        },
      ),
      200,
    );
  });

  test("with more rows than a first table holds, in chunks that are not one string", () => {
    const history = historyOf(
      Array.from({ length: 5000 }, (_, index) => ({ plannedUs: index, answeredUs: index + 7 })),
    );
    const chunks = [...writeHistory(history)];
    expect(chunks.length).toBeGreaterThan(2);
    expect(chunks.every((chunk) => chunk.length < 70_000 && chunk.endsWith("\n"))).toBe(true);
    expect(reread(history)).toEqual(history);
  });
});

test.each<[what: string, text: string, problemLines: readonly string[]]>([
  [
    "no footer",
    textOf(PLAIN).split("\n").slice(0, -2).join("\n"),
    ["run.ndjson:8:1 error HIST-CUT-OFF the history ends without a footer, so it was cut off"],
  ],
  [
    "half a line",
    textOf(PLAIN).slice(0, -60),
    [
      'run.ndjson:9:1 error HIST-JSON "{\\"footer\\":true,\\"requests\\":2,\\"events\\":1,\\"gauges\\":1,\\... is not a JSON object; the file is cut off, or is no history',
    ],
  ],
  [
    "nothing",
    "",
    ["run.ndjson:1:1 error HIST-CUT-OFF the history ends without a footer, so it was cut off"],
  ],
  [
    "a missing request",
    textOf(PLAIN).replace(/^\{"request":0.*\n/m, ""),
    ["run.ndjson:2:1 error HIST-ORDER this is request 1, and request 0 is expected here"],
  ],
  [
    "a missing event",
    textOf(PLAIN).replace(/^\{"event".*\n/m, ""),
    ["run.ndjson:8:1 error HIST-COUNT the footer counts 1 events, and there are 0"],
  ],
  [
    "another format",
    textOf(PLAIN).replace(HISTORY_FORMAT, "weir-history/1").replace('"bodies"', '"more"'),
    [
      'run.ndjson:1:1 error HIST-FORMAT this history has the format "weir-history/1", and Weir reads "weir-history/5": run its scenario again',
    ],
  ],
  [
    "a key that the header lacks",
    textOf(PLAIN).replace('"plannedUs":5,"key":0', '"plannedUs":5,"key":1'),
    ["run.ndjson:2:1 error HIST-RECORD key: 1 is not a valid value"],
  ],
  [
    "a request without the time of its decision",
    textOf(PLAIN).replace('"plannedUs":5,"key":0', '"plannedUs":5,"toUs":null,"key":0'),
    ["run.ndjson:2:1 error HIST-RECORD toUs: NaN is not a valid value"],
  ],
  [
    "a time that is no whole number of microseconds",
    textOf(PLAIN).replace('"plannedUs":5,"key":0', '"plannedUs":5,"toUs":5.25,"key":0'),
    ["run.ndjson:2:1 error HIST-RECORD toUs: 5.25 is not a valid value"],
  ],
  [
    "an epoch that is no whole number of microseconds",
    textOf(PLAIN).replace(/"epochUs":\d+/, '"epochUs":0.5'),
    [
      "run.ndjson:1:1 error HIST-RECORD epochUs: 0.5 is not an integer of at least -9007199254740991",
    ],
  ],
  [
    "a record after the footer",
    `${textOf(PLAIN)}{"gauge":"fleet"}\n`,
    ["run.ndjson:10:1 error HIST-ORDER there is a record after the footer"],
  ],
  [
    "an unknown field",
    textOf(PLAIN).replace('"retryAfterS":1', '"retryAfter":1'),
    ['run.ndjson:3:1 error HIST-RECORD "retryAfter" is not a field of a request'],
  ],
])("%s is reported with its line", (_what, text, lines) => {
  expect(problemLines(text)).toEqual(lines);
});

test("any change of a line is read or reported, not thrown", () => {
  const text = textOf(PLAIN);
  holds(
    fc.property(fc.nat(text.length), fc.nat(9), fc.string(), (from, length, instead) => {
      const { history, problems } = readHistory(
        "run.ndjson",
        (text.slice(0, from) + instead + text.slice(from + length)).split("\n"),
      );
      expect(history === null).toBe(problems.length > 0);
    }),
    300,
  );
});
