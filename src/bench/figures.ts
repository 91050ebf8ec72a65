import { microsToSeconds } from "../core/units.ts";
import { REFUSED, type LoadFigures } from "./load/load.ts";

export const perSecondOf = ({ answers, tookUs }: LoadFigures): number =>
  tookUs === 0 ? 0 : answers / microsToSeconds(tookUs);

/** A limit needs only two digits, and two runs are more likely to agree on them. */
export const twoDigits = (value: number): number => Number(value.toPrecision(2));

export const refusalShareOf = ({ answers, statuses }: LoadFigures): number =>
  answers === 0 ? 0 : (statuses[REFUSED] ?? 0) / answers;
