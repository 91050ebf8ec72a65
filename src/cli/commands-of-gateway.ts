// The commands that serve, and those about what is served, as data.
import { SETTING_NAMES, settingNamed } from "../settings/table.ts";
import type { Command, Option } from "./arguments.ts";
import { JSON_OUT } from "./shared-options.ts";

const CONFIG: Option = {
  name: "config",
  value: "FILE",
  about: "the settings (default weir.yaml, where there is one)",
};

/** Settings that have a flag. All of them have a variable, which docs/settings.md names. */
const OF_SETTINGS: readonly Option[] = SETTING_NAMES.flatMap((name) => {
  const { flag, value, doc } = settingNamed(name);
  return flag === undefined ? [] : [{ name: flag, value, about: `${name}: ${doc}` }];
});

const OF_RECORDS = OF_SETTINGS.filter(({ name }) => name === "records" || name === "data");

export const OF_A_GATEWAY: readonly Command[] = [
  {
    name: "serve",
    summary: "be a gateway that limits real traffic",
    usage: "serve",
    about: [
      "Settings come from the file, from the environment (WEIR_LISTEN_PORT for listen.port) and from these options, and the later one wins. Without any of them a demo is served on this machine alone.",
      "SIGHUP reads file and world again; SIGTERM and SIGINT let running requests end, and the second one stops at once.",
    ],
    operands: { atLeast: 0, atMost: 0 },
    options: [CONFIG, ...OF_SETTINGS],
    examples: [
      ["weir serve", "a demo, with lines to try"],
      ["weir serve --config weir.yaml --port 8090", "what is yours, at another port"],
    ],
  },
  {
    name: "config",
    summary: "show the settings in force, and where each comes from",
    usage: "config",
    about: [
      "It reads what weir serve would read with the same options, and says what is wrong with any of it. Nothing is served. Secrets are not shown.",
    ],
    operands: { atLeast: 0, atMost: 0 },
    options: [CONFIG, ...OF_SETTINGS, JSON_OUT],
    examples: [
      ["weir config", "what weir serve would do here"],
      ["weir config --config weir.yaml --json", "for a program"],
    ],
  },
  {
    name: "import",
    summary: "take a world into the records that weir serve has",
    usage: "import FILE",
    about: [
      "Into records that hold nothing, all of it or nothing. Keys without a key_id get one. With records in SQLite the gateway must not be running.",
      "What weir export has written comes in with its keys, as long as secrets.key is the same.",
    ],
    operands: { atLeast: 1, atMost: 1 },
    options: [
      {
        name: "replace",
        about: "in the place of the APIs, policies, keys and options that are there",
      },
      { name: "yes", about: "also where some of them are not in the file, and are deleted" },
      CONFIG,
      ...OF_RECORDS,
    ],
    examples: [
      ["weir import world.yaml", "before the first start, say"],
      ["weir import world.yaml --replace --yes", "what is in the file, and nothing else"],
    ],
  },
  {
    name: "export",
    summary: "print the records as a world file",
    usage: "export",
    about: [
      "APIs, policies, keys and options, as YAML that weir import takes; the gateway may be running. Credentials are known to nobody: `secret_hash` stands for them, and opens nothing without secrets.key.",
    ],
    operands: { atLeast: 0, atMost: 0 },
    options: [
      { name: "secrets", about: "with hashes of credentials, and secrets that stand in records" },
      CONFIG,
      ...OF_RECORDS,
    ],
    examples: [
      ["weir export > world.yaml", "to look at, or to keep beside the code"],
      ["weir export --secrets > backup.yaml", "keys work again where it is taken in"],
    ],
  },
  {
    name: "audit",
    summary: "show who has changed which record, the newest first",
    usage: "audit",
    about: [
      "Of the records that weir serve has with the same options; it may be running. No secret is shown.",
    ],
    operands: { atLeast: 0, atMost: 0 },
    options: [
      { name: "limit", value: "N", about: "so many of them (default 100)" },
      {
        name: "only",
        value: "KIND",
        about: "changes of records, or uses of tokens (default both)",
      },
      CONFIG,
      ...OF_RECORDS,
      JSON_OUT,
    ],
    examples: [
      ["weir audit", "who, what, and what has become of it"],
      ["weir audit --limit 1000 --json", "for a program, with the whole records"],
    ],
  },
  {
    name: "secrets",
    summary: "change the key that secrets in the records are sealed with",
    usage: "secrets rotate",
    about: [
      "Seals all secrets again with a new key; the gateway may be running. If it is interrupted, run it again: until it is done, gateways read secrets with the old key and the new one. Hashes of credentials stay valid.",
      "The new key is read from the key's file name with .next (secrets.next_key_file). With records in SQLite it is created. With PostgreSQL, create it by --prepare and copy it to every gateway first; a gateway without it rejects changes (503) until it has it.",
    ],
    operands: { atLeast: 1, atMost: 1 },
    options: [
      { name: "prepare", about: "only create the next key, to be copied to other gateways" },
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
    summary: "list, create and revoke tokens of the management interfaces",
    usage: "tokens [add ID|revoke ID]",
    about: [
      "A token is shown where an interface takes its secret. Its role is read, write or audit; its scope is one interface or all, and one organisation or all. Only its hash is stored. The gateway may be running.",
    ],
    operands: { atLeast: 0, atMost: 2 },
    options: [
      { name: "role", value: "ROLE", about: "read, write or audit" },
      { name: "interface", value: "NAME", about: "only for this interface (default all)" },
      { name: "organisation", value: "ID", about: "only its records (default all)" },
      { name: "expires", value: "TIME", about: "such as 2027-01-31T00:00:00Z (default never)" },
      CONFIG,
      ...OF_RECORDS,
      JSON_OUT,
    ],
    examples: [
      ["weir tokens", "list tokens, and when each was last used"],
      ["weir tokens add ci --role write --interface dashboard", "print a new token, once"],
      ["weir tokens revoke ci", "reject it from now on"],
    ],
  },
  {
    name: "webhooks",
    summary: "show what is brought to webhooks, and send again what was given up",
    usage: "webhooks [resend ID|all]",
    about: [
      "The newest 1,000 deliveries, of the records that weir serve has with the same options; it may be running. One that no receiver took in 12 attempts is dead, and kept for 30 days.",
      "`resend` sends one again, by its id, or all that are dead.",
    ],
    operands: { atLeast: 0, atMost: 2 },
    options: [{ name: "dead", about: "only what was given up" }, CONFIG, ...OF_RECORDS, JSON_OUT],
    examples: [
      ["weir webhooks", "what waits, what was delivered, what was given up"],
      ["weir webhooks --dead --json", "for a program"],
      ["weir webhooks resend all", "when the receiver is there again"],
    ],
  },
];
