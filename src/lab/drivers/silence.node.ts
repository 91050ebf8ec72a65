// Watches a gateway that accepts connections without responding: prints a line, and ends a run without any response.
import { many } from "../../kit/reading/legible.ts";
import { UnreachableTarget } from "./driver.ts";

/** A run ends if no request has a response after this time. A newly started gateway responds sooner. */
const LONGEST_S = 15;

/** After this time without a response, a line is printed, because the run seems to hang. */
const NOTICE_S = 5;

export interface ResponseCounts {
  readonly waiting: number; // requests without a response so far
  readonly responses: number;
}

/** Returns a function that ends the watch. */
export function watchSilence(
  origin: string,
  counts: () => ResponseCounts,
  notice: (line: string) => void,
  fail: (error: Error) => void,
): () => void {
  let seen = 0;
  let sinceMs = performance.now();
  let isNoted = false;
  const timer = setInterval(() => {
    const { waiting, responses } = counts();
    const silentMs = performance.now() - sinceMs;
    if (waiting === 0 || responses !== seen) {
      seen = responses;
      sinceMs = performance.now();
      isNoted = false;
    } else if (responses === 0 && silentMs >= LONGEST_S * 1_000) {
      fail(
        new UnreachableTarget(
          `${origin} accepts connections and sends no response: ${many(waiting, "request")} waited ${LONGEST_S} s; look in the log of the gateway`,
        ),
      );
    } else if (!isNoted && silentMs >= NOTICE_S * 1_000) {
      isNoted = true;
      notice(
        `waiting for ${origin}: ${many(waiting, "request")} without a response for ${NOTICE_S} s`,
      );
    }
  }, 500);
  return () => clearInterval(timer);
}
