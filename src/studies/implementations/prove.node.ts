// Compares implementations with their profiles in random worlds, and reduces the smallest world in which they differ.
import { createImplementationDriver } from "../../lab/drivers/remote.node.ts";
import { argumentOf, type Implementation } from "../../lab/implementations/catalogue.node.ts";
import { whyNotRunnable } from "../../lab/implementations/home.node.ts";
import { portableCommand } from "../../kit/command-line.ts";
import type { RawScenario } from "../swarm/as-scenario.ts";
import { edgeWorldOf, shrinkEdgeWorld } from "../swarm/edge-seeds.ts";
import { reduceScenario } from "../swarm/shrink.ts";
import type { ComparedWorld } from "./compare-decisions.ts";
import { edgePartsOf, formatProofWorld, readProofWorld, requireProofWorld } from "./proof-world.ts";
import {
  isMostlyOpen,
  NOTHING_COMPARED,
  proofVerdictOf,
  type ImplementationProof,
  type ProofDifference,
} from "./proof.ts";
import { compareWorld } from "./compare-world.node.ts";
import { formatConfiguration, tryConfigurations } from "./configurations.node.ts";
import type { ConfigurationProgram } from "./drawn-configuration.ts";
import { addTrial, type ProofWork, type WorldTrials } from "./trial.ts";
import { tryWorlds, type SharedProofWork } from "./trials.node.ts";

const REDUCING_MS = 60_000;

/** Compares an implementation with its profile in random worlds. */
export const proveImplementation = (
  implementation: Implementation,
  work: SharedProofWork,
): Promise<ImplementationProof> =>
  prove(implementation, work, OF_PROFILES, async () => {
    const driver = createImplementationDriver(implementation, true);
    try {
      const { trials, cutBy } = await tryWorlds(implementation, driver, work);
      return { trials, cutBy, describe: (smallest) => reduceWorld(implementation, smallest, work) };
    } finally {
      await driver.close();
    }
  });

/** Compares a program with the rules that a reader finds in random configurations of its own language. */
export const proveReader = (
  implementation: Implementation,
  program: ConfigurationProgram,
  work: ProofWork,
): Promise<ImplementationProof> =>
  proveConfigurations(implementation, program, work, { action: "prove", flags: [CONFIGURATIONS] });

const proveConfigurations = (
  implementation: Implementation,
  program: ConfigurationProgram,
  work: ProofWork,
  command: CommandOfProof,
): Promise<ImplementationProof> =>
  prove(implementation, work, command, async () => ({
    ...(await tryConfigurations(implementation, program, work)),
    describe: ({ seed, compared: { difference, decisions } }) =>
      Promise.resolve({
        seed,
        request: difference!.row + 1,
        requests: decisions,
        sentence: difference!.sentence,
        scenario: formatConfiguration(program, seed, difference!.row + 1),
        again: portableCommand(
          proveWords(implementation, command, ["--seed", `${seed}`, "--worlds", "1"]),
        ),
      }),
  }));

/** Compares a program with the rules that are read in the file of a user. */
export const proveOwnFile = (
  implementation: Implementation,
  { file, program }: { readonly file: string; readonly program: ConfigurationProgram },
  work: ProofWork,
): Promise<ImplementationProof> =>
  proveConfigurations(implementation, program, work, { action: "run", flags: ["--config", file] });

const CONFIGURATIONS = "--configurations";

/** The command that repeats a proof. */
interface CommandOfProof {
  readonly action: "prove" | "run";
  readonly flags: readonly string[];
}

const OF_PROFILES: CommandOfProof = { action: "prove", flags: [] };

interface DifferingTrial {
  readonly seed: number;
  readonly compared: ComparedWorld;
}

interface DescribedTrials extends WorldTrials {
  readonly describe: (smallest: DifferingTrial) => Promise<ProofDifference>;
}

async function prove(
  implementation: Implementation,
  work: ProofWork,
  command: CommandOfProof,
  tryAll: () => Promise<DescribedTrials>,
): Promise<ImplementationProof> {
  const { id, manifest } = implementation;
  const { name, version, clock, model, resolution, rounding } = manifest;
  const again = portableCommand(
    proveWords(implementation, command, ["--seed", `${work.seed}`, "--worlds", `${work.worlds}`]),
  );
  const described = {
    id,
    name,
    version,
    clock,
    model,
    resolutionUs: resolution,
    roundingUs: rounding,
    again,
  };
  const missing = whyNotRunnable(implementation);
  if (missing !== null)
    return {
      ...described,
      missing,
      verdict: null,
      cutBy: null,
      seconds: 0,
      counts: NOTHING_COMPARED,
      isMostlyOpen: false,
      difference: null,
      failure: null,
    };
  const startMs = performance.now();
  const { trials, cutBy, describe } = await tryAll();
  const counts = trials.reduce(addTrial, NOTHING_COMPARED);
  const smallest = trials
    .flatMap((trial) => (trial.kind === "compared" && trial.compared.difference ? [trial] : []))
    .toSorted((a, b) => a.compared.difference!.row - b.compared.difference!.row)[0];
  const failed = trials.find((trial) => trial.kind === "failed");
  return {
    ...described,
    missing: null,
    verdict: proofVerdictOf(counts, work.worlds),
    cutBy,
    seconds: Math.round((performance.now() - startMs) / 1_000),
    counts,
    isMostlyOpen: isMostlyOpen(counts),
    difference: smallest === undefined ? null : await describe(smallest),
    failure: failed === undefined ? null : `seed ${failed.seed}: ${failed.why}`,
  };
}

const proveWords = (
  implementation: Implementation,
  { action, flags }: CommandOfProof,
  options: readonly string[],
): readonly string[] => [
  "implementations",
  action,
  argumentOf(implementation),
  ...flags,
  ...options,
];

/** Describes a difference. Reduces its world in virtual time only: in real time, attempts may differ by chance. */
async function reduceWorld(
  implementation: Implementation,
  { seed, compared: inWhole }: DifferingTrial,
  { isInterrupted }: ProofWork,
): Promise<ProofDifference> {
  const { manifest } = implementation;
  const parts = edgePartsOf(manifest);
  const whole = edgeWorldOf(parts, seed);
  const describe = (
    raw: RawScenario,
    { difference, decisions }: ComparedWorld,
  ): ProofDifference => ({
    seed,
    request: difference!.row + 1,
    requests: decisions,
    sentence: difference!.sentence,
    scenario: formatProofWorld(requireProofWorld(raw, manifest, seed), manifest),
    again: portableCommand(
      proveWords(implementation, OF_PROFILES, ["--seed", `${seed}`, "--worlds", "1"]),
    ),
  });
  if (manifest.clock === "real") return describe(whole, inWhole);
  const driver = createImplementationDriver(implementation, true);
  const untilMs = performance.now() + REDUCING_MS;
  const compare = async (raw: RawScenario): Promise<ComparedWorld | null> => {
    const world = readProofWorld(raw, manifest, seed);
    if (world === null) return null;
    // A world that lacks a needed part cannot be run.
    return compareWorld(implementation, driver, world).catch(() => null);
  };
  const fails = async (raw: RawScenario): Promise<boolean> =>
    !isInterrupted() &&
    performance.now() < untilMs &&
    ((await compare(raw))?.difference ?? null) !== null;
  try {
    const least = await reduceScenario(await shrinkEdgeWorld(parts, seed, fails), fails);
    const compared = await compare(least);
    return compared?.difference ? describe(least, compared) : describe(whole, inWhole);
  } finally {
    await driver.close();
  }
}
