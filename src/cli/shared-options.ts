import type { Option } from "./arguments.ts";

export const SEED: Option = {
  name: "seed",
  value: "N",
  about: "everything random follows from it (default 1)",
};
export const JSON_OUT: Option = {
  name: "json",
  about: "one JSON document on stdout, nothing else there",
};
