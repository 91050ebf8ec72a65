// After its charts, a page computes more of a run: it is that of the histories, also if they are recorded again.
import { expect, test } from "vitest";
import { explainVariant } from "#src/lab/check/explain.ts";
import { playVirtual } from "#src/lab/drivers/virtual.ts";
import { runsOf, type CheckedRun } from "#src/lab/run/pipeline.ts";
import { digest } from "#src/lab/scenario/history/digest.node.ts";
import { writeHistory } from "#src/lab/scenario/history/write.ts";
import { decode } from "#src/lab/scenario/read/decode.ts";
import { lastRun, type LastRun } from "#src/show/site/last-run.ts";

const TEXT = `title: two of four
world:
  gateway: { algorithm: $algorithm }
  apis: { orders: { listen: /orders } }
  keys: { alice: { apis: [orders], rate: 2, per: 1 } }
matrix:
  algorithm: [fixed_window, token_bucket]
traffic:
  - { name: late, as: alice, send: GET /orders, burst: 2, at: 3s }
  - { name: steady, as: alice, send: GET /orders, rate: 4, for: 2s }
expect:
  - { id: some are admitted, count: { status: 200 }, atLeast: 1 }
`;

const { scenario } = decode("scenarios/mine/two.yaml", TEXT);
const SEED = 5;

async function run(mostRetained?: number): Promise<{ last: LastRun; runs: readonly CheckedRun[] }> {
  const last = lastRun(scenario!, SEED, mostRetained);
  const runs: CheckedRun[] = [];
  const driver = {
    apply: (variant: CheckedRun["variant"]) =>
      Promise.resolve({
        play: (plan: Parameters<typeof playVirtual>[1]) =>
          Promise.resolve(playVirtual(variant, plan)),
        close: () => Promise.resolve(),
      }),
  };
  for await (const each of runsOf(scenario!, scenario!.variants, SEED, driver)) {
    runs.push(each);
    last.add(each);
  }
  return { last, runs };
}

test.each([undefined, 0, 10])("with %s requests retained, nothing differs", async (retained) => {
  const { last, runs } = await run(retained);
  expect(runs.map(({ history }) => history.requests.length)).toEqual([10, 10]);
  expect(await last.digests(digest)).toEqual(
    runs.map(({ variant, history }) => ({
      variant: variant.name,
      digest: digest(writeHistory(history)),
    })),
  );
  for (const [index, { variant, history }] of runs.entries()) {
    const { requests } = history;
    const refused = requests.status.indexOf(429);
    const explained = explainVariant(variant, history, [refused]).get(refused)!;
    expect(await last.reason(index, refused)).toMatchObject({
      text: explained.text,
      agrees: "yes",
      filledBy: explained.filledBy.map(({ row }) => row),
    });
    const marks = (await last.marks(index))!;
    expect(marks.flows).toEqual(["late", "steady"]);
    expect([...marks.atUs].map((us) => us / 250_000)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 12, 12]);
    expect([...marks.flow]).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 0, 0]);
    expect([...marks.status]).toEqual([...marks.rows].map((row) => requests.status[row]));
    expect([marks.endUs, marks.leftOut]).toEqual([3_000_000, 0]);
    expect((await last.refusals())[index]!.entries[0]!.first.explained?.agrees).toBe("yes");
  }
  expect(await last.reason(0, 10)).toBe(null);
  expect(await last.marks(2)).toBe(null);
});
