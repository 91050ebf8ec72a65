import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { AS_IT_IS, CONFIG, FILES, serving } from "./serving.ts";
import { folderWith } from "./weir.ts";

/** V8's tag of what code is compiled for, in which its flags are. */
const tagWith = (flags: readonly string[]): number =>
  Number(
    execFileSync(process.execPath, [...flags, "-p", "require('node:v8').cachedDataVersionTag()"], {
      encoding: "utf8",
    }),
  );

const PRINTS_LIMIT = `import { cachedDataVersionTag } from "node:v8";
setInterval(() => console.error("tag of " + process.pid + ": " + cachedDataVersionTag() + ";"), 50).unref();`;

test("each process of weir serve keeps V8 from placing what belongs to requests with old objects", async () => {
  const mended = tagWith(["--no-allocation-site-pretenuring"]);
  expect(mended).not.toBe(tagWith([]));
  const { waitFor, output } = await serving(folderWith(FILES), [...CONFIG, "--workers", "2"], {
    ...AS_IT_IS,
    // Several processes need a store that they share; without one there on_store_error decides.
    WEIR_STORE_URL: "redis://127.0.0.1:1",
    WEIR_STORE_REQUIRED: "false",
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(PRINTS_LIMIT)}`,
  });
  // Of a process that has only just started the tag may be that from before its first line.
  const processes = () =>
    new Map(
      [...output().matchAll(/^tag of (\d+): (\d+);$/gm)].map(([, pid, tag]) => [pid, Number(tag)]),
    );
  for (let times = 1; processes().size < 3 || times < 10; times++) await waitFor("tag of", times);
  await waitFor("tag of", output().split("tag of").length + 6);
  expect([...processes().values()]).toEqual([mended, mended, mended]);
});

/** Much of what it allocates outlives a collection, in portions as small as those of requests. */
const ALLOCATES = `import { getHeapSpaceStatistics } from "node:v8";
const young = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space").space_size;
const kept = [];
setInterval(() => {
  kept.push(Array.from({ length: 5_000 }, (_, i) => ({ i })));
  if (kept.length > 100) kept.shift();
}, 1).unref();
setInterval(() => console.error("young: " + young() / 2 ** 20 + ";"), 50).unref();`;

/** Waits until it has this size, and returns the most of it within a second from there. Both in MiB. */
async function mostYoung(mib: number, options: string): Promise<number> {
  const { waitFor, output } = await serving(folderWith(FILES), CONFIG, {
    ...AS_IT_IS,
    NODE_OPTIONS: `${options} --import=data:text/javascript,${encodeURIComponent(ALLOCATES)}`,
  });
  await waitFor(`young: ${mib}`, 20);
  return Math.max(
    ...[...output().matchAll(/^young: ([\d.]+);$/gm)].map(([, size]) => Number(size)),
  );
}

test("the space for young objects grows until it is enough, or as far as its user wants", async () => {
  expect(await mostYoung(16, "")).toBeLessThan(20);
  expect(await mostYoung(32, "--max_semi_space_size=16")).toBeGreaterThan(30);
});
