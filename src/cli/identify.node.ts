// Identifies the limit of a running server, of an installed implementation, or of hidden limits in virtual time.
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { SECOND } from "../kit/units.ts";
import type { ShareOut } from "../kit/pool.node.ts";
import { formatEvidence, listSentAgain } from "../studies/identify/as-scenario.ts";
import { checkAll } from "../studies/identify/check-all.node.ts";
import type { CountedBy } from "../studies/identify/counted-by.ts";
import {
  createHttpTarget,
  type HttpProbe,
  type HttpTarget,
} from "../studies/identify/http-target.node.ts";
import { Identifier, type Identification } from "../studies/identify/identify.ts";
import type { IdentifyCaps } from "../studies/identify/prober.ts";
import { buildIdentifyResult, identifyText } from "../studies/identify/result.ts";
import { buildSelfCheck, selfCheckText } from "../studies/identify/self-check-text.ts";
import { configureHidden, startHidden } from "../studies/identify/start-hidden.node.ts";
import { NO_RESPONSE } from "../studies/identify/silence.ts";
import type { FailingTarget } from "../studies/identify/target.ts";
import { argumentOf, findImplementation } from "../lab/implementations/catalogue.node.ts";
import { whyNotRunnable } from "../lab/implementations/home.node.ts";
import { isFailure } from "../kit/reading/failure.ts";
import { many, oneLine } from "../kit/reading/legible.ts";
import { whyUnreadable, writeWhole } from "../kit/reading/text-file.node.ts";
import { commandOf } from "../kit/command-line.ts";
import { createFolder, whyUnwritable } from "../kit/reading/folder.node.ts";
import { addAnswer } from "../show/answers/answer.ts";
import { answerIdentify } from "../show/answers/identify.ts";
import { printAnswer } from "./answer-text.ts";
import { countIn, type Action, type Arguments } from "./arguments.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import {
  capsIn,
  findUselessFlag,
  readIdentifyTarget,
  readLimit,
} from "./identify-question.node.ts";
import { interruption } from "./interruption.node.ts";
import { seedOf } from "./parse-arguments.node.ts";
import { withQueue } from "./queue-option.node.ts";
import type { Terminal } from "./terminal.ts";

export const identify: Action = async (args, terminal, refuse) => {
  const { values, operands } = args;
  const seed = seedOf(values);
  if (isFailure(seed)) return refuse(seed.message);
  const hidden = countIn(values, "self-check", MOST_HIDDEN);
  if (isFailure(hidden)) return refuse(hidden.message);
  const implementation = values.get("implementation");
  const ways = [operands[0], implementation, hidden].filter((each) => each != null);
  if (ways.length !== 1)
    return refuse("identify takes exactly one of: URL, --implementation NAME, --self-check N");
  const way =
    hidden !== null ? "self-check" : implementation === undefined ? "url" : "implementation";
  const useless = findUselessFlag(way, args);
  if (useless !== null) return refuse(useless.message);
  if (hidden !== null)
    return withQueue(args, terminal, refuse, (share) =>
      checkSelf(hidden, seed, args, terminal, share),
    );
  const out = values.get("out");
  if (out !== undefined && existsSync(out))
    return refuse(`${out} already exists; choose another file`);
  const unwritable = whyUnwritable(out);
  if (unwritable !== null) return refuse(unwritable);
  const caps = capsIn(values, DEFAULT_CAPS);
  if (isFailure(caps)) return refuse(caps.message);
  const probe = readIdentifyTarget(operands[0] ?? PLACEHOLDER, args);
  if (isFailure(probe)) return refuse(probe.message);
  const createTarget = (own: HttpProbe) => (stop: AbortSignal) => createHttpTarget(own, stop);
  if (implementation === undefined)
    return identifyTarget(
      {
        aspects: aspectsOf(probe),
        createTarget: createTarget(probe),
        caps,
        seed,
        name: probe.url.href,
        advice: "",
      },
      args,
      terminal,
    );
  const limit = readLimit(values);
  if (isFailure(limit)) return refuse(limit.message);
  const found = await findImplementation(implementation);
  if (isFailure(found)) return refuse(found.message);
  const configuration = configureHidden(found, limit);
  if (isFailure(configuration)) return refuse(configuration.message);
  const missing = whyNotRunnable(found);
  if (missing !== null) {
    terminal.err(missing);
    return EXIT.unreachable;
  }
  const advice = `; if its program is wrong, this shows more: ${commandOf(["implementations", "run", argumentOf(found)])}`;
  const started = await startHidden(found, configuration);
  if (isFailure(started)) {
    terminal.err(oneLine(`weir identify: ${implementation} ${started.message}${advice}`));
    return EXIT.unreachable;
  }
  try {
    const own = { ...probe, ...started.probe };
    return await identifyTarget(
      {
        aspects: started.createTarget === null ? aspectsOf(own) : ["credential"],
        createTarget: started.createTarget ?? createTarget(own),
        caps,
        seed,
        name: implementation,
        advice,
      },
      args,
      terminal,
    );
  } finally {
    await started.stop();
  }
};

const MOST_HIDDEN = 100_000;
const DEFAULT_CAPS: IdentifyCaps = { requests: 5_000, durationUs: 300 * SECOND };
/** The caps of `--self-check`. They are high, because requests in virtual time take little real time. */
const SELF_CHECK_CAPS: IdentifyCaps = { requests: 60_000, durationUs: 30 * 24 * 3_600 * SECOND };
const MOST_WRONG = 0.005;
/** Where the evidence of an undecided run is saved without --out: its requests may have taken minutes. */
const UNDECIDED = "reports/runs/identify.yaml";
const PLACEHOLDER = "http://127.0.0.1/";

interface IdentifyQuestion {
  readonly aspects: readonly (keyof CountedBy)[];
  readonly createTarget: (stop: AbortSignal) => FailingTarget & Partial<HttpTarget>;
  readonly caps: IdentifyCaps;
  readonly seed: number;
  readonly name: string;
  readonly advice: string; // ends the error message if the target does not respond
}

async function identifyTarget(
  { aspects, createTarget, caps, seed, name, advice }: IdentifyQuestion,
  { switches, values }: Arguments,
  terminal: Terminal,
): Promise<ExitCode> {
  const { out, err, status, paint } = terminal;
  const { stop, isWanted } = interruption();
  const aborted = new AbortController();
  void stop.then(() => aborted.abort());
  err(`at most ${many(caps.requests, "request")} in ${caps.durationUs / SECOND} s`);
  // Aborts requests that are still in flight when the time is over. In virtual time there are none.
  const end = AbortSignal.timeout(Math.ceil(caps.durationUs / 1_000));
  const target = createTarget(AbortSignal.any([aborted.signal, end]));
  const identifier = new Identifier(target, caps, seed, ({ title, suspects }) =>
    // There are no suspects before the first comparison.
    status(suspects === 0 ? title : `${title}; ${many(suspects, "possible behaviour")}`),
  );
  const found = await identifier.identify(aspects).finally(() => target.close?.());
  status("");
  const silence = found.isSilent
    ? oneLine(`weir identify: ${name} ${target.failure() ?? "does not respond"}${advice}`)
    : null;
  if (silence !== null && found.why === NO_RESPONSE) {
    err(silence);
    return EXIT.unreachable;
  }
  const wanted = values.get("out");
  const isUndecided = found.behaviour === null && found.special === null;
  const file = wanted ?? (isUndecided && found.seen !== "" ? UNDECIDED : undefined);
  const unsaved = file === undefined ? null : save(file, formatEvidence(found));
  const saved = unsaved === null ? (file ?? null) : null;
  const result = addAnswer(buildIdentifyResult(name, seed, found, saved), answerIdentify);
  if (switches.has("json")) out(JSON.stringify(result, null, 2));
  else {
    printAnswer(result.answer, terminal);
    for (const line of identifyText(result, paint)) out(line);
  }
  if (unsaved !== null) err(unsaved);
  else if (wanted !== undefined)
    err(`${wanted} has ${describeSaved(found)}, and what was admitted`);
  if (isWanted()) {
    err(`interrupted after ${many(found.requests, "request")}`);
    return EXIT.interrupted;
  }
  if (silence !== null) {
    err(silence);
    return EXIT.unreachable;
  }
  if (unsaved !== null && wanted !== undefined) return EXIT.usage;
  return result.isNamed ? EXIT.passed : EXIT.unproven;
}

const aspectsOf = ({
  otherHeader,
  otherAddress,
  otherPath,
}: HttpProbe): readonly (keyof CountedBy)[] => [
  ...(otherHeader === null ? [] : (["credential"] as const)),
  ...(otherAddress === null ? [] : (["address"] as const)),
  ...(otherPath === null ? [] : (["path"] as const)),
];

function describeSaved({ steps, requests }: Identification): string {
  const sent = `the ${many(requests, "request")} that were sent`;
  const saved = listSentAgain(steps).reduce((sum, { count }) => sum + count, 0);
  return saved === requests ? sent : `${saved} of ${sent}, without those of other senders`;
}

function save(file: string, text: string): string | null {
  const noFolder = createFolder(dirname(file));
  if (noFolder !== null) return noFolder;
  try {
    writeWhole(file, text);
    return null;
  } catch (error) {
    return `${file}: ${whyUnreadable(error)}`;
  }
}

async function checkSelf(
  hidden: number,
  seed: number,
  { switches, values }: Arguments,
  terminal: Terminal,
  share: ShareOut,
): Promise<ExitCode> {
  const caps = capsIn(values, SELF_CHECK_CAPS);
  if (isFailure(caps)) {
    terminal.err(caps.message);
    return EXIT.usage;
  }
  const { stop, isWanted } = interruption();
  const report = (done: number): void => terminal.status(`${done} of ${hidden}`);
  const rows = await checkAll(hidden, { seed, caps }, report, stop, share);
  terminal.status("");
  const result = buildSelfCheck(seed, rows);
  if (switches.has("json")) terminal.out(JSON.stringify(result, null, 2));
  else for (const line of selfCheckText(result)) terminal.out(line);
  if (isWanted()) return EXIT.interrupted;
  return result.wrong <= MOST_WRONG * rows.length ? EXIT.passed : EXIT.failed;
}
