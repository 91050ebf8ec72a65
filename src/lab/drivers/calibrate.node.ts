// Before a driver tests a gateway, it runs two worlds: one in which the gateway admits everything, and one in which it
// admits nothing. The driver must see the difference. The runs also measure how uncertain the times of decisions are.
import { micros, type Micros } from "../../kit/units.ts";
import { isLost, type History } from "../scenario/history.ts";
import { plan } from "../scenario/plan/plan.ts";
import { decode } from "../scenario/read/decode.ts";
import type { Variant } from "../scenario/types.ts";
import { MOST_UNCERTAIN_US, type Driver } from "./driver.ts";

export interface Calibration {
  readonly tripUs: Micros; // time from sending a request to receiving its response, 95th percentile
  readonly uncertainUs: Micros; // span within which a decision was made, 95th percentile
  readonly latestUs: Micros; // the most by which a request was sent late
  /** Why this driver cannot be used here and now; null if it can. */
  readonly problem: string | null;
}

const REQUESTS = 100;

const world = (rate: number): Variant => {
  const file = "calibration/all-or-nothing.yaml";
  const text = `id: calibration/all-or-nothing
title: a gateway that admits everything, or nothing
proves: [LIM-1]
world:
  apis: { all: { listen: /all } }
  keys: { alice: { apis: [all], rate: ${rate}, per: 1 } }
  gateway: { store_timeout: 60 } # a busy machine is no outage
traffic:
  - { as: alice, send: GET /all, every: 5ms, count: ${REQUESTS} }
expect:
  - { id: answers, count: {}, equals: ${REQUESTS} }
`;
  const { scenario, problems } = decode(file, text);
  const [variant] = scenario?.variants ?? [];
  if (variant === undefined)
    throw new Error(`the world for calibration has errors: ${JSON.stringify(problems)}`);
  return variant;
};

export async function calibrate(driver: Driver): Promise<Calibration> {
  const always = await historyOf(driver, world(-1));
  const never = await historyOf(driver, world(0));
  const uncertainUs = micros(Math.max(uncertaintyOf(always), uncertaintyOf(never)));
  const tripUs = micros(Math.max(tripOf(always), tripOf(never)));
  const latestUs = micros(Math.max(latenessOf(always), latenessOf(never)));
  const measured = { tripUs, uncertainUs, latestUs };
  const wrong = wrongAnswers(always, 200) ?? wrongAnswers(never, 429);
  if (wrong !== null) return { ...measured, problem: wrong };
  const problem =
    uncertainUs > MOST_UNCERTAIN_US
      ? `the time of a decision is uncertain by ${uncertainUs / 1_000} ms; limits that are counted in seconds need ${MOST_UNCERTAIN_US / 1_000} ms or less`
      : null;
  return { ...measured, problem };
}

async function historyOf(driver: Driver, variant: Variant): Promise<History> {
  const applied = await driver.apply(variant);
  try {
    return await applied.play(plan(variant, "calibration/all-or-nothing", 1));
  } finally {
    await applied.close();
  }
}

const ALL_BUT_FEW = 0.95;

const fewAbove = (all: Float64Array): number =>
  Math.ceil(all.toSorted().at(Math.floor(all.length * ALL_BUT_FEW)) ?? Number.POSITIVE_INFINITY);

const uncertaintyOf = ({ requests: { fromUs, toUs } }: History): number =>
  fewAbove(toUs.map((us, row) => us - fromUs[row]!));

const tripOf = ({ requests: { sentUs, answeredUs } }: History): number =>
  fewAbove(answeredUs.map((us, row) => us - sentUs[row]!));

const latenessOf = ({ requests: { sentUs, plannedUs } }: History): number =>
  Math.ceil(sentUs.reduce((most, us, row) => Math.max(most, us - plannedUs[row]!), 0));

/** Describes responses other than the expected status; null if all requests got that status. */
function wrongAnswers({ requests }: History, status: number): string | null {
  const right = requests.status.reduce((sum, got) => sum + Number(got === status), 0);
  const lost = requests.status.reduce((sum, got) => sum + Number(isLost(got)), 0);
  return right === REQUESTS
    ? null
    : `${status} was expected for all ${REQUESTS} requests: ${right} got it, and ${lost} were lost`;
}
