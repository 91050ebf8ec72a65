// The committed results are compared with what runs here: an implementation that is not installed is left out.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readBehaviours } from "../../../src/experiments/implementations/behaviours.node.ts";
import { runImplementations } from "../../../src/experiments/implementations/run-all.node.ts";
import { readImplementationsRun } from "../../../src/experiments/implementations/result.ts";
import { findImplementation } from "../../../src/implementations/catalogue.node.ts";
import { whyNotRunnable } from "../../../src/implementations/home.node.ts";
import { requireValue } from "../../../src/reading/failure.ts";

const folder = join(import.meta.dirname, "../../../reports/implementations");
const files = existsSync(folder)
  ? readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
      (name) => name.endsWith(".json") && !name.startsWith("proofs"),
    )
  : [];

test.each(files)("%s is what runs here, if it runs", { timeout: 120_000 }, async (file) => {
  const saved = requireValue(readImplementationsRun(readFileSync(join(folder, file), "utf8")));
  const [before] = saved.implementations;
  const implementation = requireValue(await findImplementation(before!.id));
  expect(before!.version).toBe(implementation.manifest.version);
  if (whyNotRunnable(implementation) !== null || implementation.manifest.clock === "real") return;
  const [now] = await runImplementations({
    implementations: [implementation],
    behaviours: requireValue(readBehaviours()),
    seed: saved.seed,
    progress: () => undefined,
    onDone: () => undefined,
    isOver: () => false,
  });
  const verdictsOf = ({ verdicts }: typeof before & object): unknown =>
    verdicts.map(({ behaviour, verdict }) => [behaviour, verdict]);
  expect(verdictsOf(now!)).toEqual(verdictsOf(before!));
});
