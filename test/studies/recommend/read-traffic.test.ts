// The requests that a recommendation searches, from logs that are out of order.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { requireValue } from "#src/kit/reading/failure.ts";
import { readTraffic } from "#src/studies/recommend/read-traffic.node.ts";
import { parseCondition } from "#src/studies/replay/conditions.ts";
import { NameTable } from "#src/studies/replay/names.ts";
import { AS_LOGGED } from "#src/studies/replay/placements.ts";
import { parseKey } from "#src/studies/replay/selectors.ts";

const WINDOW = 16;

async function requestsIn(lines: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), "weir-traffic-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const name = join(folder, "a.ndjson");
  writeFileSync(name, lines.map((line) => `${line}\n`).join(""));
  const starts: number[] = [];
  const question = {
    key: requireValue(parseKey("ip")),
    conditions: [],
    labels: [requireValue(parseCondition("status = 403"))],
    clients: new NameTable(),
    targets: null,
    format: null,
  };
  const progress = {
    isStopped: () => false,
    stop: new Promise<"stop">(() => {}),
    report: (count: number) => starts.push(count),
  };
  const sources = [{ name, isFromFolder: false }];
  const { traffic } = requireValue(
    await readTraffic(sources, question, progress, { windowRows: WINDOW }),
  );
  const { names } = question.clients;
  const { starts: from, atUs, isBad } = traffic.columns(AS_LOGGED, names.length);
  const byClient = names
    .map((client, id) => ({
      client,
      sent: [...atUs.subarray(from[id], from[id + 1])],
      bad: [...isBad!.subarray(from[id], from[id + 1])],
    }))
    .toSorted((a, b) => (a.client < b.client ? -1 : 1));
  return { requests: traffic.requests, firstUs: traffic.firstUs, byClient };
}

test("logs that have to be read anew, and sorted on disk, have each request once", async () => {
  const sorted = Array.from({ length: 200 }, (_, i) => {
    const at = new Date(Date.UTC(2026, 0, 5, 10) + 100 * i).toISOString();
    return JSON.stringify({ time: at, ip: `192.0.2.${i % 7}`, status: i % 5 === 0 ? 403 : 200 });
  });
  const late = [...sorted.slice(1, 150), sorted[0]!, ...sorted.slice(150)];
  const expected = await requestsIn(sorted);
  expect(expected.requests).toBe(200);
  expect(await requestsIn(late)).toEqual(expected);
});
