import { ALGORITHM_REQUIREMENTS } from "./algorithms.ts";
import { ENDPOINT_REQUIREMENTS } from "./endpoints.ts";
import { EVENT_REQUIREMENTS } from "./events.ts";
import { HEADER_REQUIREMENTS } from "./headers.ts";
import { LIMIT_REQUIREMENTS } from "./limits.ts";
import { MANAGEMENT_REQUIREMENTS } from "./management.ts";
import type { Requirement } from "./requirement.ts";
import { SMOOTHING_REQUIREMENTS } from "./smoothing.ts";

export type { Requirement } from "./requirement.ts";

export const REQUIREMENTS: readonly Requirement[] = [
  ...LIMIT_REQUIREMENTS,
  ...ENDPOINT_REQUIREMENTS,
  ...ALGORITHM_REQUIREMENTS,
  ...SMOOTHING_REQUIREMENTS,
  ...HEADER_REQUIREMENTS,
  ...EVENT_REQUIREMENTS,
  ...MANAGEMENT_REQUIREMENTS,
];
