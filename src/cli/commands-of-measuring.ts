// The commands that measure, as data.
import type { Command } from "./arguments.ts";
import { SEED } from "./shared-options.ts";

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
];
