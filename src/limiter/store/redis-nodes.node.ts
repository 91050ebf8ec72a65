// In a cluster one node may be unreachable while others respond. Without a state for each node, all requests to a lost
// node would wait for the time-out, and every reply of another node would look like a recovery. So after five failures
// in a row a node gets one probe a second, and no request waits for it.
import { FAILURES_UNTIL_OPEN, PROBE_EVERY_US } from "../core/health.ts";
import { hasFailed, type StoreResult, type StoreFailure, type StoreOp } from "../core/store.ts";
import { toMilliseconds } from "../../kit/units.ts";
import type { RemoteStore } from "./remote.ts";

const LOST: StoreFailure = { failed: "lost" };

interface Node {
  failures: number; // in a row
  nextProbeMs: number;
}

type SendOperation = RemoteStore["send"];

/** `refreshSlots`: reads the map of slots again, because slots may have moved to other nodes. */
export function sendByNode(
  send: SendOperation,
  nodeOf: (op: StoreOp) => string,
  refreshSlots: () => void,
): SendOperation {
  const nodes = new Map<string, Node>();

  const nodeAt = (name: string): Node => {
    let node = nodes.get(name);
    if (node === undefined) nodes.set(name, (node = { failures: 0, nextProbeMs: 0 }));
    return node;
  };

  const recordReply = (node: Node, answer: StoreResult): void => {
    if (!hasFailed(answer)) {
      node.failures = 0;
      return;
    }
    node.failures++;
    if (isLost(node)) refreshSlots();
    if (node.failures === FAILURES_UNTIL_OPEN) node.nextProbeMs = probeDueMs();
  };

  return (op, timeoutUs, onReply) => {
    const node = nodeAt(nodeOf(op));
    if (!isLost(node)) {
      send(op, timeoutUs, (answer) => {
        const wasLost = isLost(node);
        recordReply(node, answer);
        onReply(wasLost && hasFailed(answer) ? LOST : answer);
      });
      return;
    }
    setImmediate(onReply, LOST);
    if (op.op !== "take" || performance.now() < node.nextProbeMs) return;
    node.nextProbeMs = probeDueMs();
    send({ ...op, intent: "evaluate" }, timeoutUs, (answer) => recordReply(node, answer));
  };
}

const isLost = ({ failures }: Node): boolean => failures >= FAILURES_UNTIL_OPEN;
const probeDueMs = (): number => performance.now() + toMilliseconds(PROBE_EVERY_US);

const SLOTS = 16_384;

/** The slot of a key: the CRC16 of the text in its first braces, as clusters define it. */
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
