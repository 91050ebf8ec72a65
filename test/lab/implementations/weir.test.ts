// Weir as an implementation: its world file has the limits of the world that it is translated from, and no others.
import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ALGORITHMS } from "#src/limiter/core/algorithms.ts";
import { RICH, world } from "#src/studies/swarm/arbitrary/worlds.ts";
import { findImplementations } from "#src/lab/implementations/catalogue.node.ts";
import { findUnsupported, SOMEWHERE } from "#src/lab/implementations/translation.ts";
import { readWantedWorld, type WantedWorld } from "#src/lab/implementations/wanted.ts";
import { isFailure, requireValue } from "#src/kit/reading/failure.ts";
import { readConfiguration } from "#src/limiter/world/read.ts";
import { holds } from "../../runs.ts";

const implementations = requireValue(await findImplementations("weir"));

test("each algorithm is a variant, and the version is that of the package", () => {
  expect(implementations.map(({ variant }) => variant)).toEqual([...ALGORITHMS]);
  const { version } = JSON.parse(
    readFileSync(new URL("../../../package.json", import.meta.url), "utf8"),
  ) as { readonly version: string };
  expect(new Set(implementations.map(({ manifest }) => manifest.version))).toEqual(
    new Set([version]),
  );
});

/** Of Markdown, as one line of words. */
const wordsOf = (text: string): string => text.replaceAll("`", "").replaceAll(/\s+/g, " ");

test("each sentence that a claim quotes is on its page, under its heading", () => {
  const claims = implementations.flatMap(({ manifest }) => Object.values(manifest.claims));
  for (const { sentence, source } of claims) {
    const [page, heading] = source.split(", ");
    const text = readFileSync(new URL(`../../../${page}`, import.meta.url), "utf8");
    const section = text.split(/^#+ /m).find((each) => each.startsWith(`${heading}\n`));
    expect(wordsOf(section ?? ""), `${page}, ${heading}`).toContain(wordsOf(sentence));
  }
  expect(claims.length).toBeGreaterThan(70);
});

/** Each limit of each key at each place, however many of them share a policy. */
const listCounts = ({ limits }: WantedWorld): ReadonlySet<string> =>
  new Set(
    limits.flatMap(({ scope, rate, perUs, burst, isForAll, by, places }) =>
      places.flatMap(({ path, endpoint, except, credentials }) =>
        (credentials.length === 0 ? [null] : credentials).map((credential) =>
          JSON.stringify([
            [scope, rate, perUs, burst, isForAll, isForAll ? null : by],
            [path, endpoint, except, credential],
          ]),
        ),
      ),
    ),
  );

const worlds = world({
  ...RICH,
  smoothing: "none",
  quotas: false,
  apiQuotas: false,
  patterns: false,
});

test.each(implementations.map((each) => [each.variant, each] as const))(
  "the world file of %s has the limits of its world",
  (algorithm, { manifest, translate, variant }) => {
    let expressed = 0;
    holds(
      fc.property(worlds, (raw) => {
        const { configuration } = readConfiguration({ ...raw, gateway: manifest.model });
        if (configuration === null) return;
        const wanted = readWantedWorld(configuration);
        if (findUnsupported(manifest, wanted).length > 0) return;
        const translation = translate!(wanted, { ...SOMEWHERE, variant });
        if (isFailure(translation)) return;
        const file = JSON.parse(translation.files["world.yaml"]!) as unknown;
        const read = readConfiguration(file);
        expect(read.problems.filter(({ severity }) => severity === "error")).toEqual([]);
        expect(read.configuration!.options.algorithm).toBe(algorithm);
        expect(listCounts(readWantedWorld(read.configuration!))).toEqual(listCounts(wanted));
        expressed++;
      }),
      100,
    );
    expect(expressed).toBeGreaterThan(20);
  },
);
