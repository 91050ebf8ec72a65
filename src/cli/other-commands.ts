// The definitions of commands that only write or print a text.
import { type Command, JSON_OUT } from "./arguments.ts";

/** The names of files in scenarios/examples, for completion. */
export const EXAMPLE_NAMES = [
  "dying-gateway",
  "first",
  "login-by-address",
  "retrying-herd",
  "smoothing-ramp",
  "store-outage",
  "two-policies",
  "window-edge",
];

export const OTHER_COMMANDS: readonly Command[] = [
  {
    name: "new",
    summary: "create a scenario file from an example",
    usage: "new FOLDER/NAME",
    about: [
      "Creates scenarios/FOLDER/NAME.yaml. An existing file stays unchanged.",
      "Examples show a rate limit in real life: each has a moment that decides, and a control.",
    ],
    operands: { atLeast: 0, atMost: 1 },
    options: [
      {
        name: "from",
        value: "EXAMPLE",
        about: "copy this example (default first)",
        choices: EXAMPLE_NAMES,
      },
      { name: "list", about: "list the examples" },
    ],
    examples: [
      ["weir new limits/first", "then weir run scenarios/limits/first.yaml"],
      ["weir new clients/herd --from retrying-herd", "clients that retry at once"],
    ],
  },
  {
    name: "site",
    summary: "serve the playground and the documentation",
    usage: "site",
    about: [
      "Serves on this machine only, and prints the address. Nothing that is written in the playground leaves the browser.",
    ],
    operands: { atLeast: 0, atMost: 0 },
    options: [
      { name: "port", value: "PORT", about: "listen on PORT (default 0: any free port)" },
      { name: "open", about: "open it in a browser" },
      {
        name: "out",
        short: "o",
        value: "FOLDER",
        about: "save it there instead, for any web server",
      },
      {
        name: "address",
        value: "URL",
        about: "with --out: where it will be, so that links to it have previews",
      },
    ],
    examples: [
      ["weir site --open", "look at it in a browser"],
      ["weir site -o public", "save it for a web server"],
    ],
  },
  {
    name: "schema",
    summary: "print a JSON Schema",
    usage: "schema",
    about: ["Prints the schema of scenario files, for completion and checks in editors."],
    operands: { atLeast: 0, atMost: 0 },
    options: [
      { name: "settings", about: "print the schema of weir.yaml instead" },
      { name: "world", about: "print the schema of world files instead" },
      { name: "run", about: "print the schema of weir run --json instead" },
      { name: "explain", about: "print the schema of weir explain --json instead" },
      { name: "suite", about: "print the schema of benchmark suites instead" },
      { name: "bench", about: "print the schema of benchmark results instead" },
      { name: "compare", about: "print that of weir compare --json instead" },
      { name: "lint", about: "print the schema of weir lint --json instead" },
      { name: "replay", about: "print the schema of weir replay --json instead" },
      { name: "diff", about: "print the schema of weir diff --json instead" },
      { name: "change", about: "print that of weir recommend --config --json" },
      { name: "recommend", about: "print that of weir recommend --json instead" },
      { name: "try", about: "print the schema of weir try --json instead" },
      { name: "pareto", about: "print the schema of weir pareto --json instead" },
      { name: "worst", about: "print the schema of weir worst --json instead" },
      { name: "identify", about: "print that of weir identify --json instead" },
      { name: "implementations", about: "print that of weir implementations run --json" },
      { name: "proof", about: "print that of weir implementations prove --json" },
    ],
    examples: [
      ["weir schema > scenario.schema.json", "save it in the folder of the scenarios"],
      ["weir schema --settings > weir.schema.json", "save it next to weir.yaml"],
    ],
  },
  {
    name: "completion",
    summary: "print a script that completes commands in a shell",
    usage: "completion bash|zsh|fish",
    about: ["It completes commands, flags, values and files."],
    operands: { atLeast: 1, atMost: 1 },
    options: [],
    examples: [
      ["weir completion bash > ~/.local/share/bash-completion/completions/weir", "for bash"],
      ['weir completion zsh > "${fpath[1]}/_weir"', "for zsh"],
      ["weir completion fish > ~/.config/fish/completions/weir.fish", "for fish"],
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
      ["weir version", "print the version of Weir"],
      ["weir version --json", "add Node, the platform and bundled packages"],
    ],
  },
];
