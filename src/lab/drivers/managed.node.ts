// The management of a scenario's world over records in SQLite. It uses the served interfaces, but no socket.
import type { Management } from "../../gateway/management/management.ts";
import { recordsInMemory } from "../../gateway/management/records/sqlite.node.ts";
import type { ManagementEnvironment, World } from "../scenario/world.ts";
import { attempts, type Attempts } from "../../gateway/management/http/attempts.ts";
import { managementApp } from "../../gateway/management/http/management.node.ts";
import { sign } from "../../gateway/management/http/webhook-sender.node.ts";
import { deliveriesOf } from "./managed-deliveries.ts";
import { answerOf, CREDENTIALS, headersOf, openManagement } from "./managed.ts";
import type { Manage, Managed, ManagementSurroundings } from "./virtual-calls.ts";

export const manage: Manage = (world, surroundings) =>
  managing(world, surroundings, reportOnStderr);

/** Reports no internal errors. Runs of mutants use this, because mutants cause many such errors. */
export const manageQuietly: Manage = (world, surroundings) =>
  managing(world, surroundings, () => {});

async function managing(
  world: World,
  surroundings: ManagementSurroundings,
  log: (line: string) => void,
): Promise<Managed> {
  const { bases } = world.management;
  const records = await recordsInMemory();
  const { management, newInForce, close } = await openManagement(
    records,
    world,
    surroundings,
    reportOnStderr,
  );
  const opened = await openApp(bases);
  Object.assign(opened.management, management);
  opened.present.attempts = attempts(surroundings.nowUs);
  opened.present.log = log;
  return {
    call: async (call) => {
      const answer = await opened.app.inject({
        method: call.method as "GET", // the type lists fewer methods than HTTP accepts
        url: `${bases[call.on]}${call.path}`,
        headers: headersOf(call),
        ...(call.body === null ? {} : { payload: call.body }),
      });
      return answerOf(answer.statusCode, answer.headers, answer.body);
    },
    newInForce,
    ...deliveriesOf({ records, secrets: management.secrets, world, sign }),
    close: async () => {
      idle.push(opened);
      await close();
    },
  };
}

/** The state of the run that uses the app now. */
interface Present {
  attempts: Attempts | null;
  log: (line: string) => void;
}

interface OpenApp {
  readonly app: Awaited<ReturnType<typeof managementApp>>;
  readonly bases: string;
  /** The object that the app uses; each run copies its own management into this object. */
  readonly management: Management;
  readonly present: Present;
}

/** Apps for reuse by later runs: creating an app takes longer than most runs, and an app retains no state of a run. */
const idle: OpenApp[] = [];

async function openApp(bases: ManagementEnvironment["bases"]): Promise<OpenApp> {
  const name = JSON.stringify(bases);
  const place = idle.findIndex((each) => each.bases === name);
  if (place >= 0) return idle.splice(place, 1)[0]!;
  const present: Present = { attempts: null, log: reportOnStderr };
  const management = {} as Management;
  const app = await managementApp({
    management,
    credentials: () => CREDENTIALS,
    bases,
    log: (line) => present.log(line),
    attempts: {
      fail: (at, address) => present.attempts!.fail(at, address),
      guess: (at, address) => present.attempts!.guess(at, address),
    },
  });
  return { app, bases: name, management, present };
}

/** Internal errors of Weir go to stderr, because a history has no place for them. */
export const reportOnStderr = (line: string): void => void process.stderr.write(`${line}\n`);
