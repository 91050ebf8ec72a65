// Commands that read access logs.
import { ALGORITHMS } from "../core/algorithms.ts";
import { CHARGE_TIMES } from "../replay/charges.ts";
import { FORMAT_NAMES } from "../replay/formats.ts";
import { PROFILE_NAMES } from "../spec/profiles.ts";
import { ALL_ALGORITHMS, type Command, JSON_OUT, RETRY_NAMES } from "./arguments.ts";

export const OF_LOGS: readonly Command[] = [
  {
    name: "replay",
    summary: "replay access logs against limits",
    usage: "replay LOG... --limit N/TIME,... | --world FILE",
    about: [
      "Which clients would have been refused, when, and how often? Every request of the logs is decided by each limit and algorithm, in virtual time and in one pass. Folders, - for standard input, gzip and zstd are read too; logs that overlap are merged by time.",
      "Exit code 2: more than 1 % of a log cannot be read, or it is cut off. The result of all other lines is printed.",
    ],
    operands: { atLeast: 1, atMost: Number.POSITIVE_INFINITY },
    options: [
      {
        name: "limit",
        value: "N/TIME,...",
        repeats: "with commas",
        about: "these limits for each client, such as 100/1m or 10,20,40/s",
      },
      {
        name: "algorithm",
        value: "NAME,...",
        choices: [ALL_ALGORITHMS, ...ALGORITHMS],
        repeats: "with commas",
        about: "by these algorithms, or all (default: the four usual ones)",
      },
      {
        name: "profile",
        value: "NAME,...",
        choices: PROFILE_NAMES,
        repeats: "with commas",
        about: "as these limiters decide, such as nginx",
      },
      {
        name: "world",
        value: "FILE",
        repeats: "apart",
        about: "by APIs, policies and keys of a world file",
      },
      { name: "burst", value: "N", about: "gcra and nginx: N requests at once, or rate" },
      {
        name: "key",
        value: "FIELD+FIELD",
        about: "what a client is: ip (default), header:NAME, field:NAME, a+b, none",
      },
      {
        name: "cost",
        value: "FIELD+FIELD",
        about: "units that a request costs, such as field:bytes",
      },
      {
        name: "charge",
        value: "WHEN",
        choices: CHARGE_TIMES,
        about: "spend units before a request runs (default) or after",
      },
      {
        name: "where",
        value: "CONDITION",
        repeats: "apart",
        about: "only these requests, such as 'status in (401,403)' or 'path ~ ^/api'",
      },
      {
        name: "format",
        value: "FORMAT",
        choices: FORMAT_NAMES,
        about: "the format, or a log_format or LogFormat as its text",
      },
      { name: "zone", value: "+HH:MM", about: "the zone of timestamps without one (default UTC)" },
      { name: "method", value: "FIELD", about: "where --world finds the method (default method)" },
      { name: "path", value: "FIELD", about: "where --world finds the path (default path)" },
      {
        name: "clients",
        value: "NAME",
        choices: RETRY_NAMES,
        about: "after a refusal: retry-after, backoff or give-up",
      },
      { name: "top", value: "N", about: "list N refused clients (default 10)" },
      { name: "anonymise", about: "replace the names of clients by keyed hashes" },
      {
        name: "seed",
        value: "N",
        about: "of requests placed at random within seconds (default 1)",
      },
      JSON_OUT,
    ],
    examples: [
      ["weir replay access.log --limit 100/1m", "compare the usual algorithms"],
      [
        "weir replay logs/ --limit 10,20,40/s --algorithm token_bucket",
        "compare three limits on a folder of logs",
      ],
      ["weir replay api.ndjson --limit 60/1m --key header:X-Api-Key --json", "count by an API key"],
    ],
  },
];
