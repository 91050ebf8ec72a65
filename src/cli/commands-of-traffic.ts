// The command `try`, which generates traffic from a description, as data.
import { ALGORITHMS } from "../limiter/core/algorithms.ts";
import { POPULATION_NAMES } from "../studies/try/populations.ts";
import { TRY_RETRIES } from "../studies/try/retries.ts";
import { PROFILE_NAMES } from "../limiter/spec/profiles.ts";
import { FREE_LOG } from "../studies/replay/choices.ts";
import {
  ALL_ALGORITHMS,
  type Command,
  JSON_OUT,
  KIND,
  LEGEND,
  type Option,
  SEED,
  SET,
} from "./arguments.ts";

/** Flags that describe traffic. */
export const TRAFFIC: readonly Option[] = [
  { name: "clients", value: "N", about: "this number of clients (default 1)" },
  { name: "rate", value: "N/TIME", about: "requests of each client, such as 3/s or 20/m" },
  {
    name: "population",
    value: "NAME",
    choices: POPULATION_NAMES,
    about: "spread of --rate: even (default), random, bursty, ...",
  },
  {
    name: "bursts",
    value: "N@TIME",
    about: "N at once every TIME, such as 50@1m or 50@1m+5s",
  },
  { name: "for", value: "TIME", about: "how long clients send (default 10m)" },
];
export const PER_ADDRESS: Option = {
  name: "per-address",
  value: "N",
  about: "this number of clients share an address and its budget",
};

export const OF_TRAFFIC: readonly Command[] = [
  {
    name: "try",
    summary: "compare limits on traffic that you describe",
    usage: "try --limit N/TIME,... --rate N/TIME | --bursts N@TIME",
    about: [
      "What would each algorithm do with these clients? A real gateway decides every request in virtual time. One seed gives the same result on every machine, and weir run repeats a saved scenario.",
    ],
    operands: { atLeast: 0, atMost: 0 },
    options: [
      {
        name: "limit",
        value: "N/TIME,...",
        repeats: "with commas",
        about: "these for each client, as 100/1m or 10,20/s",
      },
      {
        name: "config",
        value: "FILE",
        about: "the limits of FILE, such as nginx.conf, instead or too",
      },
      {
        name: "path",
        value: "PATH",
        about: "of the requests of --config (default GET /)",
      },
      {
        name: "header",
        value: "'NAME: VALUE'",
        repeats: "apart",
        about: "of the same, as 'Host: a.example'",
      },
      KIND,
      SET,
      ...TRAFFIC,
      {
        name: "retry",
        value: "NAME,...",
        choices: TRY_RETRIES,
        repeats: "with commas",
        about: "send refused requests again: none (default), backoff, atb, ...",
      },
      { name: "together", about: "all clients send their bursts at once, as a herd" },
      { name: "sequential", about: "each client sends one request at a time" },
      PER_ADDRESS,
      { name: "gateways", value: "N", about: "this number of gateways (default 1)" },
      {
        name: "algorithm",
        value: "NAME,...",
        choices: [ALL_ALGORITHMS, ...ALGORITHMS, FREE_LOG],
        repeats: "with commas",
        about: "by these (default all), or free_log",
      },
      {
        name: "profile",
        value: "NAME,...",
        choices: [ALL_ALGORITHMS, ...PROFILE_NAMES],
        repeats: "with commas",
        about: "as these decide, such as nginx, or all",
      },
      { name: "burst", value: "N", about: "gcra and nginx: N requests at once, or rate" },
      { name: "scenario", value: "FILE", about: "save the scenario that runs" },
      {
        name: "draws",
        value: "N",
        about: "run random times with N seeds (default 5, or fewer)",
      },
      SEED,
      LEGEND,
      { name: "html", value: "FILE", about: "save the result as one self-contained page" },
      JSON_OUT,
    ],
    examples: [
      ["weir try --limit 100/1m --clients 50 --rate 3/s", "compare all algorithms"],
      [
        "weir try --limit 100/1m --bursts 120@1m --retry backoff",
        "let a client send bursts and retry",
      ],
      ["weir try --limit 10/s --rate 12/s --profile nginx --scenario t.yaml", "save what runs"],
    ],
  },
];
