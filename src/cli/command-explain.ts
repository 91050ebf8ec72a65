// The command `explain`, as data.
import { type Command, FLEET, JSON_OUT, KIND, SEED, SET } from "./arguments.ts";
import { FORMAT, KEY, ZONE } from "./commands-of-logs.ts";

export const EXPLAIN: Command = {
  name: "explain",
  summary: "explain why a request was refused",
  usage: "explain HISTORY|SCENARIO | --config FILE --log LOG [REQUEST]",
  about: [
    "REQUEST is FLOW:N, the Nth request of a flow in the order of sending, from 1; or FLOW:N.M, the Mth attempt of a client that retries; or the number of a request in the history.",
    "If the first argument is a scenario file, one of its variants runs first. Without REQUEST it lists refused requests.",
    "With --config, the limits of that file decide the requests of an access log, and REQUEST is CLIENT, for its first refused request, or CLIENT:N.",
  ],
  operands: { atLeast: 0, atMost: 2 },
  options: [
    {
      name: "variant",
      value: "NAME|N",
      about:
        "run this variant of the scenario file, by its name or as the Nth (default: its first)",
    },
    { name: "scenario", value: "FILE", about: "read the scenario of a history from FILE" },
    { name: "config", value: "FILE", about: "the file of a limiter, such as nginx.conf" },
    {
      name: "log",
      value: "LOG",
      repeats: "apart",
      about: "an access log, or a folder of logs",
    },
    KIND,
    SET,
    FLEET,
    KEY,
    FORMAT,
    ZONE,
    SEED,
    JSON_OUT,
  ],
  examples: [
    ["weir explain scenarios/limits/first.yaml first:6", "run the scenario, explain request 6"],
    ["weir explain runs/limits/first.ndjson 5", "explain a saved history"],
    [
      "weir explain --config nginx.conf --log access.log 192.0.2.66",
      "which limit of the file refuses this client, and why",
    ],
  ],
};
