// A run in real time: the driver is started and calibrated before anything is played.
import { EMBEDDED } from "../drivers/embedded.node.ts";
import type { Driving } from "./driver-options.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import { startRealPlayers, type RealPlayers } from "./play-real.node.ts";
import type { Settings } from "./play.node.ts";
import type { Terminal } from "./terminal.ts";

const inMs = (us: number): string => `${Number((us / 1_000).toFixed(1))} ms`;

export async function inRealTime(
  { name, ...asked }: Driving,
  settings: Settings,
  { err }: Terminal,
  play: (players: RealPlayers) => Promise<ExitCode>,
): Promise<ExitCode> {
  if (name !== "embedded") throw new Error(`${name} is not played in real time`);
  const players = startRealPlayers({ ...settings, ...asked, driver: name }, EMBEDDED);
  try {
    const { uncertainUs, latestUs, problem } = await players.calibrate();
    err(
      `${name}: a request takes ${inMs(uncertainUs)} there and back, and is sent at most ${inMs(latestUs)} late`,
    );
    if (problem === null) return await play(players);
    err(`${name} judges nothing here: ${problem}`);
    return EXIT.failed;
  } finally {
    await players.dismiss();
  }
}
