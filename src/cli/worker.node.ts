// `weir worker`: computes pieces of sweeps from a queue until it is stopped.
import { availableParallelism } from "node:os";
import { PROOF_THREADS } from "../studies/implementations/proof-threads.node.ts";
import { TRIAL_THREADS } from "../studies/mutants/try-all.node.ts";
import { CELL_THREADS } from "../studies/pareto/run-cells.node.ts";
import { SEED_THREADS } from "../studies/swarm/try-seeds.node.ts";
import { SEARCH_THREADS } from "../studies/worst/compute-pieces.node.ts";
import { CHECK_THREADS } from "../studies/identify/check-all.node.ts";
import { isFailure } from "../kit/reading/failure.ts";
import { many } from "../kit/reading/legible.ts";
import { withoutSecret } from "../limiter/store/redis-address.ts";
import { countIn, type Action } from "./arguments.ts";
import { EXIT } from "./exit.ts";
import { interruption } from "./interruption.node.ts";
import { openQueue } from "./queue-option.node.ts";
import { REPLAY_THREADS } from "./replay-threads.node.ts";

const SWEEPS = [
  SEED_THREADS,
  CELL_THREADS,
  TRIAL_THREADS,
  CHECK_THREADS,
  SEARCH_THREADS,
  PROOF_THREADS,
  REPLAY_THREADS,
];
const MOST_THREADS = 1_000;

export const worker: Action = async ({ values }, terminal, refuse) => {
  const address = values.get("queue");
  if (address === undefined) return refuse("worker needs a queue: --queue redis://HOST:PORT");
  const typed = countIn(values, "threads", MOST_THREADS);
  if (isFailure(typed)) return refuse(typed.message);
  const threads = typed ?? availableParallelism();
  const open = await openQueue({ address }, terminal, refuse);
  if (typeof open === "number") return open;
  const { stop } = interruption();
  const { workOn } = await import("../studies/queue/work.node.ts");
  const { out, err, status } = terminal;
  out(`${many(threads, "thread")} for sweeps of ${open.code.name} at ${withoutSecret(address)}`);
  try {
    const done = await workOn({
      ...open,
      threads,
      sweeps: SWEEPS,
      report: err,
      onDone: (pieces) => status(many(pieces, "piece")),
      stop,
    });
    out(`stopped after ${many(done, "piece")}`);
  } finally {
    open.connection.disconnect();
  }
  return EXIT.passed;
};
