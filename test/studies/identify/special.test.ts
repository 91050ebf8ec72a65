// Limits that count nothing in time, and limiters that look like them.
import { expect, test } from "vitest";
import { rng } from "#src/kit/chance/rng.ts";
import { SECOND } from "#src/kit/units.ts";
import { Identifier, type Identification } from "#src/studies/identify/identify.ts";
import type { ServerDecide } from "#src/studies/identify/hidden-server.ts";
import { createVirtualTarget } from "#src/studies/identify/virtual-target.ts";
import { buildIdentifyResult, identifyText } from "#src/studies/identify/result.ts";
import { answerIdentify } from "#src/show/answers/identify.ts";
import { formatEvidence } from "#src/studies/identify/as-scenario.ts";
import { folderWith, weir } from "../../cli/weir.ts";
import { createOwnServer, inFlight } from "./own-server.ts";

const CAPS = { requests: 5_000, durationUs: 600 * SECOND };
const NETWORK = { oneWayUs: 2_000, jitterUs: 200, loss: 0, storeUs: 300, clockUs: 3_000 };
const ONE_BUDGET = { credential: false, address: false, path: false };

function identify(createClient: () => ServerDecide, seed: number): Promise<Identification> {
  const server = createOwnServer(createClient);
  const target = createVirtualTarget(server, ONE_BUDGET, NETWORK, rng(seed, "special"));
  return new Identifier(target, CAPS, seed).identify([]);
}

test.each([0.05, 0.1, 0.2])(
  "refusals at random of a share of %d are named so with all of 20 seeds, and never a bucket",
  async (share) => {
    const others: unknown[] = [];
    for (let seed = 0; seed < 20; seed++) {
      const random = rng(seed, "refusals");
      const { behaviour, special, left } = await identify(
        () => () => ({ isAdmitted: random.next() >= share, workUs: 0 }),
        seed,
      );
      if (behaviour !== null || special?.kind !== "chance")
        others.push({ seed, behaviour, special, left });
    }
    expect(others).toEqual([]);
  },
  60_000,
);

test("a share of refusals at random is named with its bounds", async () => {
  const random = rng(3, "refusals");
  const { special } = await identify(
    () => () => ({ isAdmitted: random.next() >= 0.25, workUs: 0 }),
    3,
  );
  if (special?.kind !== "chance") throw new Error(`named ${JSON.stringify(special)}`);
  expect(special.range[0]).toBeLessThan(0.25);
  expect(special.range[1]).toBeGreaterThan(0.25);
  expect(special.range[1] - special.range[0]).toBeLessThan(0.2);
});

test.each([3, 4, 10])("one refused of every %i is no chance", async (every) => {
  let count = 0;
  const { behaviour, special } = await identify(
    () => () => ({ isAdmitted: ++count % every !== 0, workUs: 0 }),
    1,
  );
  expect([behaviour, special]).toEqual([null, null]);
});

test.each([
  [1, 150_000],
  [3, 200_000],
  [12, 900_000],
])("a limit of %i requests in flight is named", async (most, workUs) => {
  const { special } = await identify(() => inFlight(most, workUs), 2);
  expect(special).toMatchObject({ kind: "in_flight", most });
});

/** Each request takes as long as with a limit in flight, and the limit is one of time. */
test("a window behind a server that works for long is no limit in flight", async () => {
  const { special } = await identify(() => {
    let [endUs, count] = [0, 0];
    return (atUs) => {
      if (atUs >= endUs) [endUs, count] = [atUs + 3 * SECOND, 0];
      return { isAdmitted: ++count <= 3, workUs: count <= 3 ? 200_000 : 0 };
    };
  }, 2);
  expect(special).toBeNull();
});

test.each([
  ["a limit of the requests in flight, 3 at once, each for 200ms", () => inFlight(3, 200_000)],
  [
    "refusals at random, whatever was sent before",
    () => {
      const random = rng(3, "refusals");
      return () => ({ isAdmitted: random.next() >= 0.25, workUs: 0 });
    },
  ],
])(
  "the text of %s has no windows, and the evidence has its name and the counts alone",
  async (title, create) => {
    const found = await identify(create, 2);
    const result = buildIdentifyResult("T", 2, found, null);
    const lines = identifyText(result, (_, text) => text);
    expect(lines[0]).toBe("identified T");
    const inWords = title.replace(", 3 at", ": 3 at").replace("200ms", "200 ms");
    expect(answerIdentify(result)[0]!.text).toContain(`It is ${inWords}`);
    expect(lines.filter((line) => /^ {2}(?:windows|refusals) /.test(line))).toEqual([]);
    const evidence = formatEvidence(found);
    expect(evidence).toContain(`title: the requests that identified ${title}`);
    expect(evidence).not.toContain("invariant");
    // Its world admits all, so that the counts of the server are not those of the world.
    const folder = folderWith({ "evidence.yaml": evidence });
    expect((await weir(folder, ["run", "evidence.yaml"])).code).toBe(1);
  },
);
