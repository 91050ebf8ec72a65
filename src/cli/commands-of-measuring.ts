// The commands that measure, as data.
import { CONTROLS } from "../studies/bench/suite.ts";
import { TRAFFIC } from "../studies/pareto/suite.ts";
import { type Command, ALLOW_TARGET, JSON_OUT, LEGEND, METHODS, QUEUE, SEED } from "./arguments.ts";

const HTML = { name: "html", value: "FILE", about: "save the result as one self-contained page" };

export const OF_MEASURING: readonly Command[] = [
  {
    name: "bench",
    summary: "measure gateways under load, or parts of Weir",
    usage: "bench [SUITE|FILE.yaml]",
    about: [
      "A suite measures a base cell, cells with one change each, and controls. If a start breaks a bound of the suite, the exit code is 1. The default suite, gateway, takes ten minutes on two cores. weir compare and weir report read the result. Suites such as core measure parts of Weir without a gateway, and need a checkout.",
      "--against PATH measures this version and the one at PATH (a checkout or an installation) in turn, and exits with 4 if a gate regressed, or 5 if one is unclear. --target sends at most a million requests in ten minutes to a running gateway, with WEIR_BENCH_KEY as Authorization.",
    ],
    operands: { atLeast: 0, atMost: 1 },
    options: [
      { name: "list", about: "list suites, their cells and durations; measure nothing" },
      { name: "quick", about: "end within a minute, with fewer cells and rounds" },
      { name: "cross", about: "measure every combination of factors (hours; see --list)" },
      {
        name: "only",
        value: "CELL,...",
        repeats: "with commas",
        about: "measure these cells or cases, by name; * matches any",
      },
      {
        name: "control",
        value: "NAME,...",
        choices: CONTROLS,
        repeats: "with commas",
        about:
          "add controls to those of the suite: express, nginx, or an installed implementation, such as envoy",
      },
      { name: "repeats", value: "N", about: "measure each cell N times (default by the suite)" },
      { name: "starts", value: "N", about: "start all servers N times (default by the suite)" },
      { name: "duration", value: "TIME", about: "run the suite truth for TIME (default 60s)" },
      { name: "capacity", value: "N", about: "derive limits from N responses a second" },
      { name: "against", value: "PATH", about: "compare this version with the one at PATH" },
      { name: "pairs", value: "N", about: "with --against: use N pairs of processes (default 20)" },
      {
        name: "until",
        value: "N%",
        about: "with --against: continue until a change of N% is clear",
      },
      {
        name: "min-effect",
        value: "N%",
        about: "with --against: ignore changes below N% (default 3%)",
      },
      { name: "pin", about: "pin gateways to one core, load and upstream to another" },
      { name: "target", value: "URL", about: "measure a running gateway; URL includes the path" },
      ALLOW_TARGET,
      SEED,
      {
        name: "out",
        short: "o",
        value: "FILE",
        about: "save the result in FILE (default reports/runs/bench-SUITE.json)",
      },
      HTML,
      { name: "markdown", about: "print the result as Markdown" },
      LEGEND,
      JSON_OUT,
    ],
    examples: [
      ["weir bench --quick", "try it on this machine"],
      ["weir bench --against ../base", "find out whether this version is slower"],
    ],
  },
  {
    name: "compare",
    summary: "compare two benchmark results",
    usage: "compare BASE HEAD",
    about: [
      "BASE and HEAD are results of weir bench. Each gate of the suite (four at most) is improved, regressed, same or unclear, and so is every other metric. A run starts each cell as one process, and processes differ in speed, so a regression here never fails a build (exit code 0). weir bench --against does.",
    ],
    operands: { atLeast: 2, atMost: 2 },
    options: [
      { name: "min-effect", value: "N%", about: "ignore changes below N% (default 3%)" },
      {
        name: "alpha",
        value: "A",
        about: "accept false alarms at rate A (default 0.05)",
      },
      { name: "force", about: "compare results that are not comparable" },
      SEED,
      JSON_OUT,
      HTML,
      { name: "markdown", about: "print Markdown for a pull request, details folded" },
      { name: "verbose", about: "also print metrics without a clear difference" },
      LEGEND,
    ],
    examples: [
      ["weir compare base.json head.json", "compare two saved results"],
      [
        "weir compare base.json head.json --min-effect 5% --markdown",
        "print a comment, less strict",
      ],
    ],
  },
  {
    name: "pareto",
    summary: "compare the accuracy and cost of algorithms",
    usage: "pareto [--merge PART...]",
    about: [
      "Runs thousands of small simulations in virtual time and marks the algorithms that no other beats. One seed gives the same document everywhere. Ctrl-C saves what is complete.",
    ],
    operands: { atLeast: 0, atMost: Number.POSITIVE_INFINITY },
    options: [
      { name: "quick", about: "use fewer seeds and shorter runs" },
      {
        name: "traffic",
        value: "NAME,...",
        choices: TRAFFIC,
        repeats: "with commas",
        about: "run only these shapes: uniform, poisson, bursty, ...",
      },
      {
        name: "gateways",
        value: "N,...",
        repeats: "with commas",
        about: "run only these fleet sizes: 1, 3, 10",
      },
      SEED,
      { name: "shard", value: "I/N", about: "run only every Nth cell, from the Ith" },
      { name: "merge", about: "merge parts of one suite, seed and commit" },
      { name: "resume", value: "FILE", about: "continue the run that -o FILE saved" },
      { name: "out", short: "o", value: "FILE", about: "save the document in FILE" },
      HTML,
      QUEUE,
      { name: "verify", about: "verify the simulator on cases with a known result" },
      LEGEND,
      { name: "markdown", about: "print the tables as Markdown" },
      JSON_OUT,
    ],
    examples: [
      ["weir pareto --quick", "run for a few seconds"],
      ["weir pareto --shard 2/5 -o part-2.json", "run a fifth of it on one machine"],
      ["weir pareto --merge part-1.json part-2.json", "merge parts into one result"],
      ["weir pareto --verify", "verify the simulator"],
    ],
  },
  {
    name: "worker",
    summary: "compute pieces of sweeps that other machines start",
    usage: "worker --queue URL",
    about: [
      "Takes pieces of every command that runs with the same --queue, until it is stopped. The pieces of a worker that is killed begin again elsewhere. Only commands and workers of one commit and one Node work together.",
    ],
    operands: { atLeast: 0, atMost: 0 },
    options: [
      { ...QUEUE, about: "the Redis of the queue, such as redis://10.0.0.5:6379" },
      { name: "threads", value: "N", about: "compute N pieces at a time (default one per core)" },
    ],
    examples: [
      ["weir worker --queue redis://10.0.0.5", "on each machine"],
      ["weir worker --queue redis://10.0.0.5 --threads 4", "leave other cores to others"],
    ],
  },
  {
    name: "lint",
    summary: "examine the headers about limits of a server",
    usage: "lint URL | lint --responses FILE",
    about: [
      "Sends requests until one is refused, waits as long as the headers advertise, and compares: syntax, Remaining, Reset, Retry-After, and all dialects with one another. Each dialect is valid, invalid, inconsistent, untrue or inconclusive.",
      "Exit code 0: all are valid; 1: some are not; 5: inconclusive; 3: no response.",
    ],
    operands: { atLeast: 0, atMost: 1 },
    options: [
      { name: "requests", value: "N", about: "send at most N requests (default 100)" },
      { name: "for", value: "TIME", about: "send for at most TIME, such as 2m (default 60s)" },
      {
        name: "header",
        value: "NAME:VALUE",
        repeats: "apart",
        about: "send this header, such as 'Authorization: Bearer abc'",
      },
      {
        name: "method",
        value: "METHOD",
        choices: METHODS,
        about: "send requests of this method, without a body (default GET)",
      },
      ALLOW_TARGET,
      {
        name: "responses",
        value: "FILE",
        about: "examine recorded responses, as HAR or JSON lines",
      },
      JSON_OUT,
    ],
    examples: [
      ["weir lint http://127.0.0.1:8080/hello", "examine a gateway on this machine"],
      ["weir lint http://localhost/ --header Authorization:key", "show it a credential"],
      ["weir lint --responses recorded.har --json", "examine responses without a network"],
    ],
  },
  {
    name: "identify",
    summary: "find out from outside how a server limits requests",
    usage: "identify URL | identify --implementation NAME",
    about: [
      "Sends requests, and names the algorithm of the limit, its numbers, and what it counts by. Each experiment is the one that separates most of the behaviours that the responses so far allow. The server has to be idle, and the limit unused.",
      "--self-check identifies N hidden limits in virtual time, behind a network with latency and loss.",
      "Exit code 0: named; 5: undecided; 3: no response.",
    ],
    operands: { atLeast: 0, atMost: 1 },
    options: [
      { name: "requests", value: "N", about: "send at most N requests (default 5000)" },
      {
        name: "max-duration",
        value: "TIME",
        about: "send for at most TIME, such as 10m (default 5m)",
      },
      {
        name: "header",
        value: "NAME:VALUE",
        repeats: "apart",
        about: "send this header, such as 'Authorization: Bearer abc'",
      },
      {
        name: "other-header",
        value: "NAME:VALUE",
        about: "a second credential, which the limit may count apart",
      },
      { name: "other-path", value: "PATH", about: "a second path, which may have its own count" },
      {
        name: "other-address",
        value: "ADDRESS",
        about: "a second local address (default 127.0.0.2 on loopback)",
      },
      { name: "refusal", value: "STATUS", about: "the status of a refusal (default 429)" },
      { name: "admission", value: "STATUS", about: "a status besides 2xx that admits" },
      ALLOW_TARGET,
      {
        name: "implementation",
        value: "NAME",
        about: "start this installed limiter, and identify its limit",
      },
      { name: "rate", value: "N", about: "--implementation: its limit (default 10)" },
      { name: "per", value: "TIME", about: "--implementation: its window (default 1s)" },
      { name: "burst", value: "N", about: "--implementation: N requests at once" },
      { name: "self-check", value: "N", about: "identify N hidden limits in virtual time" },
      QUEUE,
      { name: "out", short: "o", value: "FILE", about: "save the evidence as a scenario" },
      SEED,
      JSON_OUT,
    ],
    examples: [
      ["weir identify http://127.0.0.1:8080/hello", "identify the limit of a gateway"],
      ["weir identify --implementation nginx --rate 5", "start nginx, and find its limit"],
      ["weir identify --self-check 20", "check identification itself"],
    ],
  },
];
