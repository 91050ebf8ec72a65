// Every command as data: what the command line may say, and what help says of it.
import type { Command, Option } from "./arguments.ts";
import { OF_A_GATEWAY } from "./commands-of-gateway.ts";
import { OF_MEASURING } from "./commands-of-measuring.ts";
import { JSON_OUT, SEED } from "./shared-options.ts";

const TOLD_ELSEWHERE: Option = {
  name: "out",
  short: "o",
  value: "KIND=FILE",
  repeats: "apart",
  about: "also as junit, markdown, badge or json",
};

const VERBOSE: Option = { name: "verbose", about: "more: warnings, and expectations that hold" };

export const COMMON: readonly Option[] = [
  { name: "no-color", about: "no colours (NO_COLOR and FORCE_COLOR are obeyed too)" },
  { name: "help", short: "h", about: "this text" },
];

const ANY = Number.POSITIVE_INFINITY;

export const COMMANDS: readonly Command[] = [
  {
    name: "run",
    summary: "run scenario files and judge them",
    usage: "run [FILE|FOLDER|GLOB...]",
    about: [
      "Without a path everything below scenarios/ runs. All files are read first: if any of them has a fault, every fault is told and nothing runs.",
    ],
    operands: { atLeast: 0, atMost: ANY },
    options: [
      SEED,
      {
        name: "only",
        value: "WHAT",
        repeats: "apart",
        about: "a scenario, a variant or a requirement, by id; * is any text",
      },
      { name: "bail", about: "stop at the first scenario that does not pass" },
      { name: "history", value: "FOLDER", about: "write what happened, one file a variant" },
      {
        name: "html",
        value: "FILE",
        about: "draw it as one page, and keep it as JSON beside that",
      },
      { name: "open", about: "with --html: show it in a browser" },
      TOLD_ELSEWHERE,
      {
        name: "reference",
        value: "FILE",
        about: "fail where anything differs from what was kept there",
      },
      { name: "write", about: "with --reference: keep it" },
      { name: "watch", about: "run again after each change; with --json one line for each run" },
      {
        name: "serve",
        value: "PORT",
        about: "show the report on this port (0: any); with --watch each next one",
      },
      {
        name: "swarm",
        value: "N",
        about: "N random worlds instead of files; one that fails becomes a file",
      },
      { name: "no-save", about: "with --swarm: only print what fails" },
      {
        name: "driver",
        value: "D",
        about: "virtual (default); in real time embedded, or redis",
      },
      { name: "stretch", value: "K", about: "real time: everything K times as slow" },
      {
        name: "max-duration",
        value: "D",
        about: "real time: plays nothing that lasts longer (default 1m)",
      },
      {
        name: "sample",
        value: "N",
        about: "real time: N variants that show most requirements",
      },
      {
        name: "require",
        value: "WHAT,...",
        repeats: "with commas",
        about: "real time: capabilities that must not be missing",
      },
      {
        name: "store",
        value: "URL",
        about: "the Redis below virtual time, or below --driver redis",
      },
      JSON_OUT,
      { name: "quiet", about: "only what does not pass, and the last line" },
      VERBOSE,
    ],
    examples: [
      ["weir run", "the whole suite"],
      ["weir run --only LIM-2", "what proves one requirement"],
      ["weir run --swarm 1000 --seed 5000", "random worlds, with seeds 5000 to 5999"],
      ["weir run -o junit=weir.xml", "for a build server"],
      ["weir run --html runs.html --open", "as pictures"],
    ],
  },
  {
    name: "check",
    summary: "judge stored histories again",
    usage: "check FILE|FOLDER...",
    about: [
      "A history names its scenario, which is looked for below scenarios/. Nothing is run: what is judged is what is written there.",
    ],
    operands: { atLeast: 1, atMost: ANY },
    options: [
      { name: "scenario", value: "FILE", about: "the scenario file to judge by" },
      TOLD_ELSEWHERE,
      JSON_OUT,
      { name: "quiet", about: "only what does not pass, and the last line" },
      VERBOSE,
    ],
    examples: [
      ["weir check runs", "everything that weir run --history runs has kept"],
      ["weir check runs/limits/first.ndjson --scenario draft.yaml", "by a file of your own"],
    ],
  },
  {
    name: "list",
    summary: "show scenarios, or requirements and what proves them",
    usage: "list [FILE|FOLDER|GLOB...]",
    about: [
      "With --requirements: the requirements of the specification that the scenarios prove. Weir's own suite is run for it, to find limits of the core that decide no request; these, built requirements without a scenario and planned ones with one are faults.",
    ],
    operands: { atLeast: 0, atMost: ANY },
    options: [{ name: "requirements", about: "by requirement instead of by scenario" }, JSON_OUT],
    examples: [
      ["weir list", "every scenario with its variants and what it proves"],
      ["weir list --requirements", "every requirement with the scenarios that prove it"],
    ],
  },
  {
    name: "explain",
    summary: "tell why a request was refused",
    usage: "explain HISTORY|SCENARIO REQUEST",
    about: [
      "REQUEST is FLOW:N, the Nth request of a flow, from 1 and in the order it was sent; FLOW:N.M, the Mth attempt at it of a client that retries; or the number of a request in the history.",
      "With a scenario file the scenario is run first, with one variant of it.",
    ],
    operands: { atLeast: 2, atMost: 2 },
    options: [
      { name: "variant", value: "NAME", about: "of the scenario file (default: its first)" },
      { name: "scenario", value: "FILE", about: "the scenario file of a history" },
      SEED,
      JSON_OUT,
    ],
    examples: [
      [
        "weir explain scenarios/limits/first.yaml first:6",
        "run what weir new limits/first wrote, then ask",
      ],
      ["weir explain runs/limits/first.ndjson 5", "ask what weir run --history runs has kept"],
    ],
  },
  {
    name: "report",
    summary: "draw reports that were kept",
    usage: "report FILE.json... --out FILE.html",
    about: [
      "One page that needs nothing else, from what weir run --html left beside its page, and from what weir bench, compare --json and pareto -o have kept: any of them together, but one run of scenarios at most. Nothing is run.",
    ],
    operands: { atLeast: 1, atMost: ANY },
    options: [
      {
        name: "out",
        short: "o",
        value: "FILE",
        about: "where to write it (default reports/runs/report.html)",
      },
      { name: "open", about: "show it in a browser" },
    ],
    examples: [
      ["weir report reports/runs/latest.json", "what npm start has left"],
      ["weir report monday.json -o monday.html --open", "what somebody sent"],
      [
        "weir report base.json head.json change.json -o change.html",
        "benchmarks, and how they compare",
      ],
    ],
  },
  {
    name: "mutants",
    summary: "try the scenarios against limiters that are known to be wrong",
    usage: "mutants [MUTANT|AREA...]",
    about: [
      "Every scenario plays with the reference and with the mutants. In Weir's own suite three results are errors: a mutant that survives, an expectation that kills no mutant, and a difference from test/experiments/mutants/kill-matrix.txt. For other scenarios the command prints what they kill.",
      "Without names every mutant has to fail the assertions that test/experiments/mutants/kill-matrix.txt names, and only those are tried. With --all each is tried by every scenario, which also finds what the matrix does not know yet.",
      "With --redis the mutants are wrong scripts for Redis. Random operations run on a Redis of its own and on the memory store; a mutant is killed by a reply that differs, or by a key that expires too soon, too late or never.",
    ],
    operands: { atLeast: 0, atMost: ANY },
    options: [
      SEED,
      { name: "scenarios", value: "PATH", about: "the scenarios to try (default scenarios/)" },
      {
        name: "redis",
        about: "try mutants of the scripts instead; needs redis-server 7 on the PATH",
      },
      { name: "list", about: "only show the mutants" },
      { name: "all", about: "every mutant by every scenario, whatever the kill matrix names" },
      {
        name: "thorough",
        about: "play the mutants too whose function answers every call of a run as the right one",
      },
      { name: "write", about: "write the kill matrix" },
      JSON_OUT,
    ],
    examples: [
      ["weir mutants", "all of them, by what is known to kill each"],
      ["weir mutants merge --scenarios scenarios/policy-merge", "one area, one folder"],
      ["weir mutants --redis logs", "the scripts of src/store/lua/logs.ts"],
    ],
  },
  {
    name: "worst",
    summary: "find the arrivals that get the most out of a limit",
    usage: "worst --algorithm A --rate R --per P",
    about: [
      "Prints a scenario file that shows them and passes, and beside it what LIM-C11 allows in any window. The search is as long as --search-time says on an ordinary machine; it counts what it plays, so one seed finds the same everywhere.",
    ],
    operands: { atLeast: 0, atMost: 0 },
    options: [
      { name: "algorithm", value: "A", about: "by its name in the gateway's options" },
      { name: "rate", value: "R", about: "requests per window" },
      { name: "per", value: "P", about: "the window: 1s, 250ms, or a number of seconds" },
      { name: "burst", value: "N|rate", about: "gcra: how many may pass at once (default 1)" },
      { name: "fixed-window-start", value: "WHEN", about: "first_request (default) or clock" },
      { name: "level", value: "WHOSE", about: "key (default), or api: a limit for all clients" },
      { name: "nodes", value: "N", about: "gateways (default 1)" },
      { name: "balancer", value: "B", about: "round-robin (default), sticky, weighted, ..." },
      {
        name: "weights",
        value: "W,W...",
        repeats: "with commas",
        about: "for --balancer weighted",
      },
      {
        name: "skew",
        value: "D,D...",
        repeats: "with commas",
        about: "how far each clock is ahead, such as 0s,20ms or =-5ms,0s",
      },
      { name: "store-latency", value: "D", about: "from gateway to store, one way (default 0s)" },
      { name: "in-flight", value: "N", about: "most under way together (default 2 x rate)" },
      SEED,
      { name: "search-time", value: "D", about: "how long to search (default 10s)" },
      { name: "out", value: "FILE", about: "write the scenario there instead of to stdout" },
      JSON_OUT,
    ],
    examples: [
      ["weir worst --algorithm fixed_window --rate 5 --per 1s", "9: twice the rate, less one"],
      [
        "weir worst --algorithm drl --rate 10 --per 1s --nodes 3 --out worst.yaml",
        "three gateways, written to a file",
      ],
    ],
  },
  ...OF_MEASURING,
  ...OF_A_GATEWAY,
  {
    name: "new",
    summary: "write a scenario file that works, from an example",
    usage: "new FOLDER/NAME",
    about: [
      "The file is scenarios/FOLDER/NAME.yaml. An existing file is not changed.",
      "Examples show a rate limit in real life: each has a moment that decides, and a control.",
    ],
    operands: { atLeast: 0, atMost: 1 },
    options: [
      { name: "from", value: "EXAMPLE", about: "the example to copy (default first)" },
      { name: "list", about: "list the examples" },
    ],
    examples: [
      ["weir new limits/first", "then: weir run scenarios/limits/first.yaml"],
      ["weir new clients/herd --from retrying-herd", "clients that retry at once"],
    ],
  },
  {
    name: "schema",
    summary: "print a JSON Schema of the files that people write",
    usage: "schema",
    about: ["Editors complete and check files with it."],
    operands: { atLeast: 0, atMost: 0 },
    options: [
      { name: "settings", about: "of weir.yaml" },
      { name: "world", about: "of the file that it names" },
      { name: "suite", about: "of the suites that weir bench runs" },
      { name: "bench", about: "of the results that weir bench saves" },
    ],
    examples: [
      ["weir schema > scenario.schema.json", "save it in the folder of the scenarios"],
      ["weir schema --settings > weir.schema.json", "save it next to weir.yaml"],
    ],
  },
  {
    name: "version",
    summary: "print the version",
    usage: "version",
    about: [],
    operands: { atLeast: 0, atMost: 0 },
    options: [JSON_OUT],
    examples: [
      ["weir version", "Weir's own"],
      ["weir version --json", "with Node's and the platform"],
    ],
  },
];
