// What a program gets that imports `weir/core`: the same two limits, without configuration and sessions.
import { createRateLimiter } from "../../src/library/core.ts";
import { PER_SECONDS, RATE, type Subject, type Workload } from "./workload.node.ts";

const START_US = 1_767_225_600_000_000;
const PER_US = PER_SECONDS * 1_000_000;

export function library({ credentials, stepUs }: Workload): Subject {
  const limiter = createRateLimiter({
    algorithm: "fixed_window",
    perClient: { rate: RATE, perUs: PER_US },
    shared: { rate: 1e9, perUs: PER_US },
  });
  const isAdmitted = (credential: string, request: number): boolean =>
    limiter.decide(credential, START_US + Math.round(request * stepUs)).admitted;
  return {
    run: (requests, first) => {
      let admitted = 0;
      for (let i = 0; i < requests.length; i++) if (isAdmitted(requests[i]!, first + i)) admitted++;
      return admitted;
    },
    admitEveryKey: () => credentials.filter((credential) => isAdmitted(credential, 0)).length,
  };
}
