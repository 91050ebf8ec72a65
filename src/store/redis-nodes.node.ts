// In a cluster one node may be away while the others answer. Whoever asks it would wait for the time-out each
// time, and each answer of another node would look like its return. So each node has a state of its own: five
// failures in a row, and it is not asked any more but for one probe a second, for which nobody waits.
import { FAILURES_UNTIL_OPEN, PROBE_EVERY_US } from "../core/health.ts";
import { hasFailed, type StoreResult, type StoreFailure, type StoreOp } from "../core/store.ts";
import { toMilliseconds } from "../core/units.ts";
import type { RemoteStore } from "./remote.ts";

const LOST: StoreFailure = { failed: "lost" };

interface Node {
  failures: number; // in a row
  nextProbeMs: number;
}

type Ask = RemoteStore["ask"];

/** `lookAgain`: who holds what may have changed. */
export function askByNode(ask: Ask, nodeOf: (op: StoreOp) => string, lookAgain: () => void): Ask {
  const nodes = new Map<string, Node>();

  const nodeAt = (name: string): Node => {
    let node = nodes.get(name);
    if (node === undefined) nodes.set(name, (node = { failures: 0, nextProbeMs: 0 }));
    return node;
  };

  const note = (node: Node, answer: StoreResult): void => {
    if (!hasFailed(answer)) {
      node.failures = 0;
      return;
    }
    node.failures++;
    if (isLost(node)) lookAgain();
    if (node.failures === FAILURES_UNTIL_OPEN) node.nextProbeMs = soon();
  };

  return (op, timeoutUs, hear) => {
    const node = nodeAt(nodeOf(op));
    if (!isLost(node)) {
      ask(op, timeoutUs, (answer) => {
        const wasLost = isLost(node);
        note(node, answer);
        hear(wasLost && hasFailed(answer) ? LOST : answer);
      });
      return;
    }
    setImmediate(hear, LOST);
    if (op.op !== "take" || performance.now() < node.nextProbeMs) return;
    node.nextProbeMs = soon();
    ask({ ...op, intent: "evaluate" }, timeoutUs, (answer) => note(node, answer));
  };
}

const isLost = ({ failures }: Node): boolean => failures >= FAILURES_UNTIL_OPEN;
const soon = (): number => performance.now() + toMilliseconds(PROBE_EVERY_US);

const SLOTS = 16_384;

/** Of what stands between the first braces: CRC16 as a cluster counts it. */
export function slotOf(key: string): number {
  const from = key.indexOf("{");
  const to = key.indexOf("}", from + 1);
  const tag = from >= 0 && to > from + 1 ? key.slice(from + 1, to) : key;
  let crc = 0;
  for (const byte of Buffer.from(tag)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return crc % SLOTS;
}
