// A dry run on a gateway that serves: over the store that it counts in, wherever that is.
import { optionsOf } from "../core/limiter.ts";
import { answerNow } from "../core/sequence.ts";
import { noteAnswered } from "../core/steps.ts";
import type { Answer } from "../core/store.ts";
import { dryRun, type DryRun, type DryRunRequest } from "../gateway/dry-run.ts";
import type { Gateway } from "../gateway/handle.ts";
import type { RemoteStore } from "../store/remote.ts";

export async function runDry(
  gateway: Gateway,
  store: RemoteStore | null,
  asked: DryRunRequest,
): Promise<DryRun> {
  const { limiter } = gateway;
  const steps = dryRun(gateway, asked);
  let next = steps.next();
  while (next.done !== true) {
    const op = next.value;
    if (store === null) {
      next = steps.next(answerNow(limiter.atHand, op));
      continue;
    }
    const timeoutUs = optionsOf(limiter).storeTimeoutUs;
    const answer = await new Promise<Answer>((hear) => store.ask(op, timeoutUs, hear));
    noteAnswered(limiter, answer, gateway.clock());
    next = steps.next(answer);
  }
  return next.value;
}
