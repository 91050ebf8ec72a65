// `weir webhooks`: lists waiting and completed deliveries, and sends failed ones again. The gateway may be running.
import { legible, many, oneLine } from "../kit/reading/legible.ts";
import { wallClock } from "../gateway/http/wall-clock.node.ts";
import type { Deliveries, State } from "../gateway/management/events/deliveries.ts";
import { writeJson } from "../gateway/management/json.ts";
import type { Action, Arguments } from "./arguments.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import { loadSettings } from "../gateway/serving/load.node.ts";
import { withRecords } from "./records-for-command.node.ts";
import type { Terminal } from "./terminal.ts";
import { deliveryJson, deliveryLines, linesOfLost } from "./webhooks-text.ts";

const MOST_SHOWN = 1_000;

export const webhooks: Action = async (args, terminal, refuse) => {
  const [what, which] = args.operands;
  if (what !== undefined && (what !== "resend" || which === undefined))
    return refuse(`"${args.operands.join(" ")}" is no action; use resend ID or resend all`);
  return withRecords(loadSettings(args.values), terminal, async (records) => {
    const { deliveries } = records;
    return which === undefined
      ? show(deliveries, args, terminal)
      : resent(deliveries, which, terminal);
  });
};

async function show(
  deliveries: Deliveries,
  { switches }: Arguments,
  { out }: Terminal,
): Promise<ExitCode> {
  const state: State | null = switches.has("dead") ? "dead" : null;
  const listed = await deliveries.list(state, MOST_SHOWN);
  const lostDeliveries = await deliveries.listLost();
  if (switches.has("json")) {
    const document = {
      format: "weir-webhooks/1",
      deliveries: listed.map(deliveryJson),
      lost: lostDeliveries,
    };
    out(legible(writeJson(document, 2)));
    return EXIT.passed;
  }
  for (const line of [...deliveryLines(listed), ...linesOfLost(lostDeliveries)]) out(oneLine(line));
  out(many(listed.length, "delivery", "deliveries"));
  return EXIT.passed;
}

async function resent(
  deliveries: Deliveries,
  which: string,
  { out, err }: Terminal,
): Promise<ExitCode> {
  const count = await deliveries.resend(which === "all" ? null : which, wallClock());
  if (count === 0 && which !== "all") {
    err(`weir webhooks: there is no delivery ${which}, or it is already pending`);
    return EXIT.usage;
  }
  out(`${many(count, "delivery", "deliveries")} to be sent again`);
  return EXIT.passed;
}
