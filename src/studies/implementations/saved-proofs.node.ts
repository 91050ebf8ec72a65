// Reads the saved proofs of profiles, which are shown with the results of the same implementations.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { isFailure } from "../../kit/reading/failure.ts";
import { many } from "../../kit/reading/legible.ts";
import { readText } from "../../kit/reading/text-file.node.ts";
import { readImplementationsProof, type ImplementationProof } from "./proof.ts";
import type { ImplementationRun } from "./result.ts";
import type { SavedProof } from "./saved-proof.ts";

/** Proofs by the id of the implementation, without unreadable proofs and proofs of other versions. */
export function readSavedProofs(
  folder: string,
  runs: readonly Pick<ImplementationRun, "id" | "version">[],
): ReadonlyMap<string, SavedProof> {
  return new Map(
    runs.flatMap(({ id, version }) => {
      const file = join(folder, `${id}.json`);
      const proof = existsSync(file) ? readProof(file) : null;
      if (proof === null || proof.verdict === null || proof.version !== version) return [];
      return [[id, describe(proof, proof.verdict, file)] as const];
    }),
  );
}

function readProof(file: string): ImplementationProof | null {
  const text = readText(file);
  if (isFailure(text)) return null;
  try {
    const proof = readImplementationsProof(text);
    return isFailure(proof) ? null : (proof.implementations[0] ?? null);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function describe(
  { counts: { worlds, decisions, open }, again }: ImplementationProof,
  verdict: SavedProof["verdict"],
  file: string,
): SavedProof {
  const compared = `${many(decisions, "decision")} of ${many(worlds, "world")}`;
  return { verdict, sentence: `${verdict}: ${compared}, ${open} of them open`, file, again };
}
