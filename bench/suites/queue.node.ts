// The event queue under everything that is simulated with latency.
import { inChild } from "../child.node.ts";
import type { Case, Suite } from "../harness.ts";
import type { Input } from "../queue/hold.node.ts";

function hold(pending: number, events: number, repeats: number): Case {
  const measure = (subject: Input["subject"]) => async (): Promise<number> =>
    (await inChild("queue/hold.node.ts", { subject, pending, events }))["value"]!;
  return {
    name: `one event out and one in, ${pending.toLocaleString("en-GB")} pending`,
    unit: "ns",
    better: "less",
    control: "flatqueue",
    candidates: [
      { name: "event queue", role: "ours", measure: measure("event queue") },
      { name: "flatqueue", role: "control", measure: measure("flatqueue") },
    ],
    targets: [],
    repeats,
    warmUps: 0,
  };
}

export const queue: Suite = {
  name: "queue",
  about: "the event queue beside flatqueue, which keeps no order among equals",
  cases: (scale) => {
    const [events, repeats] = scale === "quick" ? [500_000, 2] : [2_000_000, 5];
    return [hold(1_000, events, repeats), hold(1_000_000, events, repeats)];
  },
};
