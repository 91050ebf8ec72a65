// Every command as data: what the command line accepts, and its help.
import { ALGORITHMS } from "../limiter/core/algorithms.ts";
import { DRIVERS } from "../lab/drivers/driver.ts";
import { CAPABILITIES } from "../lab/scenario/read/needs.ts";
import {
  type Command,
  type Option,
  ALLOW_TARGET,
  BALANCERS,
  JSON_OUT,
  QUEUE,
  SEED,
  FLEET,
  SET,
} from "./arguments.ts";
import { EXPLAIN } from "./command-explain.ts";
import { OF_A_GATEWAY } from "./commands-of-gateway.ts";
import { OF_IMPLEMENTATIONS } from "./commands-of-implementations.ts";
import { OF_LOGS } from "./commands-of-logs.ts";
import { OF_MEASURING } from "./commands-of-measuring.ts";
import { OF_TRAFFIC } from "./commands-of-traffic.ts";
import { OTHER_COMMANDS } from "./other-commands.ts";

const OUT_FILES: Option = {
  name: "out",
  short: "o",
  value: "KIND=FILE",
  choices: ["junit=", "markdown=", "badge=", "json="],
  repeats: "apart",
  about: "also write junit, markdown, badge or json",
};

const VERBOSE: Option = { name: "verbose", about: "also print warnings and passed expectations" };

export const COMMON: readonly Option[] = [
  { name: "no-color", about: "print no colours (also NO_COLOR; FORCE_COLOR forces them)" },
  { name: "help", short: "h", about: "print this help" },
];

const ANY = Number.POSITIVE_INFINITY;

export const COMMANDS: readonly Command[] = [
  {
    name: "run",
    summary: "run scenarios and check their expectations",
    usage: "run [FILE|FOLDER|GLOB...]",
    about: [
      "Without a path, runs everything below scenarios/. All files are read first: if any of them has an error, every error is reported and nothing runs.",
    ],
    operands: { atLeast: 0, atMost: ANY },
    options: [
      SEED,
      {
        name: "only",
        value: "WHAT",
        repeats: "apart",
        about: "select a scenario, variant or requirement by id; * matches any",
      },
      { name: "bail", about: "stop at the first scenario that does not pass" },
      { name: "list", about: "print a line for each scenario, however many there are" },
      { name: "history", value: "FOLDER", about: "save histories, one file for each variant" },
      {
        name: "html",
        value: "FILE",
        about: "save the report as one page, and as JSON next to it",
      },
      { name: "open", about: "with --html: open the page in a browser" },
      OUT_FILES,
      {
        name: "reference",
        value: "FILE",
        about: "fail if results differ from those in FILE",
      },
      { name: "write", about: "with --reference or --inconclusive: update FILE" },
      { name: "watch", about: "run after each change; with --json, one line a run" },
      {
        name: "serve",
        value: "PORT",
        about: "serve the report (0: any port); with --watch, each",
      },
      { name: "playground", about: "open one scenario in the playground, in a browser" },
      {
        name: "swarm",
        value: "N",
        about: "run N generated scenarios instead; save those that fail",
      },
      { name: "no-save", about: "with --swarm: print failures without saving them" },
      { ...QUEUE, about: "with --swarm: share it with every weir worker there" },
      {
        name: "driver",
        value: "D",
        choices: DRIVERS,
        about: "virtual (default); real time: embedded, redis, remote",
      },
      { name: "stretch", value: "K", about: "slow real time down by a factor K (default 1)" },
      {
        name: "max-duration",
        value: "D",
        about: "skip variants longer than D in real time (default 1m)",
      },
      { name: "sample", value: "N", about: "real time: run only the N variants that prove most" },
      {
        name: "require",
        value: "WHAT,...",
        choices: [...CAPABILITIES, ...DRIVERS],
        repeats: "with commas",
        about: "real time: fail if one of these is missing",
      },
      {
        name: "inconclusive",
        value: "FILE",
        about: "real time: fail for inconclusive variants not in FILE",
      },
      { name: "store", value: "URL", about: "use this Redis: virtual, or with --driver redis" },
      {
        name: "implementation",
        value: "NAME",
        about: "run on this limiter of others, or on a folder",
      },
      { name: "target", value: "URL", about: "run on a gateway that runs and has these limits" },
      ALLOW_TARGET,
      JSON_OUT,
      { name: "quiet", about: "print only what does not pass, and the last line" },
      VERBOSE,
    ],
    examples: [
      ["weir run", "run every scenario below scenarios/"],
      ["weir run --swarm 500 --seed 1000", "run generated scenarios, seeds 1000 to 1499"],
      ["weir run -o junit=weir.xml", "write results for a build server"],
      ["weir run --html runs.html --open", "look at the results as charts"],
    ],
  },
  {
    name: "check",
    summary: "check saved histories again",
    usage: "check FILE|FOLDER...",
    about: [
      "A history names its scenario, which is read from scenarios/. Nothing runs: the expectations are evaluated on the saved history.",
    ],
    operands: { atLeast: 1, atMost: ANY },
    options: [
      {
        name: "scenario",
        value: "FILE",
        about: "read expectations from FILE (default by the history's id)",
      },
      OUT_FILES,
      JSON_OUT,
      { name: "quiet", about: "print only what does not pass, and the last line" },
      VERBOSE,
    ],
    examples: [
      ["weir check runs", "check what weir run --history runs saved"],
      ["weir check runs/limits/first.ndjson --scenario draft.yaml", "check against your own file"],
    ],
  },
  {
    name: "list",
    summary: "list scenarios, or requirements with --requirements",
    usage: "list [FILE|FOLDER|GLOB...]",
    about: [
      "--requirements lists the requirements of the specification and the scenarios that prove them. For Weir's own suite it runs the scenarios to find limits that decide no request. Such limits, built requirements without a scenario and planned ones with a scenario are errors.",
    ],
    operands: { atLeast: 0, atMost: ANY },
    options: [
      { name: "requirements", about: "list by requirement instead of by scenario" },
      JSON_OUT,
    ],
    examples: [
      ["weir list", "list scenarios, their variants and requirements"],
      ["weir list --requirements", "list requirements and what proves them"],
    ],
  },
  EXPLAIN,
  {
    name: "report",
    summary: "render saved results as an HTML page",
    usage: "report FILE.json... --out FILE.html",
    about: [
      "Renders one self-contained page from any of these: the JSON that weir run --html saves, and the results of weir bench, compare --json and pareto -o. Several files make one page, with one run of scenarios at most. Nothing runs.",
    ],
    operands: { atLeast: 1, atMost: ANY },
    options: [
      {
        name: "out",
        short: "o",
        value: "FILE",
        about: "write the page to FILE (default reports/runs/report.html)",
      },
      { name: "open", about: "open the page in a browser" },
    ],
    examples: [
      ["weir report reports/runs/latest.json", "render the results of npm start"],
      ["weir report monday.json -o monday.html --open", "render a file and open it"],
      [
        "weir report base.json head.json change.json -o change.html",
        "render two benchmarks and their comparison",
      ],
    ],
  },
  {
    name: "mutants",
    summary: "run scenarios against deliberately broken limiters",
    usage: "mutants [MUTANT|AREA...]",
    about: [
      "Runs every scenario with the original limiter and with mutants. In Weir's own suite three results are errors: a mutant that survives, an expectation that kills no mutant, and a difference from test/studies/mutants/kill-matrix.txt. For other scenarios it prints what they kill.",
      "By default so few pairs of the kill matrix run that each mutant and each expectation fails once. With --all every mutant runs with every scenario, which checks the whole matrix and takes minutes.",
      "With --redis the mutants are Lua scripts. Random operations run on a separate Redis and on the memory store; a reply that differs kills a mutant, and so does a key that expires too soon, too late or never.",
    ],
    operands: { atLeast: 0, atMost: ANY },
    options: [
      SEED,
      {
        name: "scenarios",
        value: "PATH",
        about: "run the scenarios below PATH (default scenarios/)",
      },
      {
        name: "redis",
        about: "run mutants of the Lua scripts; needs redis-server 7 on the PATH",
      },
      { name: "list", about: "list the mutants and run nothing" },
      { name: "all", about: "run every mutant with every scenario" },
      {
        name: "thorough",
        about: "also run mutants whose function returned what the original did",
      },
      { name: "write", about: "update the kill matrix, so that a difference is no error" },
      QUEUE,
      JSON_OUT,
    ],
    examples: [
      ["weir mutants", "run all mutants against the kill matrix"],
      ["weir mutants merge --scenarios scenarios/policy-merge", "run one area and one folder"],
      ["weir mutants --redis logs", "run mutants of src/limiter/store/lua/logs.ts"],
    ],
  },
  {
    name: "worst",
    summary: "find the traffic that gets the most requests through a limit",
    usage: "worst --algorithm A --rate R --per P | --config FILE",
    about: [
      "Prints a scenario file with the traffic it found, and the most that LIM-C11 allows in any window. --search-time is a number of patterns, as many as an ordinary machine tries in that time, so one seed finds the same everywhere.",
      "A smoothed limit is searched as the plain limit with its rate. With --config, each limit of the file is searched.",
    ],
    operands: { atLeast: 0, atMost: 0 },
    options: [
      { name: "config", value: "FILE", about: "each limit in a file of nginx or others" },
      SET,
      FLEET,
      {
        name: "algorithm",
        value: "A",
        choices: ALGORITHMS,
        about: "use this algorithm, such as fixed_window",
      },
      { name: "rate", value: "R", about: "admit R requests per window" },
      { name: "per", value: "P", about: "set the window: 1s, 250ms, or a number of seconds" },
      { name: "burst", value: "N|rate", about: "gcra: admit N requests at once (default 1)" },
      {
        name: "queue",
        value: "N|rate",
        about: "leaky_bucket: let N requests wait (default rate)",
      },
      {
        name: "fixed-window-start",
        value: "WHEN",
        choices: ["first_request", "clock"],
        about: "start at first_request (default) or clock",
      },
      {
        name: "level",
        value: "LEVEL",
        choices: ["key", "api"],
        about: "limit each key (default), or api: all clients together",
      },
      { name: "nodes", value: "N", about: "use N gateways (default 1)" },
      {
        name: "balancer",
        value: "B",
        choices: BALANCERS,
        about: "balance by round-robin (default), sticky, weighted, ...",
      },
      {
        name: "weights",
        value: "W,W...",
        repeats: "with commas",
        about: "set the weight of each gateway, for --balancer weighted",
      },
      {
        name: "skew",
        value: "D,D...",
        repeats: "with commas",
        about: "set how far each clock is ahead: 0s,20ms or =-5ms,0s",
      },
      {
        name: "store-latency",
        value: "D",
        about: "set the one-way latency to the store (default 0s)",
      },
      {
        name: "in-flight",
        value: "N",
        about: "send at most N requests at once (default 2 x rate)",
      },
      SEED,
      { ...QUEUE, name: "workers" },
      { name: "search-time", value: "D", about: "search for about D (default 10s)" },
      { name: "out", value: "FILE", about: "write the scenario to FILE instead of to stdout" },
      JSON_OUT,
    ],
    examples: [
      ["weir worst --algorithm fixed_window --rate 5 --per 1s", "find 9: twice the rate, less one"],
      [
        "weir worst --algorithm drl --rate 10 --per 1s --nodes 3 --out worst.yaml",
        "search with three gateways, write a file",
      ],
    ],
  },
  ...OF_LOGS,
  ...OF_TRAFFIC,
  ...OF_MEASURING,
  ...OF_IMPLEMENTATIONS,
  ...OF_A_GATEWAY,
  ...OTHER_COMMANDS,
];
