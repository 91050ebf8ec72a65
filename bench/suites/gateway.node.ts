// The gateway as it is served, beside a server that does nothing but answer.
import { requestsPerSecond } from "../gateway/load.node.ts";
import type { Case, Suite } from "../harness.ts";

const served = (seconds: number, repeats: number): Case => ({
  name: "requests a second over HTTP, 32 connections in a closed loop",
  unit: "requests/s",
  better: "more",
  control: "bare server",
  candidates: [
    ...(["gateway, answering itself", "gateway, before an upstream"] as const).map((name) => ({
      name,
      role: "ours" as const,
      measure: () => requestsPerSecond(name, seconds),
    })),
    {
      name: "bare server",
      role: "control",
      measure: () => requestsPerSecond("bare server", seconds),
    },
  ],
  targets: [],
  repeats,
  warmUps: 0, // each server is warmed up before its own measurement
});

export const gateway: Suite = {
  name: "gateway",
  about: "requests a second that the served gateway answers, beside a bare node:http server",
  cases: (scale) => (scale === "quick" ? [served(3, 1)] : [served(5, 5)]),
};
