// `weir bench --against PATH`: measures this version and another one in one run.
import { relative } from "node:path";
import { DEFAULT_PAIRS, MEASURED_ROUNDS, secondsOfPairs } from "../studies/bench/against/design.ts";
import { leastPairs } from "../studies/bench/against/pair-verdicts.ts";
import { decideGates } from "../studies/bench/against/gate-verdicts.ts";
import {
  AGAINST_FORMAT,
  type AgainstDesign,
  type AgainstResult,
  type PairRepeat,
  type Version,
} from "../studies/bench/against/result.ts";
import {
  runPairs,
  type PairOrders,
  type PairsRun,
} from "../studies/bench/against/run-pairs.node.ts";
import { linesOf, markdownOf } from "../studies/bench/against/text.ts";
import { looksFor } from "../studies/bench/against/until.ts";
import { thisVersion, versionAt } from "../studies/bench/against/version.node.ts";
import { worstWord } from "../studies/bench/compare/comparison.ts";
import { warningsOf } from "../studies/bench/warnings.ts";
import { timeText } from "../studies/bench/progress-line.ts";
import type { LoadFigures } from "../studies/bench/load/load.ts";
import type { Pin } from "../studies/bench/pin.node.ts";
import type { BenchPlan } from "../studies/bench/plan.ts";
import { machine, machineAfter } from "../studies/bench/resources/machine.node.ts";
import { subjectsOf, type BenchSubject } from "../studies/bench/subjects.ts";
import { METRIC_NAMES, type Gate } from "../studies/bench/suite.ts";
import { Failure, isFailure } from "../kit/reading/failure.ts";
import { whyUnwritable } from "../kit/reading/folder.node.ts";
import { addAnswer, answerMarkdown } from "../show/answers/answer.ts";
import { answerAgainst } from "../show/answers/against.ts";
import { printAnswer } from "./answer-text.ts";
import { countIn, type Arguments, type Refuse } from "./arguments.ts";
import type { BenchOptions } from "./bench-options.ts";
import { endingBySignals, openResultsAt, WEIR, whyAway } from "./bench-ready.node.ts";
import { progressOn } from "./bench-progress.node.ts";
import { questionOf, shareOf } from "./compare-question.ts";
import { many } from "../kit/reading/legible.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import { warn, type Terminal } from "./terminal.ts";
import { defaultFile } from "../kit/reading/untracked.node.ts";

interface AgainstOrder {
  readonly plan: BenchPlan;
  readonly options: BenchOptions;
  readonly seed: number;
  readonly pin: Pin;
}

const SWITCHES = ["json", "markdown", "pin", "legend", "quiet", "no-color"];
const VALUES = [
  "against",
  "pairs",
  "until",
  "min-effect",
  "only",
  "control",
  "capacity",
  "seed",
  "out",
];

export async function benchAgainst(
  order: AgainstOrder,
  { switches, values }: Arguments,
  terminal: Terminal,
  refuse: Refuse,
): Promise<ExitCode> {
  const { plan, options } = order;
  const { out, err, paint, tableColumns } = terminal;
  const idle =
    [...switches].find((name) => !SWITCHES.includes(name)) ??
    [...values.keys()].find((name) => !VALUES.includes(name));
  if (idle !== undefined)
    return refuse(
      `--${idle} is not for --against, which takes --${[...VALUES.slice(1), ...SWITCHES.slice(0, 4)].join(", --")}`,
    );
  if (switches.has("json") && switches.has("markdown"))
    return refuse("--json and --markdown are two ways to print it; choose one");
  const { gates } = plan.suite;
  if (gates.length === 0)
    return refuse(`${plan.suite.id} has no gate among these cells, so nothing would be compared`);
  const design = designOf(values, gates);
  if (isFailure(design)) return refuse(design.message);
  const file = values.get("out") ?? defaultFile(`bench-against-${plan.suite.id}.json`);
  const unwritable = whyUnwritable(file);
  if (unwritable !== null) return refuse(unwritable);
  const head = thisVersion(WEIR);
  const base = versionAt(values.get("against")!, (root) => err(`building ${root}`));
  if (isFailure(base)) return refuse(base.message);

  const cells = plan.subjects.filter(({ name }) => gates.some(({ cell }) => cell === name));
  const away = await whyAway({ subjects: cells }, options, null);
  if (away !== null) {
    err(`weir bench: ${away.sentence}`);
    return away.code;
  }
  const controls = subjectsOf(plan.suite, [], options.wanted.controls);
  const resultFiles = openResultsAt(file);
  if (isFailure(resultFiles)) {
    err(resultFiles.message);
    return EXIT.usage;
  }
  const seconds = secondsOfPairs(plan.suite, {
    cells: cells.length,
    controls: controls.length,
    pairs: design.pairs,
  });
  err(
    `seed ${order.seed}; ${plan.suite.id} against ${relative(process.cwd(), base.path) || "."}: ${design.until === null ? "" : "at most "}${design.pairs} pairs, about ${timeText(seconds)}`,
  );
  const over = endingBySignals();
  const before = machine();
  const startedAt = new Date().toISOString();
  const startedMs = performance.now();
  const missing: string[] = [];
  const figures: { repeat: PairRepeat; figures: LoadFigures; subject: BenchSubject }[] = [];
  const repeatsEach = (2 + controls.length) * (1 + design.rounds) * cells.length;
  const progress = progressOn(terminal, { repeats: design.pairs * repeatsEach, seconds });
  const bothOf = (subject: BenchSubject): PairOrders["cells"][number] => ({
    base: {
      ...subject,
      weir: base.command,
      processName: `${subject.name} (the version to compare with)`,
    },
    head: { ...subject, weir: head.command, processName: `${subject.name} (this version)` },
  });
  const orders: PairOrders = {
    ...progress,
    suite: plan.suite,
    seed: order.seed,
    pin: order.pin,
    weir: WEIR,
    capacity: options.capacity,
    ending: over,
    cells: cells.map(bothOf),
    controls,
    pairs: design.pairs,
    rounds: design.rounds,
    batch: 1,
    onMissing: ({ name }, why) => {
      if (!missing.some((one) => one.startsWith(`${name} `)))
        missing.push(`${name} is missing: ${why}`);
    },
    onSample: ({ name }, sample) => resultFiles.recordSample({ cell: name, ...sample }),
    onMeasured: (repeat, load) => {
      const { cell, side } = repeat;
      resultFiles.recordSample({ what: "repeat", ...repeat, load });
      resultFiles.flush();
      progress.onMeasured();
      const subject = [...cells, ...controls].find(({ name }) => name === cell)!;
      figures.push({
        repeat,
        figures: load,
        subject: side === null ? subject : { ...subject, name: `${cell} of ${side}` },
      });
    },
    isEnough: (repeats, pairs) =>
      design.until !== null &&
      pairs % design.until.looks.every === 0 &&
      decideGates(repeats, gates, design, order.seed).every(({ decidedAt }) => decidedAt !== null),
  };
  return runPairs(orders, (ran) => {
    const place = resultFiles.placeOf(ran.stopped === null);
    const judged = decideGates(ran.repeats, gates, design, order.seed);
    const tookSeconds = Math.round(performance.now() - startedMs) / 1_000;
    const errors = ran.repeats.reduce((sum, repeat) => sum + repeat.errors, 0);
    const busy = busyIn(ran);
    const warnings = [
      ...(busy === null ? [] : [busy]),
      ...missing,
      ...warningsOf(plan.suite, doubtful(figures)),
    ];
    const result: AgainstResult = {
      format: AGAINST_FORMAT,
      suite: { id: plan.suite.id, title: plan.suite.title },
      startedAt,
      tookSeconds,
      argv: process.argv.slice(2),
      seed: order.seed,
      machine: machineAfter(before, busy, { redis: ran.redis }),
      base: versionOf(base),
      head: versionOf(head),
      capacity: ran.capacity,
      design,
      metrics: METRIC_NAMES.filter((name) => ran.repeats.some(({ metrics }) => name in metrics)),
      cells: [...cells, ...controls].map(({ name, factors, control }) => ({
        name,
        factors,
        control,
      })),
      word: worstWord(judged.map(({ word }) => word)),
      gates: judged,
      pairs: ran.pairs,
      secondsAPair: ran.pairs === 0 ? 0 : tookSeconds / ran.pairs,
      ended: reasonOfEnd(ran),
      stopped: ran.stopped?.why ?? null,
      warnings,
      samples: place.samplesFile,
      repeats: ran.repeats,
      footer: { repeats: ran.repeats.length, errors },
    };
    const answered = addAnswer(result, answerAgainst);
    resultFiles.finish(place, answered);
    const isJson = switches.has("json");
    if (isJson) out(JSON.stringify(answered, null, 2));
    else if (switches.has("markdown"))
      out(`${answerMarkdown(answered.answer)}\n\n${markdownOf(result)}`);
    else {
      printAnswer(answered.answer, terminal);
      const print = { paint, width: tableColumns, hasLegend: switches.has("legend") };
      for (const line of linesOf(result, print)) out(line);
    }
    // The answer has a sentence of a busy machine.
    for (const warning of warnings) if (isJson || warning !== busy) warn(terminal, warning);
    if (result.stopped !== null) err(paint("bad", `stopped early: ${result.stopped}`));
    err(place.line);
    return exitCodeOf(ran, result);
  });
}

function designOf(values: Arguments["values"], gates: readonly Gate[]): AgainstDesign | Failure {
  const question = questionOf(values);
  if (isFailure(question)) return question;
  const wanted = values.has("until") ? shareOf("until", values.get("until")!, "5%") : null;
  if (isFailure(wanted)) return wanted;
  if (wanted !== null && wanted < question.minEffect)
    return new Failure(
      `--until ${values.get("until")} is smaller than --min-effect; set --min-effect ${values.get("until")} too`,
    );
  const looks = wanted === null ? null : looksFor(wanted);
  const typed = countIn(values, "pairs", 1_000);
  if (isFailure(typed)) return typed;
  const pairs = typed ?? looks?.most ?? DEFAULT_PAIRS;
  const least = leastPairs(gates.length, question.alpha);
  if (pairs < least) {
    const need = gates.length === 1 ? "needs" : "need";
    return new Failure(
      `--pairs ${pairs} is too few: ${many(gates.length, "gate")} ${need} at least ${least}; write --pairs ${least}`,
    );
  }
  if (looks !== null && pairs % looks.every !== 0)
    return new Failure(
      `--pairs must be a multiple of ${looks.every} with --until ${values.get("until")}, because gates are decided after every ${looks.every} pairs`,
    );
  return {
    pairs,
    rounds: MEASURED_ROUNDS,
    ...question,
    until: wanted === null || looks === null ? null : { wanted, looks: { ...looks, most: pairs } },
  };
}

const versionOf = ({ path, form, commit, changed, packages }: Version): Version => ({
  path,
  form,
  commit,
  changed,
  packages,
});

/** The repeats that warnings are derived from: all measured repeats, and the warm-up repeats that had errors. */
const doubtful = (
  all: readonly { repeat: PairRepeat; figures: LoadFigures; subject: BenchSubject }[],
) => {
  const subjects = new Map<string, BenchSubject>();
  return all
    .filter(({ repeat }) => !repeat.isWarmUp || repeat.errors > 0)
    .map((one) => {
      const subject = subjects.get(one.subject.name) ?? one.subject;
      subjects.set(subject.name, subject);
      return { ...one, subject };
    });
};

function busyIn({ busy: { batches, of, first } }: PairsRun): string | null {
  if (first === null) return null;
  return `the machine was busy in ${batches} of ${of} measurements of a pair; in one of them ${first}`;
}

const reasonOfEnd = ({ stopped, isEnough }: PairsRun): AgainstResult["ended"] => {
  if (stopped !== null) return stopped.how === "interrupted" ? "interrupted" : "gone";
  return isEnough ? "every gate is decided" : "all pairs";
};

function exitCodeOf({ stopped }: PairsRun, { word, footer }: AgainstResult): ExitCode {
  if (stopped !== null) return stopped.how === "interrupted" ? EXIT.interrupted : EXIT.unreachable;
  if (footer.errors > 0) return EXIT.failed;
  return word === "regressed" ? EXIT.regressed : word === "unclear" ? EXIT.unproven : EXIT.passed;
}
