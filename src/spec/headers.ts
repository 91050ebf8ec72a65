import { entries, type Requirement } from "./requirement.ts";

export const HEADER_REQUIREMENTS: readonly Requirement[] = [
  ...entries("chosen", "built", [
    [
      "HDR-C1",
      "Errors",
      "A 429 says in Retry-After after how many seconds a request would pass if nobody else sent any; where no wait helps, the header is absent.",
    ],
    [
      "HDR-C2",
      "Errors",
      "Answers tell limit, remainder and reset of the tightest budget, in the older or the standard's form, both or neither; the upstream's own are taken off.",
    ],
  ]),
];
