// The commands that measure, as data.
import type { Command } from "./arguments.ts";
import { JSON_OUT, SEED } from "./shared-options.ts";

const HTML = { name: "html", value: "FILE", about: "draw it, as one page that needs nothing else" };

export const OF_MEASURING: readonly Command[] = [
  {
    name: "bench",
    summary: "measure served gateways under load",
    usage: "bench [SUITE|FILE.yaml]",
    about: [
      "A suite is a base cell with one thing changed at a time, beside controls. Without a name it is gateway, ten minutes on two cores. weir compare and weir report read its file.",
      "--against PATH measures this version and the one at PATH (a checkout, or where Weir is installed) by turns, and exits with 4 where a gate regressed, else 5 where one is unclear. --target asks somebody's gateway, with WEIR_BENCH_KEY as Authorization, at most a million times or ten minutes.",
    ],
    operands: { atLeast: 0, atMost: 1 },
    options: [
      { name: "list", about: "only show the suites, their cells and how long they take" },
      { name: "quick", about: "a look, in less than a minute" },
      { name: "cross", about: "every combination of what is varied; hours, as --list says" },
      {
        name: "only",
        value: "CELL,...",
        repeats: "with commas",
        about: "these cells, by name; * is any text",
      },
      {
        name: "control",
        value: "NAME,...",
        repeats: "with commas",
        about: "beside those of the suite: express, nginx",
      },
      { name: "repeats", value: "N", about: "so many of each cell" },
      { name: "duration", value: "TIME", about: "of the suite truth: how long (default 60s)" },
      { name: "capacity", value: "N", about: "make limits from so many answers a second" },
      { name: "against", value: "PATH", about: "compare this version with the one there" },
      { name: "pairs", value: "N", about: "with --against: pairs of processes (default 20)" },
      { name: "until", value: "N%", about: "with --against: until such a change is clear" },
      { name: "min-effect", value: "N%", about: "with --against: the least that matters (3%)" },
      { name: "pin", about: "gateways on one core, load and upstream on another" },
      { name: "target", value: "URL", about: "a gateway that runs already, with its path" },
      { name: "allow-target", value: "HOST", about: "that is not on this machine" },
      SEED,
      {
        name: "out",
        short: "o",
        value: "FILE",
        about: "where the result goes (default reports/runs/bench-SUITE.json)",
      },
      HTML,
      { name: "markdown", about: "the table as Markdown" },
      JSON_OUT,
    ],
    examples: [
      ["weir bench --quick", "does it work here, and about how fast"],
      ["weir bench --against ../base", "is this version slower than that one"],
    ],
  },
  {
    name: "compare",
    summary: "tell whether two runs of a benchmark really differ",
    usage: "compare BASE HEAD",
    about: [
      "BASE and HEAD are results of weir bench. Each of at most four gates, which the suite names, is improved, regressed, same or unclear; everything else is shown in the same words. Each run had one process of each cell, which may be faster or slower than the next one for its whole life: this never fails a build (exit code 0). weir bench --against does.",
    ],
    operands: { atLeast: 2, atMost: 2 },
    options: [
      { name: "min-effect", value: "N%", about: "the least change that matters (default 3%)" },
      {
        name: "alpha",
        value: "A",
        about: "how often all gates of equal runs may raise an alarm (default 0.05)",
      },
      { name: "force", about: "compare runs that cannot be compared" },
      SEED,
      JSON_OUT,
      HTML,
      { name: "markdown", about: "for a pull request: the verdict first, the rest folded" },
      { name: "verbose", about: "the figures that are not known to differ, too" },
    ],
    examples: [
      ["weir compare base.json head.json", "after weir bench -o base.json, and -o head.json"],
      ["weir compare base.json head.json --min-effect 5% --markdown", "a comment, less strict"],
    ],
  },
  {
    name: "pareto",
    summary: "hold accuracy against cost, for every algorithm, traffic and fleet",
    usage: "pareto [--merge PART...]",
    about: [
      "Plays thousands of small runs in virtual time, and marks which algorithms no other beats. One seed gives the same document everywhere; Ctrl-C keeps what is there.",
    ],
    operands: { atLeast: 0, atMost: Number.POSITIVE_INFINITY },
    options: [
      { name: "quick", about: "fewer seeds and shorter runs" },
      {
        name: "traffic",
        value: "NAME,...",
        repeats: "with commas",
        about: "only these shapes: uniform, poisson, bursty, ...",
      },
      {
        name: "gateways",
        value: "N,...",
        repeats: "with commas",
        about: "only these fleets: 1, 3, 10",
      },
      SEED,
      { name: "shard", value: "I/N", about: "only every Nth cell, from the Ith" },
      { name: "merge", about: "join the parts of one suite, seed and commit" },
      { name: "resume", value: "FILE", about: "go on with what -o FILE has kept" },
      { name: "out", short: "o", value: "FILE", about: "write the document there" },
      HTML,
      { name: "verify", about: "only play what has a known answer, and compare" },
      { name: "markdown", about: "the tables as Markdown" },
      JSON_OUT,
    ],
    examples: [
      ["weir pareto --quick", "a first look, in seconds"],
      ["weir pareto --shard 2/5 -o part-2.json", "a fifth of it, on a machine of its own"],
      ["weir pareto --merge part-1.json part-2.json", "the parts as one result"],
      ["weir pareto --verify", "does the simulator give the answers that it must?"],
    ],
  },
];
