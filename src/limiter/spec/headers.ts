import { entries, type Requirement } from "./requirement.ts";

export const HEADER_REQUIREMENTS: readonly Requirement[] = [
  ...entries("chosen", "built", [
    [
      "HDR-C1",
      "Errors",
      "Retry-After of a 429 is the longest wait of all levels that would refuse the request, evaluated or not: after it a request passes if no other is sent. If no wait helps, the header is absent.",
    ],
    [
      "HDR-C2",
      "Errors",
      "Responses show limit, remainder and reset of the tightest budget, in the older or the standard's form, both or neither; the limit is the whole one under DRL too. The upstream's own are removed.",
    ],
  ]),
];
