import type { LimiterEvent } from "#src/limiter/core/events.ts";
import type { Gateway } from "#src/gateway/gateway.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

type NoteShadow = (gateway: Gateway, ...args: never[]) => void;

export const mutant: Mutant<NoteShadow> = {
  about: "what a shadow would refuse is told as a refusal",
  breaks: ["LIM-C13"],
  replaces: "gateway/shadow.ts#reportShadow",
  by: (right, gateway, ...args) => {
    const emit = (event: LimiterEvent): void =>
      gateway.limiter.emit?.({ ...event, event: "RatelimitExceeded" });
    right({ ...gateway, limiter: { ...gateway.limiter, emit } }, ...args);
  },
};
