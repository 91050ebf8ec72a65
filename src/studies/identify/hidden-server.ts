// Hidden limiters that no configuration of Weir has: two limits, a pause, a limit on requests in flight,
// refusals at random. They share no code with the identification.
import type { Rng } from "../../kit/chance/rng.ts";
import type { LimitBehaviour } from "./behaviour.ts";
import type { SpecialBehaviour } from "./special.ts";
import { drawNumbers, withTwoDigits, type NumberKind } from "./hidden-numbers.ts";

/** Decides the requests of one client: whether they are admitted, and for how long the server works on them. */
export type ServerDecide = (atUs: number) => {
  readonly isAdmitted: boolean;
  readonly workUs: number;
};

export interface HiddenServer {
  readonly name: string;
  readonly truth: LimitBehaviour | SpecialBehaviour;
  readonly createClient: () => ServerDecide;
}

/** One limit. `isOpen`: whether one more request would be admitted, without counting it. */
interface Counter {
  readonly isOpen: (atUs: number) => boolean;
  readonly spend: (atUs: number) => void;
}

function countWindow(capacity: number, spanUs: number): Counter {
  let [startUs, count] = [-Infinity, 0];
  return {
    isOpen: (atUs) => atUs >= startUs + spanUs || count < capacity,
    spend: (atUs) => {
      if (atUs >= startUs + spanUs) [startUs, count] = [atUs, 0];
      count++;
    },
  };
}

function countLog(capacity: number, spanUs: number): Counter {
  let times: number[] = [];
  return {
    isOpen: (atUs) => {
      times = times.filter((each) => each > atUs - spanUs);
      return times.length < capacity;
    },
    spend: (atUs) => void times.push(atUs),
  };
}

const COUNTERS = { window: countWindow, free_log: countLog } as const;

const admitIf = (isAdmitted: boolean): ReturnType<ServerDecide> => ({ isAdmitted, workUs: 0 });

function createTwoLimits(random: Rng, kind: NumberKind): HiddenServer {
  const name = (["window", "free_log"] as const)[random.int(2)]!;
  const first = drawNumbers(random, kind, { rate: [2, 30], seconds: [0.5, 20] });
  // The second limit is low enough to be reached by the requests of an identification.
  const capacity = first.rate * (2 + random.int(4));
  const spanUs = Math.round(withTwoDigits(first.perUs * (8 + random.int(30))));
  const numbers = { capacity: first.rate, spanUs: first.perUs };
  const second = { capacity, spanUs };
  return {
    name: "two limits",
    truth: { name, ...numbers, second },
    createClient: () => {
      const counters = [numbers, second].map((each) => COUNTERS[name](each.capacity, each.spanUs));
      return (atUs) => {
        const isAdmitted = counters.every((counter) => counter.isOpen(atUs));
        if (isAdmitted) for (const counter of counters) counter.spend(atUs);
        return admitIf(isAdmitted);
      };
    },
  };
}

function createPause(random: Rng, kind: NumberKind): HiddenServer {
  const name = (["window", "free_log"] as const)[random.int(2)]!;
  const { rate, perUs } = drawNumbers(random, kind, { rate: [2, 200], seconds: [0.5, 60] });
  const pauseUs = Math.round(withTwoDigits(perUs * (3 + random.int(8))));
  return {
    name: "a pause",
    truth: { name, capacity: rate, spanUs: perUs, pauseUs },
    createClient: () => {
      const counter = COUNTERS[name](rate, perUs);
      let untilUs = -Infinity;
      return (atUs) => {
        if (atUs < untilUs) return admitIf(false);
        const isAdmitted = counter.isOpen(atUs);
        if (isAdmitted) counter.spend(atUs);
        else untilUs = atUs + pauseUs;
        return admitIf(isAdmitted);
      };
    },
  };
}

function createInFlight(random: Rng, kind: NumberKind): HiddenServer {
  const { rate: most, perUs } = drawNumbers(random, kind, { rate: [1, 50], seconds: [0.2, 3] });
  return {
    name: "requests in flight",
    truth: { kind: "in_flight", most, workUs: perUs },
    createClient: () => {
      let ends: number[] = [];
      return (atUs) => {
        ends = ends.filter((each) => each > atUs);
        if (ends.length >= most) return admitIf(false);
        ends.push(atUs + perUs);
        return { isAdmitted: true, workUs: perUs };
      };
    },
  };
}

function createChance(random: Rng): HiddenServer {
  const share = Math.round(100 * (0.03 + 0.57 * random.next())) / 100;
  return {
    name: "chance",
    truth: { kind: "chance", share, range: [share, share] },
    createClient: () => () => admitIf(random.next() >= share),
  };
}

const KINDS = [createTwoLimits, createPause, createInFlight, createChance] as const;

export const drawServer = (random: Rng, kind: NumberKind): HiddenServer =>
  KINDS[random.int(KINDS.length)]!(random, kind);
