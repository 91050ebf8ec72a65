// The whole suite in the worker of the playground: their histories are those of Node, byte for byte.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isFailure } from "#src/kit/reading/failure.ts";
import { readConformance } from "#src/show/conformance/read-conformance.ts";
import type { RunReply, RunWork, WorkerWork } from "#src/show/site/script/worker.ts";
import { openServed } from "./opened.ts";
import { startSite } from "./site.ts";

const root = join(import.meta.dirname, "../..");
const scenarios = readdirSync(join(root, "scenarios"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".yaml"))
  .map((name) => `scenarios/${name.replaceAll("\\", "/")}`)
  .toSorted()
  .map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }));

/** What Node made of the same scenarios with the same seed: `test/suite.test.ts` compares it with every run. */
const reference = readConformance(
  readFileSync(join(root, "reports/reference/conformance.json"), "utf8"),
);

interface Ran {
  readonly name: string; // scenario and variant
  readonly outcome: string;
  readonly history: string | null;
}

/** In the page: one scenario after the other, in one worker. */
async function runAll(files: readonly Pick<RunWork, "file" | "text">[]): Promise<readonly Ran[]> {
  const worker = new Worker("../assets/worker.js", { type: "module" });
  let end = Promise.withResolvers<RunReply["message"]>();
  worker.addEventListener("error", ({ message }) => end.reject(new Error(message)));
  worker.addEventListener("message", ({ data: { message } }: MessageEvent<RunReply>) => {
    if (["done", "stopped", "digests"].includes(message.kind)) end.resolve(message);
  });
  const ran: Ran[] = [];
  for (const [id, { file, text }] of files.entries()) {
    end = Promise.withResolvers();
    worker.postMessage({ id, file, text, seed: 1 } satisfies RunWork, []);
    const message = await end.promise;
    if (message.kind !== "done") throw new Error(`${file}: ${JSON.stringify(message)}`);
    end = Promise.withResolvers();
    worker.postMessage({ id, want: "digests" } satisfies WorkerWork, []);
    const known = await end.promise;
    if (known.kind !== "digests") throw new Error(`${file}: ${JSON.stringify(known)}`);
    for (const [index, { name, outcome }] of message.report.variants.entries())
      ran.push({
        name: `${message.report.id} ${name}`,
        outcome,
        history: known.digests[index]!.digest,
      });
  }
  worker.terminate();
  return ran;
}

/** Only a server has the documentation of its management APIs. */
const UNSUPPORTED = ["true", "false"].map(
  (feature) => `management/catalogues-of-the-studio feature=${feature}`,
);

test("the playground records the histories of Node, byte for byte", async () => {
  if (isFailure(reference)) throw new Error(reference.message);
  const server = await startSite();
  const page = await openServed(server.url, {}, "playground/");
  const ran = await page.evaluate(runAll, scenarios);
  const ids = new Set(ran.map(({ name }) => name.split(" ", 1)[0]!));
  expect(ids.size).toBe(scenarios.length);
  const expected = reference.scenarios.flatMap(({ id, variants }) =>
    variants.map(({ variant, outcome, history }) => ({
      name: `${id} ${variant}`,
      outcome,
      history,
    })),
  );
  const sortByName = (all: readonly Ran[]): readonly Ran[] =>
    all.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const withoutRun = new Set(ran.filter(({ history }) => history === null).map(({ name }) => name));
  expect([...withoutRun]).toEqual(UNSUPPORTED);
  expect(ran.length).toBeGreaterThan(2_500);
  expect(sortByName(ran.filter(({ name }) => !withoutRun.has(name)))).toEqual(
    sortByName(expected.filter(({ name }) => !withoutRun.has(name))),
  );
});
