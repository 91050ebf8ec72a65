import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { cellsOf, secondsOf } from "../bench/cells.ts";
import { doubtsOf } from "../bench/doubts.ts";
import { ending } from "../bench/ending.node.ts";
import { figure } from "../bench/figure.ts";
import { liveLine, timeText } from "../bench/live.ts";
import { machineNow } from "../bench/machine-now.node.ts";
import { readSuite } from "../bench/read-suite.ts";
import { resultOf } from "../bench/result-of.ts";
import { runSuite, type Ran } from "../bench/run-suite.node.ts";
import { subjectsOf } from "../bench/subjects.ts";
import type { Suite } from "../bench/suite.ts";
import { suiteFile } from "../bench/suites.node.ts";
import { linesOf, tableOf } from "../bench/table.ts";
import type { Action } from "./arguments.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import { makeFolder } from "./history-folder.node.ts";
import { seedOf } from "./parse-arguments.node.ts";
import { readText } from "./text-file.node.ts";

export const bench: Action = async ({ operands, values }, terminal, refuse) => {
  const { out, err } = terminal;
  const seed = seedOf(values);
  if (typeof seed === "string") return refuse(seed);
  const found = suiteFile(operands[0] ?? "gateway");
  if ("fault" in found) return refuse(found.fault);
  const text = readText(found.file);
  if ("fault" in text) return refuse(text.fault);
  const read = readSuite(found.file, text.text);
  if ("faults" in read) {
    for (const fault of read.faults) err(fault);
    return EXIT.usage;
  }
  const { suite } = read;
  const cells = cellsOf(suite);
  const subjects = subjectsOf(suite, cells, suite.controls);
  err(`seed ${seed}, ${timeText(secondsOf(suite, cells, suite.controls))}`);
  const over = ending();
  process.once("SIGINT", () => over.end({ how: "interrupted", why: "interrupted" }));
  const startedAt = new Date().toISOString();
  const startedMs = performance.now();
  const ran: Ran = await runSuite({
    suite,
    subjects,
    seed,
    capacity: null,
    ending: over,
    heard: (news) => {
      if (news.what === "phase") err(news.phase);
      else if (news.what === "measured")
        terminal.status(
          liveLine({
            subject: news.measured.subject.name,
            done: 0,
            of: 0,
            perSecond: 0,
            p99Ms: 0,
            refused: 0,
            secondsLeft: 0,
          }),
        );
    },
  });
  const { capacity, measured, stopped } = ran;
  const warnings = doubtsOf(suite, measured);
  const result = resultOf(subjects, measured, {
    suite: { id: suite.id, title: suite.title, hash: hashOf(suite) },
    startedAt,
    tookSeconds: (performance.now() - startedMs) / 1_000,
    argv: process.argv.slice(2),
    seed,
    machine: machineNow(),
    target: null,
    capacity,
    gates: suite.gates,
    stopped: stopped?.why ?? null,
    warnings,
    samples: null,
  });
  const file = values.get("out") ?? join("reports", "runs", `bench-${suite.id}.json`);
  const noFolder = makeFolder(dirname(file));
  if (noFolder !== null) err(noFolder);
  else writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`);
  for (const line of linesOf(tableOf(result))) out(line);
  for (const warning of warnings) err(warning);
  if (capacity !== null) out(`${figure(capacity)} answers a second are the capacity; ${file}`);
  return codeOf(result.footer.errors, ran);
};

const codeOf = (errors: number, { stopped }: Ran): ExitCode => {
  if (stopped !== null) return stopped.how === "interrupted" ? EXIT.interrupted : EXIT.unreachable;
  return errors > 0 ? EXIT.failed : EXIT.passed;
};

/** Of what makes two runs of it the same: how often it is repeated, and what gates, is not part of it. */
function hashOf({ id, base, vary, controls, keyCount, perUs, lastsUs, warmUpUs }: Suite): string {
  const parts = { id, base, vary, controls, keyCount, perUs, lastsUs, warmUpUs };
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 16);
}
