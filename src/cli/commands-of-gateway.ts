// The commands that run a gateway or manage its settings and records, as data.
import { INTERFACES } from "../gateway/management/interface-name.ts";
import { SETTING_NAMES, settingNamed } from "../gateway/settings/table.ts";
import { type Command, type Option, JSON_OUT, KIND, SET } from "./arguments.ts";

const CONFIG: Option = {
  name: "config",
  value: "FILE",
  about: "read settings from FILE (default weir.yaml, if it exists)",
};

/** The flags for settings. Not every setting has a flag, but each has a variable: docs/reference/settings.md. */
const OF_SETTINGS: readonly Option[] = SETTING_NAMES.flatMap((name) => {
  const { flag, fallback } = settingNamed(name);
  const hasDefault = typeof fallback === "string" || typeof fallback === "number";
  const ofDefault = hasDefault ? ` (default ${fallback})` : "";
  return flag === undefined
    ? []
    : [{ name: flag.name, value: flag.value, about: flag.help + ofDefault }];
});

const OF_RECORDS = OF_SETTINGS.filter(({ name }) => name === "records" || name === "data");

export const OF_A_GATEWAY: readonly Command[] = [
  {
    name: "serve",
    summary: "run the gateway",
    usage: "serve",
    about: [
      "Reads settings from the file, the environment (WEIR_LISTEN_PORT for listen.port) and these flags; the later one wins. Without any it serves a demo, for clients on this machine only.",
      "With the file of another limiter, such as nginx.conf, it answers as that limiter would.",
      "SIGHUP reloads settings and world. SIGTERM and SIGINT drain: running requests finish first. A second signal stops at once.",
    ],
    operands: { atLeast: 0, atMost: 0 },
    options: [
      { ...CONFIG, about: `${CONFIG.about}, or the limits of nginx.conf` },
      ...OF_SETTINGS,
      KIND,
      { ...SET, value: "NAME=TEXT" },
    ],
    examples: [
      ["weir serve", "serve a demo with commands to try"],
      ["weir serve --config weir.yaml --port 8090", "serve your world on another port"],
      [
        "weir serve --config nginx.conf --upstream http://127.0.0.1:3000",
        "stand in for nginx, in front of an upstream",
      ],
    ],
  },
  {
    name: "config",
    summary: "print the effective settings",
    usage: "config",
    about: [
      "Reads what weir serve reads with the same flags, and prints each setting with its origin, or every error. It serves nothing and prints no secret.",
    ],
    operands: { atLeast: 0, atMost: 0 },
    options: [CONFIG, ...OF_SETTINGS, JSON_OUT],
    examples: [
      ["weir config", "print what weir serve would apply"],
      ["weir config --config weir.yaml --json", "print it for a program"],
    ],
  },
  {
    name: "import",
    summary: "load a world file into records",
    usage: "import FILE",
    about: [
      "The records must be empty unless --replace is given. All of FILE is imported or nothing. Keys without a key_id get one. With records in SQLite, stop the gateway first.",
      "A file from weir export keeps its keys valid if secrets.key is the same.",
    ],
    operands: { atLeast: 1, atMost: 1 },
    options: [
      {
        name: "replace",
        about: "replace existing APIs, policies, keys and options",
      },
      { name: "yes", about: "with --replace: permit to delete records that are not in FILE" },
      CONFIG,
      ...OF_RECORDS,
    ],
    examples: [
      ["weir import world.yaml", "load a world before the first start"],
      ["weir import world.yaml --replace --yes", "make the records equal to the file"],
    ],
  },
  {
    name: "export",
    summary: "print the records as a world file",
    usage: "export",
    about: [
      "Prints APIs, policies, keys and options as YAML for weir import; the gateway may be running. Credentials are not stored: `secret_hash` replaces them, and is useless without secrets.key.",
    ],
    operands: { atLeast: 0, atMost: 0 },
    options: [
      { name: "secrets", about: "include hashes of credentials and secrets of records" },
      CONFIG,
      ...OF_RECORDS,
    ],
    examples: [
      ["weir export > world.yaml", "save a world file without secrets"],
      ["weir export --secrets > backup.yaml", "save a backup with valid keys"],
    ],
  },
  {
    name: "audit",
    summary: "list changes to records",
    usage: "audit",
    about: [
      "Lists changes to the records that weir serve uses with the same flags, newest first; the gateway may be running. Prints no secret.",
    ],
    operands: { atLeast: 0, atMost: 0 },
    options: [
      { name: "limit", value: "N", about: "print the newest N entries (default 100)" },
      {
        name: "only",
        value: "KIND",
        choices: ["changes", "uses"],
        about: "print changes, or uses of tokens (default both)",
      },
      CONFIG,
      ...OF_RECORDS,
      JSON_OUT,
    ],
    examples: [
      ["weir audit", "list who changed what"],
      ["weir audit --limit 1000 --json", "print whole records, for a program"],
    ],
  },
  {
    name: "secrets",
    summary: "change the key that encrypts secrets in records",
    usage: "secrets rotate",
    about: [
      "Seals all secrets again with a new key; the gateway may be running. If it is interrupted, run it again: until it is done, gateways read secrets with the old key and the new one. Hashes of credentials stay valid.",
      "The new key is read from the key's file name with .next (secrets.next_key_file). With records in SQLite it is created. With PostgreSQL, create it by --prepare and copy it to every gateway first; a gateway without it rejects changes (503) until it has it.",
    ],
    operands: { atLeast: 1, atMost: 1 },
    options: [
      { name: "prepare", about: "only create the next key, to copy it to other gateways" },
      CONFIG,
      ...OF_RECORDS,
    ],
    examples: [
      ["weir secrets rotate", "change the key of records in SQLite"],
      ["weir secrets rotate --prepare", "first step with PostgreSQL: create the next key"],
    ],
  },
  {
    name: "tokens",
    summary: "list, create and revoke tokens of the management APIs",
    usage: "tokens [add ID|revoke ID]",
    about: [
      "A token replaces the secret of a management API. Its role is read, write or audit; its scope is one management API or all, and one organisation or all. Only its hash is stored. The gateway may be running.",
    ],
    operands: { atLeast: 0, atMost: 2 },
    options: [
      {
        name: "role",
        value: "ROLE",
        choices: ["read", "write", "audit"],
        about: "grant read, write or audit",
      },
      {
        name: "interface",
        value: "NAME",
        choices: INTERFACES,
        about: "restrict to one management API (default all)",
      },
      {
        name: "organisation",
        value: "ID",
        about: "restrict to records of one organisation (default all)",
      },
      {
        name: "expires",
        value: "TIME",
        about: "expire at TIME, such as 2027-01-31T00:00:00Z (default never)",
      },
      CONFIG,
      ...OF_RECORDS,
      JSON_OUT,
    ],
    examples: [
      ["weir tokens", "list tokens and their last use"],
      ["weir tokens add ci --role write --interface dashboard", "print a new token, once"],
      ["weir tokens revoke ci", "reject it from now on"],
    ],
  },
  {
    name: "webhooks",
    summary: "list deliveries, resend failed ones",
    usage: "webhooks [resend ID|all]",
    about: [
      "Lists the newest 1,000 deliveries of the records that weir serve uses with the same flags; the gateway may be running. A delivery that fails 12 times is dead, and retained for 30 days.",
      "`resend` sends one delivery again, by its id, or all dead ones.",
    ],
    operands: { atLeast: 0, atMost: 2 },
    options: [
      { name: "dead", about: "list only dead deliveries" },
      CONFIG,
      ...OF_RECORDS,
      JSON_OUT,
    ],
    examples: [
      ["weir webhooks", "list pending, delivered and dead deliveries"],
      ["weir webhooks --dead --json", "print dead ones for a program"],
      ["weir webhooks resend all", "resend all dead ones after an outage"],
    ],
  },
];
