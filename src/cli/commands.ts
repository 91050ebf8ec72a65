// Every command as data: what the command line may say, and what help says of it.
import type { Command, Option } from "./arguments.ts";

const JSON_OUT: Option = { name: "json", about: "one JSON document on stdout, nothing else there" };
const SEED: Option = {
  name: "seed",
  value: "N",
  about: "everything random follows from it (default 1)",
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
    summary: "run scenario files in virtual time and judge them",
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
        about: "a scenario, a variant (both may have *) or a requirement id",
      },
      { name: "bail", about: "stop at the first scenario that does not pass" },
      { name: "history", value: "FOLDER", about: "write what happened, one file a variant" },
      { name: "watch", about: "run again whenever a scenario file or the code changes" },
      JSON_OUT,
      { name: "quiet", about: "only what does not pass, and the last line" },
      VERBOSE,
    ],
    examples: [
      ["weir run", "the whole suite"],
      ["weir run scenarios/limits --only LIM-2", "what proves one requirement"],
      ["weir run 'scenarios/**/*quota*.yaml' --seed 7", "other random numbers"],
      ["weir run --json > run.json", "for a program"],
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
