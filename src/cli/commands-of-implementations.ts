// Commands about foreign limiters, as data.
import { type Command, JSON_OUT, LEGEND, QUEUE, SEED, SET } from "./arguments.ts";

export const OF_IMPLEMENTATIONS: readonly Command[] = [
  {
    name: "implementations",
    summary: "list, install and examine limiters of others",
    usage: "implementations [list|install|run|prove|new] [NAME...]",
    about: [
      "Other people's limiters, each with a manifest: what it claims, how it is installed, what it can express. A name is of the list, or your own folder.",
      "`install` downloads pinned versions into a cache (WEIR_IMPLEMENTATIONS); one that fails leaves nothing. `new` writes a folder with a limiter of your own that decides by lines of JSON, or with --kind http a gateway.",
      "`run` tries the behaviours of scenarios/behaviours on each (without names on all), and prints what holds, differs and contradicts its documentation. With --config it compares a program with what Weir reads in your file.",
      "`prove` compares an implementation, decision by decision, with its profile (the `model` of its manifest) in random worlds, and prints the smallest world in which they differ; with --configurations, a program with what Weir reads in random files of its language.",
    ],
    operands: { atLeast: 0, atMost: Number.POSITIVE_INFINITY },
    options: [
      { name: "all", about: "install: all that this machine has the programs for" },
      { name: "only", value: "NAME", repeats: "with commas", about: "run: these behaviours" },
      {
        name: "require",
        value: "NAMES",
        repeats: "with commas",
        about: "run, prove: fail if these, or all, are missing",
      },
      {
        name: "out",
        value: "FOLDER",
        about: "run, prove: save results (default reports/implementations)",
      },
      {
        name: "config",
        value: "FILE",
        about: "run: nginx, haproxy, varnish or envoy with your file",
      },
      { ...SET, about: "run --config: a variable of production" },
      { name: "worlds", value: "N", about: "prove: in N worlds (default 1000)" },
      {
        name: "configurations",
        about: "prove: the reader, on N files (default 200)",
      },
      {
        name: "max-duration",
        value: "D",
        about: "prove: begin no world after D for each (default 30m)",
      },
      { ...QUEUE, about: "prove: share worlds out to workers at this Redis" },
      { name: "html", value: "FILE", about: "run: save a page with the table" },
      { name: "kind", value: "KIND", about: "new: decide (default), or http for a server" },
      SEED,
      { ...LEGEND, about: "run: also explain behaviours and marks" },
      JSON_OUT,
    ],
    examples: [
      ["weir implementations", "list them, and which are installed"],
      ["weir implementations install rate-limiter-flexible", "install one"],
      ["weir implementations run --html field.html", "try all behaviours on all"],
      ["weir implementations prove limiter", "compare it with its profile"],
    ],
  },
];
