import type { Option } from "./arguments.ts";

export const SEED: Option = {
  name: "seed",
  value: "N",
  about: "derive all randomness from N (default 1)",
};
export const JSON_OUT: Option = {
  name: "json",
  about: "print one JSON document on stdout and nothing else",
};

export const BALANCERS = ["round-robin", "random", "least-connections", "sticky", "weighted"];
