// The gateway as it is served, beside what others put in front of an API, and beside the least that Node and
// its client can do.
import { hasWrk, measured, type Measure } from "../gateway/load.node.ts";
import { hasNginx } from "../gateway/nginx.node.ts";
import type { Subject } from "../gateway/serve.node.ts";
import type { Candidate, Case, Scale, Suite, Target } from "../harness.ts";

interface Run {
  readonly seconds: number;
  readonly repeats: number;
  readonly what: Measure;
}

function compared(
  title: string,
  ours: readonly Subject[],
  controls: readonly (Subject | "nginx")[],
  targets: readonly Target[],
  { seconds, repeats, what }: Run,
): Case {
  const candidate =
    (role: Candidate["role"]) =>
    (name: Subject | "nginx"): Candidate => ({
      name,
      role,
      measure: () => measured(name, seconds, what),
    });
  const isSpeed = what === "requests a second";
  const by = hasWrk() ? "wrk" : "autocannon, which saturates before a fast server does";
  return {
    name: `${title}: ${what}, 32 connections of ${by}`,
    unit: isSpeed ? "requests/s" : "us",
    better: isSpeed ? "more" : "less",
    control: controls[0]!,
    candidates: [...ours.map(candidate("ours")), ...controls.map(candidate("control"))],
    targets: isSpeed ? targets : [],
    repeats,
    warmUps: 0, // each server is warmed up before its own measurement
  };
}

const against = (candidate: Subject, other: Subject | "nginx", times: number): Target => ({
  candidate,
  against: [other],
  times,
});

const proxied = (run: Run): Case =>
  compared(
    "a key, a limit of the API and one of the key, and an upstream",
    ["weir"],
    ["bare proxy", "fastify", "express", ...(hasNginx() ? (["nginx"] as const) : [])],
    [
      against("weir", "bare proxy", 0.85),
      against("weir", "fastify", 1.3),
      against("weir", "express", 2.2),
      ...(hasNginx() ? [against("weir", "nginx", 0.3)] : []),
    ],
    run,
  );

const refused = (run: Run): Case =>
  compared(
    "429",
    ["weir, refusing"],
    ["bare server, refusing"],
    [against("weir, refusing", "bare server, refusing", 0.9)],
    run,
  );

const answered = (run: Run): Case =>
  compared("answered without an upstream", ["weir, answering itself"], ["bare server"], [], run);

function casesOf(scale: Scale): readonly Case[] {
  const wall: Run = {
    seconds: scale === "quick" ? 2 : 3,
    repeats: scale === "quick" ? 1 : 5,
    what: "requests a second",
  };
  if (scale === "quick") return [answered(wall)];
  const spent: Run = { ...wall, what: "processor time a request" };
  return [proxied(wall), refused(wall), answered(wall), proxied(spent), refused(spent)];
}

export const gateway: Suite = {
  name: "gateway",
  about:
    "requests a second that the served gateway answers, beside proxies, peers and bare servers",
  cases: casesOf,
};
