// Computes worlds of a proof on other machines, each of which has the implementation installed from the same files.
import {
  argumentOf,
  findImplementation,
  isOwnImplementation,
  type Implementation,
} from "../../lab/implementations/catalogue.node.ts";
import { digestOf, whyNotRunnable } from "../../lab/implementations/home.node.ts";
import { Failure, isFailure } from "../../kit/reading/failure.ts";
import type { ShareOut } from "../../kit/pool.node.ts";
import { PROOF_THREADS } from "./proof-threads.node.ts";
import type { WorldTrial } from "./trial.ts";

const WORLDS_A_PIECE = 10;

/** Sent once to each thread. */
export interface ProofSettings {
  readonly name: string; // the implementation's name, or the path of its folder on every machine
  readonly manifest: string;
  readonly digest: string;
}

/** Finds the same implementation on a worker's machine. Fails with a sentence for the user of the command. */
export async function requireSame(settings: ProofSettings): Promise<Implementation | Failure> {
  const { name, manifest, digest } = settings;
  const found = await findImplementation(name);
  if (isFailure(found)) return found;
  if (JSON.stringify(found.manifest) !== manifest || digestOf(found) !== digest)
    return new Failure(
      `${name}: its files on this worker differ from those where the command runs; install it again here`,
    );
  const missing = whyNotRunnable(found);
  return missing === null ? found : new Failure(missing);
}

/** Returns the trials in the order of the seeds; if `stop` resolves first, only the finished trials. */
export async function shareWorlds(
  implementation: Implementation,
  seeds: readonly number[],
  share: ShareOut,
  stop: Promise<"stop">,
  onDone: (trials: readonly WorldTrial[]) => void,
): Promise<readonly WorldTrial[]> {
  const pieces = Array.from({ length: Math.ceil(seeds.length / WORLDS_A_PIECE) }, (_, at) =>
    seeds.slice(at * WORLDS_A_PIECE, (at + 1) * WORLDS_A_PIECE),
  );
  const { folder, variant, manifest } = implementation;
  const place = variant === null ? folder : `${folder}/${variant}`;
  const settings: ProofSettings = {
    name: isOwnImplementation(implementation) ? argumentOf(implementation) : place,
    manifest: JSON.stringify(manifest),
    digest: digestOf(implementation),
  };
  const trials: (readonly WorldTrial[])[] = [];
  await share({
    pieces: pieces.entries(),
    mostThreads: pieces.length,
    threads: PROOF_THREADS,
    settings,
    stop,
    onDone: (answer, at) => {
      trials[at] = answer as readonly WorldTrial[];
      onDone(trials[at]);
    },
  });
  return trials.flat();
}
