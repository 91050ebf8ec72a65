// Compares implementations with their profiles, prints the differences, and saves the result of each.
import { join } from "node:path";
import {
  proveImplementation,
  proveOwnFile,
  proveReader,
} from "../studies/implementations/prove.node.ts";
import {
  COMPARED_READERS,
  programOf,
  withoutVariants,
} from "../studies/implementations/configurations.node.ts";
import { proofText } from "../studies/implementations/proof-text.ts";
import {
  IMPLEMENTATIONS_PROOF_FORMAT,
  proofDocumentOf,
  proofFooterOf,
  type ImplementationProof,
  type ImplementationsProof,
} from "../studies/implementations/proof.ts";
import type { SharedProofWork } from "../studies/implementations/trials.node.ts";
import { addAnswer } from "../show/answers/answer.ts";
import { answerProve } from "../show/answers/prove.ts";
import { printAnswer } from "./answer-text.ts";
import type { Implementation } from "../lab/implementations/catalogue.node.ts";
import { durationIn } from "../kit/reading/duration.ts";
import { isFailure, type Failure } from "../kit/reading/failure.ts";
import { oneLine } from "../kit/reading/legible.ts";
import type { Arguments, Refuse } from "./arguments.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import {
  absentIn,
  DEFAULT_OUT,
  describeOrigin,
  PROOFS,
  resolveRequired,
  saveResults,
  whyUnsavable,
} from "./implementations-results.node.ts";
import { readOwnFile, type StartedFile } from "./implementations-own.node.ts";
import { interruption } from "./interruption.node.ts";
import { seedOf } from "./parse-arguments.node.ts";
import { withQueue } from "./queue-option.node.ts";
import type { Terminal } from "./terminal.ts";

const DEFAULT_WORLDS = "1000";
const DEFAULT_CONFIGURATIONS = "200";
const DEFAULT_RUNS = "3";

/** The folder of proofs of readers, below that of other proofs. */
const READERS = join(PROOFS, "readers");
const MOST_WORLDS = 1_000_000;

export async function proveAndReport(
  named: readonly Implementation[],
  args: Arguments,
  terminal: Terminal,
  refuse: Refuse,
): Promise<ExitCode> {
  const { values, switches } = args;
  const own = values.has("config") ? readOwnFile(named, args) : null;
  if (isFailure(own)) return refuseAll(own, terminal);
  for (const doubt of own?.doubts ?? []) terminal.err(`warning: ${doubt}`);
  const ofReaders = switches.has("configurations");
  const implementations =
    own !== null ? [own.implementation] : ofReaders ? withoutVariants(named) : named;
  if (ofReaders) {
    const unread = implementations.find((each) => programOf(each) === null);
    if (unread !== undefined)
      return refuse(
        `--configurations: no reader of ${unread.id} is compared with it; name ${COMPARED_READERS.join(" or ")}`,
      );
    if (values.has("queue"))
      return refuse("--queue: configurations run on this machine; leave it out");
  }
  const seed = seedOf(values);
  if (isFailure(seed)) return refuse(seed.message);
  const usual = ofReaders ? DEFAULT_CONFIGURATIONS : DEFAULT_WORLDS;
  const typed = values.get("worlds") ?? (own === null ? usual : DEFAULT_RUNS);
  const worlds = Number(typed);
  if (!/^\d+$/.test(typed) || worlds < 1 || worlds > MOST_WORLDS)
    return refuse(`--worlds must be an integer from 1 to ${MOST_WORLDS}; got "${typed}"`);
  const maxUs = durationIn(values.get("max-duration") ?? "30m");
  if (maxUs === undefined || maxUs === 0)
    return refuse("--max-duration must be a duration above 0, such as 5m");
  const required = resolveRequired(values, implementations);
  if (isFailure(required)) return refuse(required.message);
  // The file of a user may be secret, so its result is saved only where the user wants it.
  const folder =
    own === null || values.has("out")
      ? join(values.get("out") ?? DEFAULT_OUT, own !== null || ofReaders ? READERS : PROOFS)
      : null;
  const unwritable = folder === null ? null : whyUnsavable(folder);
  if (unwritable !== null) return refuse(unwritable);

  const work = { seed, worlds, maxMs: maxUs / 1_000 };
  return withQueue(args, terminal, refuse, (share) =>
    proveAll(
      implementations,
      { ...work, required, folder, own, share: values.has("queue") ? share : null },
      args,
      terminal,
    ),
  );
}

interface WorkOnProofs extends Pick<SharedProofWork, "seed" | "worlds" | "maxMs" | "share"> {
  readonly required: readonly string[];
  readonly folder: string | null; // null: nothing is saved
  readonly own: StartedFile | null; // the file of a user that is started
}

async function proveAll(
  implementations: readonly Implementation[],
  { required, folder, own, ...work }: WorkOnProofs,
  { switches }: Arguments,
  terminal: Terminal,
): Promise<ExitCode> {
  const { out, err, status, paint } = terminal;
  const { seed, worlds } = work;
  const { isWanted } = interruption();
  const proofs: ImplementationProof[] = [];
  for (const implementation of implementations) {
    if (isWanted()) break;
    if (work.share !== null && implementation.manifest.clock === "real")
      err(`${implementation.id} decides by a real clock, so this machine runs its worlds`);
    const watched = { ...work, progress: status, isInterrupted: isWanted };
    const program = switches.has("configurations") ? programOf(implementation) : null;
    const proof =
      own !== null
        ? await proveOwnFile(implementation, own, watched)
        : program === null
          ? await proveImplementation(implementation, watched)
          : await proveReader(implementation, program, watched);
    proofs.push(proof);
    err(
      `${proofs.length} of ${implementations.length}: ${proof.id}: ${proof.verdict ?? "not run"}`,
    );
  }
  status("");
  const proof: ImplementationsProof = {
    format: IMPLEMENTATIONS_PROOF_FORMAT,
    ...describeOrigin(),
    ...(own !== null
      ? { of: "file", file: own.file }
      : switches.has("configurations")
        ? { of: "configurations" }
        : {}),
    seed,
    worlds,
    implementations: proofs,
    footer: proofFooterOf(proofs),
  };
  const unsaved =
    isWanted() || folder === null
      ? []
      : saveResults(proofs, folder, (each) => addAnswer(proofDocumentOf(proof, each), answerProve));
  for (const problem of unsaved) err(problem);
  const answered = addAnswer(proof, answerProve);
  if (switches.has("json")) out(JSON.stringify(answered, null, 1));
  else {
    printAnswer(answered.answer, terminal);
    for (const line of proofText(proof, paint)) out(line);
  }
  if (isWanted()) return EXIT.interrupted;
  const absent = absentIn(proofs, required);
  for (const sentence of absent) err(sentence);
  const { differs, failed, vacuous, partial } = proof.footer;
  if (differs + failed > 0) return EXIT.failed;
  if (unsaved.length > 0) return EXIT.usage;
  if (absent.length > 0) return EXIT.unreachable;
  return vacuous + partial > 0 ? EXIT.unproven : EXIT.passed;
}

function refuseAll({ problems }: Failure, { err }: Terminal): ExitCode {
  for (const problem of problems) err(oneLine(`weir implementations: ${problem}`));
  return EXIT.usage;
}
