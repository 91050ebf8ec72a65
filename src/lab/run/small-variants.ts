// Which variants keep a thread busy for a moment only: estimated before anything runs.
import { SECOND } from "../../kit/units.ts";
import { durationUs } from "../drivers/support.ts";
import { countGateways } from "../scenario/fault.ts";
import { countPlannedRequests } from "../scenario/plan/size.ts";
import type { Variant } from "../scenario/types.ts";

const FEW_REQUESTS = 5_000;
const FEW_CLIENTS = 10_000;
/** Something happens at each gateway even where no request arrives. */
const BRIEF_US = 3_600 * SECOND;

export const areSmall = (variants: readonly Variant[]): boolean =>
  variants.every(sendsAsPlanned) &&
  sum(variants, countPlannedRequests) <= FEW_REQUESTS &&
  sum(variants, countClients) <= FEW_CLIENTS &&
  sum(variants, gatewayUs) <= BRIEF_US;

/** Clients that return, or wait for their turn, send at other times and more often than is planned. */
const sendsAsPlanned = ({ traffic }: Variant): boolean =>
  traffic.every(({ behaviour, isSequential }) => behaviour.kind === "ignore" && !isSequential);

const countClients = ({ traffic }: Variant): number =>
  traffic.reduce((all, { clients }) => all + clients, 0);

const gatewayUs = (variant: Variant): number =>
  durationUs(variant) * countGateways(variant.world.environment.nodes, variant.faults);

const sum = (variants: readonly Variant[], of: (variant: Variant) => number): number =>
  variants.reduce((all, variant) => all + of(variant), 0);
