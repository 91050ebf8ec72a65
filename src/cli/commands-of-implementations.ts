// The commands about limiters of others, as data.
import { type Command, JSON_OUT } from "./arguments.ts";

export const OF_IMPLEMENTATIONS: readonly Command[] = [
  {
    name: "implementations",
    summary: "list and install gateways and libraries of others",
    usage: "implementations [list|install NAME...]",
    about: [
      "Other people's limiters, each with a manifest: what it claims, how it is installed, what it can express. A name is one of the list, or a folder of your own.",
      "`install` downloads the pinned version into a cache of its own (WEIR_IMPLEMENTATIONS).",
    ],
    operands: { atLeast: 0, atMost: Number.POSITIVE_INFINITY },
    options: [
      { name: "all", about: "install: all that this machine has the programs for" },
      JSON_OUT,
    ],
    examples: [
      ["weir implementations", "list them, and which are installed"],
      ["weir implementations install rate-limiter-flexible", "install one"],
    ],
  },
];
