// The webhook receivers of a world: their response to each attempt, and the addresses of their names.
import { micros } from "../../kit/units.ts";
import type { Letter } from "../../gateway/management/events/letter.ts";
import type { Receiver } from "../scenario/world.ts";
import { addressProblem, portOf } from "../../gateway/management/http/receiver-addresses.ts";
import type { Received } from "./virtual-webhooks.ts";

/** A receiver without an entry accepts everything at once. */
const DEFAULT_RECEIVER: Receiver = { answers: [200], afterUs: micros(0), addresses: ["1.0.0.1"] };

const NOTHING_ALLOWED = { has: () => false };

/** Like the real sender, checks the address before each attempt, because the name may have a new one. */
export function receiversFor(
  receivers: Readonly<Record<string, Receiver>>,
): (letter: Letter) => Received {
  const attemptCounts = new Map<string, number>();
  return ({ url }) => {
    const { answers, afterUs, addresses } = receivers[url] ?? DEFAULT_RECEIVER;
    const before = attemptCounts.get(url) ?? 0;
    attemptCounts.set(url, before + 1);
    const error = addressProblem([nth(addresses, before)], portOf(new URL(url)), NOTHING_ALLOWED);
    if (error !== null) return { status: null, afterUs: 0, error };
    const answer = nth(answers, before);
    switch (answer) {
      case "no response":
        return { status: null, afterUs: Number.POSITIVE_INFINITY };
      case "connection reset":
        return { status: null, afterUs };
      default:
        return { status: answer, afterUs };
    }
  };
}

/** The last one repeats. */
const nth = <T>(list: readonly T[], place: number): T => list[Math.min(place, list.length - 1)]!;
