// Compares implementations with their profiles, prints what differs, and saves the result of each.
import { dirname, join } from "node:path";
import { checkout } from "../bench/resources/machine.node.ts";
import { proveImplementation } from "../experiments/implementations/prove.node.ts";
import { proofText } from "../experiments/implementations/proof-text.ts";
import {
  IMPLEMENTATIONS_PROOF_FORMAT,
  proofDocumentOf,
  proofFooterOf,
  type ImplementationProof,
  type ImplementationsProof,
} from "../experiments/implementations/proof.ts";
import type { Implementation } from "../implementations/catalogue.node.ts";
import { durationIn } from "../reading/duration.ts";
import { isFailure } from "../reading/failure.ts";
import { whyUnreadable, writeWhole } from "../reading/text-file.node.ts";
import { createFolder } from "../run/history-folder.node.ts";
import type { Arguments, Refuse } from "./arguments.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import { interruption } from "./interruption.node.ts";
import { seedOf } from "./parse-arguments.node.ts";
import type { Terminal } from "./terminal.ts";
import { versionOfWeir } from "./version.node.ts";

const DEFAULT_OUT = join("reports", "implementations");
const DEFAULT_WORLDS = "1000";
const MOST_WORLDS = 1_000_000;

export async function proveAndReport(
  implementations: readonly Implementation[],
  { values, switches }: Arguments,
  { out, err, status, paint }: Terminal,
  refuse: Refuse,
): Promise<ExitCode> {
  const seed = seedOf(values);
  if (isFailure(seed)) return refuse(seed.message);
  const typed = values.get("worlds") ?? DEFAULT_WORLDS;
  const worlds = Number(typed);
  if (!/^\d+$/.test(typed) || worlds < 1 || worlds > MOST_WORLDS)
    return refuse(`--worlds must be an integer from 1 to ${MOST_WORLDS}; got "${typed}"`);
  const maxUs = durationIn(values.get("max-duration") ?? "30m");
  if (maxUs === undefined || maxUs === 0)
    return refuse("--max-duration must be a duration above 0, such as 5m");
  const required = (values.get("require") ?? "").split(",").filter((each) => each !== "");
  const ids = implementations.map(({ id }) => id);
  const unknown = required.find((name) => name !== "all" && !ids.includes(name));
  if (unknown !== undefined)
    return refuse(`--require ${unknown}: it is not among those that run; add its name, or use all`);

  const { isWanted } = interruption();
  const proofs: ImplementationProof[] = [];
  for (const implementation of implementations) {
    if (isWanted()) break;
    const proof = await proveImplementation(implementation, {
      seed,
      worlds,
      maxMs: maxUs / 1_000,
      progress: status,
      isOver: isWanted,
    });
    proofs.push(proof);
    err(
      `${proofs.length} of ${implementations.length}: ${proof.id}: ${proof.verdict ?? "not run"}`,
    );
  }
  status("");
  const { commit, changed } = checkout();
  const proof: ImplementationsProof = {
    format: IMPLEMENTATIONS_PROOF_FORMAT,
    weir: versionOfWeir(),
    commit: changed ? `${commit} and changes` : commit,
    date: new Date().toISOString(),
    seed,
    worlds,
    implementations: proofs,
    footer: proofFooterOf(proofs),
  };
  const unsaved = isWanted() ? [] : save(proof, values.get("out") ?? DEFAULT_OUT);
  for (const problem of unsaved) err(problem);
  if (switches.has("json")) out(JSON.stringify(proof, null, 1));
  else for (const line of proofText(proof, paint)) out(line);
  if (isWanted()) return EXIT.interrupted;
  const absent = proofs.filter(
    ({ id, missing }) => missing !== null && (required.includes("all") || required.includes(id)),
  );
  for (const { id, missing } of absent) err(`${id} is required, and ${missing}`);
  const { differs, failed, vacuous } = proof.footer;
  if (differs + failed > 0) return EXIT.failed;
  if (unsaved.length > 0) return EXIT.usage;
  if (absent.length > 0) return EXIT.unreachable;
  return vacuous > 0 ? EXIT.unproven : EXIT.passed;
}

/** The result of each that was run, and the scenario in which it differs. */
function save(proof: ImplementationsProof, folder: string): readonly string[] {
  return proof.implementations
    .filter(({ missing }) => missing === null)
    .flatMap((implementation) => {
      const file = join(folder, "proofs", `${implementation.id}.json`);
      const noFolder = createFolder(dirname(file));
      if (noFolder !== null) return [noFolder];
      try {
        writeWhole(file, `${JSON.stringify(proofDocumentOf(proof, implementation), null, 1)}\n`);
        return [];
      } catch (error) {
        return [`${file}: ${whyUnreadable(error)}`];
      }
    });
}
