// Bytes and operations of one run, worked out by hand from what Redis was seen to hold and run.
import { describe, expect, test } from "vitest";
import { micros } from "#src/kit/units.ts";
import { figuresOf, type Figures } from "#src/studies/pareto/metrics.ts";
import { measureRun } from "#src/studies/pareto/run-cell.ts";
import { FLEETS, suiteOf, type Contender } from "#src/studies/pareto/suite.ts";
import { flow } from "#src/studies/pareto/traffic.ts";
import { settingsOf } from "#src/studies/pareto/world.ts";
import { MEASURED, type CommandCounts, type FormCosts } from "#src/lab/sim/measured-costs.ts";

const KEYS = 4;
const RATE = 64;
const ATTEMPTS = 128; // of each key, all in one window
const PER_MS = 1_000;

/** Even, so that each key has its attempts `KEYS` turns apart; the fleet has one gateway. */
function figures(algorithm: Contender, store: string): Figures {
  const suite = { ...suiteOf({ isQuick: true, traffic: null, gateways: null }), rate: RATE };
  const settings = settingsOf(
    { algorithm, fleet: FLEETS[0]!, keys: KEYS },
    { ...suite, perMs: PER_MS, store },
  );
  const rate = (KEYS * ATTEMPTS * 1_000) / PER_MS;
  const forUs = micros(PER_MS * 1_000);
  const traffic = [flow({ kind: "rate", rate, forUs }, { clients: KEYS })];
  const { history, bytes } = measureRun(settings(traffic, 1), forUs / 10);
  expect(history.requests.length).toBe(KEYS * ATTEMPTS);
  return figuresOf(history, { rate: RATE, perUs: forUs, bytes });
}

const sum = (counts: CommandCounts | null): number =>
  Object.values(counts ?? {}).reduce((total, calls) => total + calls, 0);

const bytesAt = ({ logBytes }: FormCosts, stamps: number): number => {
  const bytes = logBytes.find(([measured]) => measured === stamps)?.[1];
  if (bytes === undefined) throw new Error(`${stamps} stamps were not measured`);
  return bytes;
};

/** Of one key: half of its attempts are admitted, the others refused; each is one call and what is inside. */
const half = ({ commands }: FormCosts): number =>
  (RATE * (1 + sum(commands.admitted)) + RATE * (1 + sum(commands.refused))) / ATTEMPTS;

const { forms, pipeline } = MEASURED;
const look = 1 + sum(forms.non_transactional.commands.dryRunFull);

/** Without gcra and the bucket, which admit by the moment of each request. */
const BY_HAND: readonly (readonly [
  Contender,
  { readonly bytes: number; readonly operations: number },
])[] = [
  ["fixed_window", { bytes: forms.fixed_window.recordBytes, operations: half(forms.fixed_window) }],
  [
    "sliding_log",
    { bytes: bytesAt(forms.sliding_log, ATTEMPTS), operations: half(forms.sliding_log) },
  ],
  [
    "non_transactional",
    {
      bytes: bytesAt(forms.sliding_log, ATTEMPTS),
      // The last that is admitted, and each that is refused, looks at the stamp that has to leave.
      operations: Number(
        ((ATTEMPTS * sum(pipeline) + (1 + RATE) * look) / ATTEMPTS).toPrecision(6),
      ),
    },
  ],
  [
    "sentinel",
    {
      bytes: forms.sentinel.recordBytes + bytesAt(forms.sliding_log, ATTEMPTS),
      operations: half(forms.sentinel) + 1 + sum(forms.sentinel.background),
    },
  ],
  ["bounded_log", { bytes: bytesAt(forms.bounded_log, RATE), operations: half(forms.bounded_log) }],
  ["drl", { bytes: forms.fixed_window.recordBytes, operations: 0 }],
  ["per_node", { bytes: forms.fixed_window.recordBytes, operations: 0 }],
];

describe.each([
  ["at hand", "{ latency: 0ms }"],
  ["a while away", "{ latency: 100us }"],
])("with a store that is %s", (_, store) => {
  test.each(BY_HAND)("%s holds and runs what was measured", (algorithm, expected) => {
    const { bytes, operations } = figures(algorithm, store);
    expect({ bytes, operations }).toEqual(expected);
  });

  test.each([
    ["token_bucket", forms.token_bucket],
    ["gcra", forms.gcra],
    ["sliding_window_counter", forms.sliding_window_counter],
  ] as const)("%s holds one record of a key, and only an admission writes", (algorithm, form) => {
    const { bytes, operations } = figures(algorithm, store);
    expect(bytes).toBe(form.recordBytes);
    expect(operations).toBeGreaterThan(1 + sum(form.commands.refused));
    expect(operations).toBeLessThan(1 + sum(form.commands.admitted));
  });
});
