// Two results of weir bench, held against each other.
import { comparable } from "../bench/compare/comparable.ts";
import { compare, type Question } from "../bench/compare/compare.ts";
import { markdownOf } from "../bench/compare/markdown.ts";
import { textOf } from "../bench/compare/text.ts";
import { comparePart } from "../bench/report/compare-part.ts";
import type { Word } from "../bench/compare/verdict.ts";
import { readResult } from "../bench/result-schema.ts";
import type { BenchResult } from "../bench/result.ts";
import type { Action, Arguments } from "./arguments.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import { cleared, pageFault } from "./html-option.node.ts";
import { seedOf } from "./parse-arguments.node.ts";
import type { Tone } from "../report/result-text.ts";
import { readText } from "./text-file.node.ts";

export const compareRuns: Action = async ({ operands, switches, values }, terminal, refuse) => {
  const { out, err, paint } = terminal;
  const question = questionOf(values);
  if (typeof question === "string") return refuse(question);
  if (switches.has("json") && switches.has("markdown"))
    return refuse("--json and --markdown are two ways to print it; ask for one");
  const page = values.get("html");
  const fault = page === undefined ? null : pageFault(page, operands);
  if (fault !== null) return refuse(fault);
  const read = operands.map(resultIn);
  for (const one of read) if (typeof one === "string") err(paint("bad", one));
  const [base, head] = read.filter((one) => typeof one !== "string");
  if (base === undefined || head === undefined) return EXIT.usage;

  const { obstacles, warnings } = comparable(base, head);
  const isForced = switches.has("force");
  if (obstacles.length > 0 && !isForced) {
    for (const obstacle of obstacles) err(paint("bad", obstacle));
    err("these runs are not compared; --force does it all the same");
    return EXIT.usage;
  }
  const noRoom = page === undefined ? null : cleared(page);
  if (noRoom !== null) return refuse(noRoom);
  const said = [...obstacles.map((obstacle) => `compared by force: ${obstacle}`), ...warnings];
  const comparison = compare(base, head, question, said);
  if (switches.has("markdown")) out(markdownOf(comparison));
  else if (switches.has("json")) out(JSON.stringify(comparison, null, 2));
  else {
    for (const warning of said) err(paint("doubtful", warning));
    const all = switches.has("verbose");
    for (const line of textOf(comparison, (word, text) => paint(TONES[word], text), { all }))
      out(line);
  }
  const code = EXITS[comparison.word];
  if (page === undefined) return code;
  const { writtenPage } = await import("./page-file.node.ts");
  const shown = { run: null, measured: [comparePart(comparison)] };
  const isWritten = await writtenPage(page, shown, false, terminal);
  return isWritten || code !== EXIT.passed ? code : EXIT.usage;
};

const TONES: Readonly<Record<Word, Tone>> = {
  improved: "good",
  regressed: "bad",
  same: "faint",
  unclear: "doubtful",
};

/** Unclear is no pass: what was to be shown has not been, as with an expectation that is inconclusive. */
const EXITS: Readonly<Record<Word, ExitCode>> = {
  improved: EXIT.passed,
  regressed: EXIT.regressed,
  same: EXIT.passed,
  unclear: EXIT.unproven,
};

function resultIn(file: string): BenchResult | string {
  const read = readText(file);
  if ("fault" in read) return read.fault;
  const result = readResult(read.text);
  return typeof result === "string" ? `${file}: ${result}` : result;
}

const MIN_EFFECT = "3%";
const ALPHA = "0.05";

function questionOf(values: Arguments["values"]): Question | string {
  const seed = seedOf(values);
  if (typeof seed === "string") return seed;
  const typed = values.get("min-effect") ?? MIN_EFFECT;
  const minEffect = /^\d+(\.\d+)?%$/.test(typed) ? Number(typed.slice(0, -1)) / 100 : 0;
  if (minEffect <= 0 || minEffect >= 1)
    return `--min-effect has to be a share between 0% and 100%, such as ${MIN_EFFECT}, not "${typed}"`;
  const typedAlpha = values.get("alpha") ?? ALPHA;
  const alpha = Number(typedAlpha);
  if (!/^0?\.\d+$/.test(typedAlpha) || alpha < LEAST_ALPHA || alpha > 0.5)
    return `--alpha has to be a number from ${LEAST_ALPHA} to 0.5, such as ${ALPHA}, not "${typedAlpha}"`;
  return { minEffect, alpha, seed };
}

/** Below that, ten thousand permutations are too few to find anything among four gates. */
const LEAST_ALPHA = 0.001;
