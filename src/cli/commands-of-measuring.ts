// The commands that measure, as data.
import type { Command } from "./arguments.ts";
import { JSON_OUT, SEED } from "./shared-options.ts";

export const OF_MEASURING: readonly Command[] = [
  {
    name: "bench",
    summary: "measure served gateways under load",
    usage: "bench [SUITE|FILE.yaml]",
    about: ["Without a name it is the suite gateway."],
    operands: { atLeast: 0, atMost: 1 },
    options: [SEED, { name: "out", short: "o", value: "FILE", about: "where the result goes" }],
    examples: [
      ["weir bench", "every algorithm, in memory and over Redis"],
      ["weir bench redis", "what each asks of Redis"],
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
        about: "only these shapes: uniform, poisson, bursty, ...",
      },
      { name: "gateways", value: "N,...", about: "only these fleets: 1, 3, 10" },
      SEED,
      { name: "shard", value: "I/N", about: "only every Nth cell, from the Ith" },
      { name: "merge", about: "join the parts of one suite, seed and commit" },
      { name: "resume", value: "FILE", about: "go on with what -o FILE has kept" },
      { name: "out", short: "o", value: "FILE", about: "write the document there" },
      { name: "html", value: "FILE", about: "draw it, as one page" },
      { name: "known", about: "only play what has a known answer, and compare" },
      { name: "markdown", about: "the tables as Markdown" },
      JSON_OUT,
    ],
    examples: [
      ["weir pareto --quick", "a first look, in seconds"],
      ["weir pareto --shard 2/5 -o part-2.json", "a fifth of it, on a machine of its own"],
      ["weir pareto --merge part-1.json part-2.json", "the parts as one result"],
      ["weir pareto --known", "does the simulator give the answers that it must?"],
    ],
  },
];
