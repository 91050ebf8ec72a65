// The smallest change of a configuration: it meets the target, one less does not, and nothing but a number differs.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { requireValue } from "#src/kit/reading/failure.ts";
import {
  replaceNumber,
  replaceNumbers,
  type EditableConfiguration,
} from "#src/studies/diff/number-in-file.ts";
import { findSmallestChange, type ChangeQuestion } from "#src/studies/diff/smallest-change.ts";
import { DecideAgain } from "#src/studies/diff/decide-again.ts";
import { editableOf, nginx } from "./editable.ts";
import { holdsUntil } from "../../runs.ts";
import { envoyWith } from "./envoy-file.ts";
import { addressOf, nameTable, randomLog, START_US, type LoggedRequest } from "./requests.ts";

const inOrder = (requests: readonly LoggedRequest[]): readonly LoggedRequest[] =>
  requests.toSorted((a, b) => a.atUs - b.atUs);

function questionOf(requests: readonly LoggedRequest[], share: number): ChangeQuestion {
  const targetOf = ({ client, path }: LoggedRequest): string =>
    `GET /${path}\u001F${addressOf(client)}`;
  const targets = [...new Set(requests.map(targetOf))];
  return {
    requests: {
      clients: requests.map(({ client }) => client),
      targets: requests.map((each) => targets.indexOf(targetOf(each))),
      atUs: requests.map(({ atUs }) => atUs),
    },
    names: {
      clients: nameTable([0, 1, 2, 3, 4, 5].map(addressOf)),
      targets: nameTable(targets),
      sender: [{ kind: "field of every log", name: "ip" }],
    },
    fleet: undefined,
    refusedAtMost: share,
    clientsAtMost: 1,
  };
}

let changed = 0;
const kinds = new Set<string>();
test("a change meets the target, and a number that is one smaller does not", async () => {
  const property = fc.property(
    fc.integer({ min: 1, max: 4 }),
    fc.constantFrom("s", "m"),
    fc.integer({ min: 1, max: 3 }),
    randomLog,
    fc.constantFrom(0, 0.05, 0.2),
    (rate, unit, burst, requests, share) => {
      const configuration = editableOf("nginx.conf", nginx(rate, unit, burst));
      const question = questionOf(requests, share);
      const found = findSmallestChange(configuration, question);
      const allowed = share * requests.length;
      expect(found.isMet).toBe(found.present.refused <= allowed);
      expect(found.after === null).toBe(found.changes.length === 0);
      // With a small burst, requests of one instant are refused at each rate.
      fc.pre(!found.isMet && found.isMetAfter);
      changed++;
      expect(found.after!.refused).toBeLessThanOrEqual(allowed);
      for (const { number, value } of found.changes) {
        const values = found.changes.map((each) =>
          each.number === number ? { number, value: value - 1 } : each,
        );
        const less = replaceNumbers(configuration, values);
        const again = findSmallestChange(
          { ...configuration, ...less, candidate: requireValue(less.candidate) },
          question,
        );
        expect(again.isMet).toBe(false);
      }
      const valueOf = (what: string): number | undefined =>
        found.changes.find((each) => each.what === what)?.value;
      kinds.add(found.changes.map(({ what }) => what).join(" and "));
      expect(found.files[0]!.text).toBe(
        nginx(valueOf("rate") ?? rate, unit, valueOf("burst") ?? burst),
      );
      const [{ most, others }] = found.changes as [(typeof found.changes)[number]];
      for (const other of others)
        expect(other.most ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(most!);
    },
  );
  await holdsUntil(20, () => changed, property, 60);
  expect([...kinds].toSorted()).toEqual(["burst", "rate", "rate and burst"]);
});

const places = (zones: string, login: string, all: string): EditableConfiguration =>
  editableOf(
    "nginx.conf",
    `${zones}
server {
  location = /1 { limit_req ${login}; }
  location / { limit_req ${all}; }
}
`,
  );
const zoneOf = (name: string, rate: number): string =>
  `limit_req_zone $remote_addr zone=${name}:1m rate=${rate}r/m;`;

/** Requests of a client at even times, to /1 or to another path. */
const train = (client: number, path: number, count: number, everyUs: number): LoggedRequest[] =>
  Array.from({ length: count }, (_, at) => ({ atUs: START_US + at * everyUs, client, path }));

let partly = 0;
test("requests that are decided again agree with a replay of all by the changed file", async () => {
  const property = fc.property(
    fc.integer({ min: 1, max: 40 }),
    fc.integer({ min: 1, max: 3 }),
    randomLog,
    fc.constantFrom(0, 0.1),
    (rate, burst, requests, share) => {
      const zones = `${zoneOf("a", rate)} ${zoneOf("b", 2 * rate)}
limit_req_zone everyone zone=all:1m rate=${rate}r/s;`;
      const configuration = places(
        zones,
        `zone=all burst=${burst}; limit_req zone=a burst=${burst}`,
        "zone=b burst=2",
      );
      const question = questionOf(requests, share);
      const found = findSmallestChange(configuration, question);
      fc.pre(found.after !== null);
      const whole = new DecideAgain(requireValue(configuration.readAgain(found.files)), question)
        .present;
      expect({ ...found.after, open: null }).toEqual({ ...whole, open: null });
      const { present } = new DecideAgain(configuration.candidate, question);
      if (present.open.length < requests.length) partly++;
    },
  );
  await holdsUntil(10, () => partly, property, 60);
});

test("limits that share a number change it once", () => {
  const configuration = places(zoneOf("a", 6), "zone=a; limit_req_status 429", "zone=a");
  const requests = [...train(0, 1, 8, 500_000), ...train(1, 0, 60, 500_000)].toSorted(
    (a, b) => a.atUs - b.atUs,
  );
  const question = questionOf(requests, 0);
  const found = findSmallestChange(configuration, question);
  expect(found.present.rules.every(({ refused }) => refused > 0)).toBe(true);
  expect(found).toMatchObject({ isMetAfter: true, changes: [{ number: { value: 6, line: 1 } }] });
  expect(found.changes).toHaveLength(1);
  const [{ number, value }] = found.changes as [(typeof found.changes)[number]];
  const less = replaceNumber(configuration, number, value - 1);
  const again = findSmallestChange(
    { ...configuration, ...less } as EditableConfiguration,
    question,
  );
  expect(again.isMet).toBe(false);
});

test("a number is raised no further than is needed once the others are raised", () => {
  const zones = `${zoneOf("a", 6)} ${zoneOf("b", 6)}`;
  const configuration = places(zones, "zone=a burst=1", "zone=b burst=1");
  const requests = [
    ...train(0, 1, 30, 2_000_000),
    ...[1, 2, 3, 4, 5].flatMap((client) => train(client, 0, 4, 2_500_000)),
  ].toSorted((a, b) => a.atUs - b.atUs);
  // The second limit refuses 10 or 5, and 8 may be refused, so that 3 are left for the first.
  const found = findSmallestChange(configuration, questionOf(requests, 0.16));
  expect(found.isMetAfter).toBe(true);
  expect(found.changes).toHaveLength(2);
  expect(found.after!.refused).toBe(8);
  for (const { number, value } of found.changes) {
    const values = found.changes.map((each) =>
      each.number === number ? { number, value: value - 1 } : each,
    );
    const less = replaceNumbers(configuration, values);
    const again = findSmallestChange(
      { ...configuration, ...less } as EditableConfiguration,
      questionOf(requests, 0.16),
    );
    expect(again.isMet).toBe(false);
  }
});

test("a client without which less would do is found", () => {
  const withBurst = editableOf("nginx.conf", nginx(30, "m", 1));
  const configuration = editableOf("nginx.conf", nginx(30, "m", 1).replace(" burst=1", ""));
  const slow = [...train(0, 0, 30, 2_000_000), ...train(1, 0, 30, 2_000_000)];
  const ofClients = (requests: readonly LoggedRequest[], by = configuration) =>
    findSmallestChange(by, questionOf(inOrder(requests), 0));
  const fast = train(2, 0, 60, 100_000);
  const expected = { clients: [2], changes: [], requests: 60, refused: 57 };
  const left = { own: 57, others: 0 };
  const { files } = configuration;
  expect(ofClients([...slow, ...fast]).without).toEqual({ ...expected, files, left });
  expect(ofClients([...slow, ...fast], withBurst)).toMatchObject({
    changes: [{ what: "burst" }],
    without: { clients: [2], changes: [] },
  });
  const some = train(1, 1, 30, 2_000_000).map((each) => ({ ...each, atUs: each.atUs + 500_000 }));
  const found = ofClients([...slow, ...some, ...fast]);
  expect(found.without!.clients).toEqual([2]);
  expect(found.without!.changes).toMatchObject([
    { value: ofClients([...slow, ...some]).changes[0]!.value },
  ]);
  expect(found.without!.changes[0]!.value).toBeGreaterThan(30);
  const [file] = found.without!.files;
  const raised = ofClients(fast, editableOf("nginx.conf", file!.text)).present;
  expect(found.without!.left).toEqual({ own: raised.refused, others: 0 });
  expect(ofClients(slow).without).toBeNull();
  const four = [0, 1, 2, 3].flatMap((client) => train(client, 0, 60, 100_000));
  expect(ofClients([...four, ...train(4, 0, 5, 2_000_000)]).without).toBeNull();
});

test("a rate and a burst change together if each alone lets far more through", () => {
  // At once 60 requests, and then 50 per minute for 10 minutes.
  const requests = inOrder([
    ...train(0, 0, 60, 1000),
    ...train(0, 0, 500, 1_200_000),
    ...train(1, 0, 5, 60_000_000),
  ]);
  const configuration = editableOf("nginx.conf", nginx(10, "m", 5));
  const question = questionOf(requests, 0);
  const { changes, files, after, without } = findSmallestChange(configuration, question);
  expect(after!.refused).toBe(0);
  expect(changes.map(({ what }) => what)).toEqual(["rate", "burst"]);
  const [{ most, value: rate, others }, { value: burst }] = changes as Pair;
  expect(files[0]!.text).toBe(nginx(rate, "m", burst));
  expect(most).toBe(rate + burst);
  // No other rate with the burst that it needs lets less through.
  for (const other of [20, rate - 2, rate + 2, 60]) {
    const { number } = changes[1]!;
    const ofRate = editableOf("nginx.conf", nginx(other, "m", 5));
    const refusesNone = (value: number): boolean => {
      const { candidate } = replaceNumber(ofRate, number, value);
      return new DecideAgain(requireValue(candidate), question).present.refused === 0;
    };
    expect(refusesNone(most! - 1 - other), `${other}r/m`).toBe(false);
  }
  expect(others.map(({ values: [only] }) => only!.what).toSorted()).toEqual(["burst", "rate"]);
  for (const other of others)
    expect(0.9 * (other.most ?? Number.POSITIVE_INFINITY)).toBeGreaterThanOrEqual(most!);
  expect(without).toMatchObject({ clients: [0], changes: [] });
});
type Changes = ReturnType<typeof findSmallestChange>["changes"];
type Pair = readonly [Changes[number], Changes[number]];

test("numbers that meet the target are not changed", () => {
  const configuration = editableOf("nginx.conf", nginx(1, "s", 1));
  const requests = [{ atUs: START_US, client: 0, path: 0 }];
  expect(findSmallestChange(configuration, questionOf(requests, 0))).toMatchObject({
    present: { refused: 0 },
    isMet: true,
    isMetAfter: true,
    changes: [],
    after: null,
    files: configuration.files,
  });
});

test("a time with a fraction is shortened, and a number keeps its decimals", () => {
  const envoy = (tokens: number, interval: string): string => envoyWith(tokens, interval);
  const configuration = editableOf("envoy.yaml", envoy(2, "1s"));
  const requests = train(0, 0, 40, 400_000);
  const found = findSmallestChange(configuration, questionOf(requests, 0));
  expect(found.changes).toMatchObject([{ what: "time", value: 0.4, number: { decimals: 1 } }]);
  expect(found.files[0]!.text).toBe(envoy(2, "0.4s"));
  const stage = (rate: string): string => `Resources:
  Stage:
    Type: AWS::ApiGateway::Stage
    Properties:
      RestApiId: api
      StageName: live
      MethodSettings:
        - { HttpMethod: "*", ResourcePath: "/*", ThrottlingRateLimit: ${rate}, ThrottlingBurstLimit: 1 }
`;
  const ofAws = findSmallestChange(
    editableOf("template.yaml", stage("1.5")),
    questionOf(train(0, 0, 40, 500_000), 0),
  );
  expect(ofAws.files[0]!.text).toBe(stage("2"));
  expect(ofAws.changes).toMatchObject([{ what: "rate", number: { value: 1.5, decimals: 1 } }]);
});
