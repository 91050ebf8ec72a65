// The receivers of webhooks that a world has: what they answer to each attempt, and where their names lead.
import { micros } from "../core/units.ts";
import type { Letter } from "../management/events/letter.ts";
import type { Receiver } from "../scenario/receiver.ts";
import { addressProblem } from "../management/http/receiver-addresses.node.ts";
import { portOf } from "../management/http/webhook-sender.node.ts";
import type { Received } from "./virtual-webhooks.ts";

/** Who is none of them takes everything at once. */
const ANYBODY: Receiver = { answers: [200], afterUs: micros(0), addresses: ["1.0.0.1"] };

const NOTHING_ALLOWED = { has: () => false };

/** As the real sender does, the address is looked at before each attempt: the name may lead elsewhere since. */
export function receiving(
  receivers: Readonly<Record<string, Receiver>>,
): (letter: Letter) => Received {
  const asked = new Map<string, number>();
  return ({ url }) => {
    const { answers, afterUs, addresses } = receivers[url] ?? ANYBODY;
    const before = asked.get(url) ?? 0;
    asked.set(url, before + 1);
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

/** The last one stands for all that come after it. */
const nth = <T>(list: readonly T[], place: number): T => list[Math.min(place, list.length - 1)]!;
