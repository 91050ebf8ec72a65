// Catches the signals of a gateway process. A SIGHUP without a listener would end the process, and the start may take
// seconds, so listeners are added before the modules of the gateway are loaded.
import { EXIT } from "./exit.ts";

const SIGNALS = ["SIGHUP", "SIGTERM", "SIGINT"] as const;
type Signal = (typeof SIGNALS)[number];
type Listener = (signal: Signal) => void;

export interface Signals {
  /** Replaces the listener for later signals. The first listener also receives the signals before this call. */
  readonly listen: (listener: Listener) => void;
  readonly leave: () => void;
}

let caught: Signals | null = null;

/** Catches the signals of this process. Later calls return the same object until its `leave` is called. */
export function catchSignals(): Signals {
  if (caught !== null) return caught;
  const early: Signal[] = [];
  let listener: Listener = (signal) => void early.push(signal);
  const take = (signal: Signal): void => listener(signal);
  for (const signal of SIGNALS) process.on(signal, take);
  caught = {
    listen: (next) => {
      listener = next;
      for (const signal of early.splice(0)) next(signal);
    },
    leave: () => {
      caught = null;
      for (const signal of SIGNALS) process.off(signal, take);
    },
  };
  return caught;
}

export interface StartSignals {
  readonly isReloadWanted: () => boolean;
  readonly isEndWanted: () => boolean;
}

/** Records the signals that arrive before the gateway serves, so that the start can end or be followed by a reload. */
export function listenDuringStart(signals: Signals, log: (line: string) => void): StartSignals {
  let isReloadWanted = false;
  let isEndWanted = false;
  signals.listen((signal) => {
    if (signal === "SIGHUP") {
      isReloadWanted = true;
      log("weir: SIGHUP: the reload follows the start");
    } else if (isEndWanted) {
      log(`weir: ${signal} again: stopping at once`);
      process.exit(EXIT.interrupted);
    } else {
      isEndWanted = true;
      log(`weir: ${signal}: the start ends after its present step; another signal stops at once`);
    }
  });
  return { isReloadWanted: () => isReloadWanted, isEndWanted: () => isEndWanted };
}
