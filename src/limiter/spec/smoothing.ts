import { entries, type Requirement } from "./requirement.ts";

export const SMOOTHING_REQUIREMENTS: readonly Requirement[] = [
  ...entries("required", "built", [
    ["SMO-1", "Rate limit smoothing; States", "The allowance begins at the threshold."],
    [
      "SMO-2",
      "States and transitions",
      "The allowance never leaves the range from threshold to rate.",
    ],
    [
      "SMO-3",
      "States and transitions",
      "When the measured rate comes within a part of a step of the allowance and no hold-off runs, the allowance rises one step with an event.",
    ],
    [
      "SMO-4",
      "States and transitions",
      "If the measured rate is more than a step and that part below the allowance, or the window is empty, the allowance falls one step.",
    ],
    [
      "SMO-5",
      "States and transitions",
      "Beyond the allowance requests get 429; being blocked does not move it.",
    ],
    [
      "SMO-6",
      "States and transitions",
      "Once a spike is over, the allowance returns to the threshold step by step.",
    ],
    [
      "SMO-7",
      "Rate limit smoothing",
      "Keys, policies and the limits in access rights can carry smoothing.",
    ],
    ["SMO-8", "Rate limit smoothing", "Smoothing that is not enabled leaves the plain limit."],
    ["SMO-9", "Rate limit smoothing", "Between two events at least delay seconds pass."],
  ]),
  ...entries("chosen", "built", [
    [
      "SMO-C1",
      "Rate limit smoothing",
      "Rises and falls share one hold-off, which ends exactly after delay and also runs from the allowance's creation.",
    ],
    [
      "SMO-C2",
      "States and transitions",
      "A request moves the allowance once at most, upwards if it can, and is then evaluated by the new one. Blocked clients move it too.",
    ],
    [
      "SMO-C3",
      "States and transitions",
      "The last step is shortened to end on the bound; a step of nothing is no change and no event.",
    ],
    [
      "SMO-C4",
      "Rate limit smoothing",
      "Enabled smoothing with numbers that are not above 0, a threshold above the rate, more than 10,000 steps to it or no rate at all is an error; a trigger above 1 is a warning.",
    ],
    [
      "SMO-C5",
      "Rate limit smoothing",
      "Smoothing belongs to the algorithms that keep a log; under others it does nothing, with a warning.",
    ],
    [
      "SMO-C6",
      "States and transitions",
      "All gateways share the allowance and change it atomically. Falls that no request carried are made up at the next one, each at the first instant that hold-off and rate allow. An idle record ends by its own attempts, whatever other keys or the store do.",
    ],
    [
      "SMO-C7",
      "Rate limit smoothing",
      "Smoothing stays with the limit it is written in, each budget has its own allowance, and API-level limits cannot have it.",
    ],
  ]),
];
