// Runs in real time: starts and calibrates the driver before any variant runs.
import type { RealName } from "../lab/drivers/by-name.node.ts";
import { foreignOffer } from "../lab/drivers/foreign-offer.ts";
import { OFFERS } from "../lab/drivers/offers.ts";
import { isRedisThere, NO_REDIS, startOwnRedis } from "../lab/drivers/own-redis.node.ts";
import { findImplementation } from "../lab/implementations/catalogue.node.ts";
import { whyNotRunnable } from "../lab/implementations/home.node.ts";
import { Failure, isFailure } from "../kit/reading/failure.ts";
import type { Driving } from "./driver-options.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import {
  startRealThread,
  type RealRunThread,
  type RealSettings,
} from "../lab/run/real-run.node.ts";
import type { RunSettings } from "../lab/run/file-runner.node.ts";
import type { Terminal } from "./terminal.ts";

const inMs = (us: number): string => `${Number((us / 1_000).toFixed(1))} ms`;

export async function inRealTime(
  name: RealName,
  driving: Driving,
  settings: RunSettings,
  terminal: Terminal,
  run: (players: RealRunThread) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { err } = terminal;
  if (name === "remote") return inForeignTime(driving, settings, terminal, run);
  const realStore = name === "redis" ? await storeFor(settings.store) : NO_STORE;
  if (isFailure(realStore)) {
    err(`--driver ${name}: ${realStore.message}`);
    return EXIT.unreachable;
  }
  const { against: _, ...times } = driving;
  const real: RealSettings = { ...settings, ...times, driver: name, store: realStore.url };
  const players = startRealThread(real, OFFERS[name]);
  try {
    const { tripUs, uncertainUs, latestUs, problem } = await players.calibrate();
    err(
      `${name}: a request takes ${inMs(tripUs)} there and back and is sent at most ${inMs(latestUs)} late; the time of its decision is known to ${inMs(uncertainUs)}`,
    );
    if (problem === null) return await run(players);
    err(`${name} cannot check anything here: ${problem}`);
    return EXIT.failed;
  } finally {
    await players.dismiss();
    await realStore.stop();
  }
}

/** Runs on a foreign gateway. The calibration is skipped, because it needs a world that admits every request. */
async function inForeignTime(
  { against, ...driving }: Driving,
  settings: RunSettings,
  { err }: Terminal,
  run: (players: RealRunThread) => Promise<ExitCode>,
): Promise<ExitCode> {
  if (against === null) throw new Error("the options were checked before");
  const implementation = against.kind === "target" ? null : await findImplementation(against.name);
  if (isFailure(implementation)) {
    for (const problem of implementation.problems) err(problem);
    return EXIT.usage;
  }
  const missing = implementation === null ? null : whyNotRunnable(implementation);
  if (missing !== null) {
    err(missing);
    return EXIT.unreachable;
  }
  const isRealTime = (implementation?.manifest.clock ?? "real") === "real";
  const real: RealSettings = {
    ...settings,
    ...driving,
    driver: "remote",
    against,
    model: implementation?.manifest.model,
  };
  const players = startRealThread(real, foreignOffer(isRealTime, implementation));
  try {
    return await run(players);
  } finally {
    await players.dismiss();
  }
}

interface RealStore {
  readonly url: string | undefined;
  readonly stop: () => Promise<void>;
}

const NO_STORE: RealStore = { url: undefined, stop: () => Promise.resolve() };

async function storeFor(address: string | undefined): Promise<RealStore | Failure> {
  if (address !== undefined) return { ...NO_STORE, url: address };
  return isRedisThere() ? startOwnRedis() : new Failure(NO_REDIS);
}
