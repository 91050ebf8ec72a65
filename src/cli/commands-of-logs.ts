// Commands that read access logs.
import { ALGORITHMS } from "../limiter/core/algorithms.ts";
import { FORMAT_NAMES } from "../studies/replay/formats.ts";
import { CHARGE_TIMES, FREE_LOG, RETRY_NAMES } from "../studies/replay/choices.ts";
import { PER_ADDRESS, TRAFFIC } from "./commands-of-traffic.ts";
import { PROFILE_NAMES } from "../limiter/spec/profiles.ts";
import { TRANSLATED_NAMES } from "./recommend-targets.ts";
import {
  ALL_ALGORITHMS,
  type Command,
  JSON_OUT,
  LEGEND,
  type Option,
  QUEUE,
  SET,
  FLEET,
  KIND,
} from "./arguments.ts";

/** Flags that both `replay` and `recommend` have. */
const ALGORITHM: Option = {
  name: "algorithm",
  value: "NAME,...",
  choices: [ALL_ALGORITHMS, ...ALGORITHMS, FREE_LOG],
  repeats: "with commas",
  about: "algorithms, free_log, or all (default four)",
};
const PROFILE: Option = {
  name: "profile",
  value: "NAME,...",
  choices: PROFILE_NAMES,
  repeats: "with commas",
  about: "as these limiters decide, such as nginx",
};
const BURST: Option = {
  name: "burst",
  value: "N",
  about: "gcra and nginx: N requests at once, or rate",
};
export const KEY: Option = {
  name: "key",
  value: "FIELD+FIELD",
  about: "what a client is: ip (default), header:X, field:X, none",
};
const WHERE: Option = {
  name: "where",
  value: "CONDITION",
  repeats: "apart",
  about: "only these requests, such as 'path ~ ^/api'",
};
export const FORMAT: Option = {
  name: "format",
  value: "FORMAT",
  choices: FORMAT_NAMES,
  about: "the format, or a log_format or LogFormat as its text",
};
const SQL: Option = {
  name: "sql",
  value: "SELECT",
  about: "read these rows of DuckDB in place of logs",
};
export const ZONE: Option = {
  name: "zone",
  value: "+HH:MM",
  about: "the zone of timestamps without one (default UTC)",
};

const ANONYMISE: Option = {
  name: "anonymise",
  about: "replace the names of clients by keyed hashes",
};

const HTML: Option = {
  name: "html",
  value: "FILE",
  about: "save the result as one self-contained page",
};

export const OF_LOGS: readonly Command[] = [
  {
    name: "replay",
    summary: "replay access logs against limits",
    usage: "replay LOG... --limit N/TIME,... | --config FILE",
    about: [
      "Which clients would have been refused, when, and how often? Every request of the logs is decided by each limit and algorithm, in virtual time and in one pass. Folders, - for standard input, gzip, zstd and Parquet are read too; logs that overlap are merged by time.",
      "Exit code 2: more than 1 % of a log cannot be read, or it is cut off. The result of all other lines is printed.",
    ],
    operands: { atLeast: 0, atMost: Number.POSITIVE_INFINITY },
    options: [
      {
        name: "limit",
        value: "N/TIME,...",
        repeats: "with commas",
        about: "for each client: 100/1m or 10,20,40/s",
      },
      ALGORITHM,
      PROFILE,
      {
        name: "world",
        value: "FILE",
        repeats: "apart",
        about: "by APIs, policies and keys of a world file",
      },
      {
        name: "config",
        value: "FILE",
        repeats: "apart",
        about: "by a file of nginx, HAProxy or others",
      },
      KIND,
      SET,
      FLEET,
      BURST,
      KEY,
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
      WHERE,
      FORMAT,
      SQL,
      ZONE,
      { name: "method", value: "FIELD", about: "where --world finds the method (default method)" },
      { name: "path", value: "FIELD", about: "where --world finds the path (default path)" },
      {
        name: "clients",
        value: "NAME",
        choices: RETRY_NAMES,
        about: "after a refusal: retry-after, backoff, atb or give-up",
      },
      { name: "top", value: "N", about: "list N refused clients (default 10)" },
      QUEUE,
      ANONYMISE,
      {
        name: "seed",
        value: "N",
        about: "of requests placed at random within seconds (default 1)",
      },
      HTML,
      JSON_OUT,
    ],
    examples: [
      ["weir replay access.log --limit 100/1m", "compare the usual algorithms"],
      ["weir replay access.log --config nginx.conf --fleet 4", "by four instances of nginx"],
    ],
  },
  {
    name: "diff",
    summary: "compare two configurations of limits on your traffic",
    usage: "diff OLD NEW --log LOG | --rate N/TIME | --scenario FILE",
    about: [
      "Who would be refused by a new configuration that is admitted today? OLD and NEW are files of nginx and others, worlds, or limits such as 60/1m:token_bucket. Each statement of a file is read, irrelevant, or named as not understood. The requests are of logs, of a scenario, or of clients described as in weir try.",
      "Exit code 4: more is lost than the flags allow. On GitHub, changed lines of NEW are annotated if requests are lost, and the build's summary has the result.",
    ],
    operands: { atLeast: 0, atMost: 2 },
    options: [
      {
        name: "log",
        value: "LOG",
        repeats: "apart",
        about: "an access log, or a folder of logs",
      },
      { name: "scenario", value: "FILE", about: "the requests of this scenario" },
      { name: "variant", value: "NAME", about: "of this variant of it (default the first)" },
      ...TRAFFIC,
      PER_ADDRESS,
      { name: "send", value: "REQUEST", about: "what they send (default 'GET /')" },
      {
        name: "git",
        value: "REV:FILE",
        repeats: "apart",
        about: "read OLD from git; given twice, NEW too",
      },
      KIND,
      SET,
      { ...FLEET, repeats: "apart", about: "instances, as 4 or 4,shared or 4,own,sticky" },
      {
        name: "refuse-at-most",
        value: "N%",
        about: "exit with 4 if more of the requests are lost",
      },
      {
        name: "clients-at-most",
        value: "N%",
        about: "exit with 4 if more of the clients are refused more",
      },
      KEY,
      WHERE,
      FORMAT,
      ZONE,
      { name: "top", value: "N", about: "list N clients and endpoints (default 10)" },
      { name: "seed", value: "N", about: "of random times (default 1)" },
      { name: "html", value: "FILE", about: "save the result as a page" },
      { name: "markdown", about: "print it as Markdown for a pull request" },
      JSON_OUT,
    ],
    examples: [
      [
        "weir diff --git main:nginx.conf nginx.conf --log access.log --markdown",
        "in a pull request",
      ],
      ["weir diff nginx.conf new.conf --clients 50 --rate 3/s", "without a log"],
    ],
  },
  {
    name: "recommend",
    summary: "recommend a limit for the traffic of access logs",
    usage: "recommend LOG... --per TIME,... | --config FILE",
    about: [
      "Which limit refuses almost none of my traffic, and which client sets it? The answer comes first, and the tables of all windows and algorithms prove it.",
      "Exit code 1: no rate suffices. 2: a log is cut off, or more than 1 % unreadable.",
    ],
    operands: { atLeast: 0, atMost: Number.POSITIVE_INFINITY },
    options: [
      {
        name: "per",
        value: "TIME,...",
        repeats: "with commas",
        about: "windows, such as 1m or 1s,1m,1h",
      },
      {
        name: "refuse-at-most",
        value: "N%",
        about: "refuse at most this part of the requests (default 0.1%)",
      },
      {
        name: "clients-at-most",
        value: "N%",
        about: "refuse at most this part of the clients (default 1%)",
      },
      {
        name: "config",
        value: "FILE",
        about: "the smallest change of this file, as a patch",
      },
      KIND,
      SET,
      FLEET,
      ALGORITHM,
      PROFILE,
      BURST,
      KEY,
      WHERE,
      FORMAT,
      SQL,
      ZONE,
      {
        name: "bad",
        value: "CONDITION",
        repeats: "apart",
        about: "label as bad; the target is about others",
      },
      { name: "bad-clients", value: "FILE", about: "label all requests of these clients as bad" },
      {
        name: "without-outliers",
        about: "without the few clients that raise the limit",
      },
      { name: "with-outliers", about: "the limit for all clients, these too" },
      {
        name: "out",
        value: "FOLDER",
        about: "write a world, and the worst hour as a scenario",
      },
      {
        name: "to",
        value: "NAME,...",
        choices: TRANSLATED_NAMES,
        repeats: "with commas",
        about: `for ${TRANSLATED_NAMES.join(", ")}`,
      },
      { name: "complete", about: "write whole configurations of --to, which can be started" },
      { name: "top", value: "N", about: "list N clients on each side of the edge (default 5)" },
      ANONYMISE,
      {
        name: "seed",
        value: "N",
        about: "of draws of clients and times in seconds (default 1)",
      },
      HTML,
      LEGEND,
      JSON_OUT,
    ],
    examples: [
      ["weir recommend access.log --per 1m", "recommend requests per minute"],
      ["weir recommend logs/ --config nginx.conf", "the smallest change of a file, as a patch"],
    ],
  },
];
