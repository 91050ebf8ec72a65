// Limits in units: when a request spends its cost, and the most units that one client gets in a window.
import { micros } from "../../kit/units.ts";
import {
  eventQueue,
  happenNext,
  nextTimeUs,
  schedule,
  type EventQueue,
} from "../../lab/sim/event-queue.ts";
import {
  makeRoom,
  spendByNumber,
  waitByNumber,
  type NumberedLevel,
} from "../../limiter/store/numbered.ts";
import type { CandidateLimiter, Charge } from "./candidate-limiter.ts";

export const ONE_UNIT: Charge = { units: 1, lastsUs: 0 };

/** The charges of one client within the last window, the oldest first. */
interface ClientCharges {
  readonly atUs: number[];
  readonly units: number[];
  first: number;
  sum: number;
}

/** Finds the most units that one client is charged within any window. Stores only the charges of one window. */
export class ChargeMeter {
  spentUnits = 0;
  mostUnits = 0;
  mostClient = -1;
  mostAtUs = 0; // end of the window with `mostUnits`
  readonly #perUs: number;
  readonly #clients: ClientCharges[] = [];

  constructor(perUs: number) {
    this.#perUs = perUs;
  }

  /** Notes a charge. Charges of one client must arrive in the order of their times. */
  note(client: number, atUs: number, units: number): void {
    this.spentUnits += units;
    const charges = (this.#clients[client] ??= { atUs: [], units: [], first: 0, sum: 0 });
    charges.atUs.push(atUs);
    charges.units.push(units);
    charges.sum += units;
    while (charges.atUs[charges.first]! <= atUs - this.#perUs)
      charges.sum -= charges.units[charges.first++]!;
    if (2 * charges.first > charges.atUs.length) {
      charges.atUs.splice(0, charges.first);
      charges.units.splice(0, charges.first);
      charges.first = 0;
    }
    if (charges.sum <= this.mostUnits) return;
    this.mostUnits = charges.sum;
    this.mostClient = client;
    this.mostAtUs = atUs;
  }
}

/** Wraps a limiter, and notes in `meter` the units that each admitted request is charged at its arrival. */
export const meterBefore = (inner: CandidateLimiter, meter: ChargeMeter): CandidateLimiter => ({
  ...inner,
  decide: (client, target, atUs, charge = ONE_UNIT) => {
    const waitUs = inner.decide(client, target, atUs, charge);
    if (waitUs === 0) meter.note(client, atUs, charge.units);
    return waitUs;
  },
});

interface LaterCharge {
  readonly client: number;
  readonly atUs: number;
  readonly units: number;
}

/** Charges an admitted request at its end. A refused request costs nothing: even a sliding log does not count it. */
export function chargeAfter(level: NumberedLevel, meter: ChargeMeter | null): CandidateLimiter {
  const running: EventQueue = eventQueue();
  const spend = ({ client, atUs, units }: LaterCharge): void => {
    spendByNumber(level, client, micros(atUs), units);
    meter?.note(client, atUs, units);
  };
  const endUntil = (atUs: number): void => {
    while (nextTimeUs(running) <= atUs) happenNext(running);
  };
  return {
    decide: (client, _, atUs, { units, lastsUs } = ONE_UNIT) => {
      endUntil(atUs);
      const waitUs = waitByNumber(level, client, micros(atUs));
      if (waitUs > 0 || units === 0) return waitUs;
      const charge: LaterCharge = { client, atUs: atUs + lastsUs, units };
      if (lastsUs === 0) spend(charge);
      else schedule(running, micros(charge.atUs), spend, charge);
      return 0;
    },
    delayUs: null,
    makeRoom: (clients) => makeRoom(level, clients),
    end: () => endUntil(Number.MAX_VALUE),
  };
}
