// Settings that are sound one by one: what is wrong with them together, and what is worth a thought.
import { line, type InForce } from "./read.ts";
import type { Settings } from "./table.ts";

export function wrongTogether(settings: Settings, { origins }: InForce): readonly string[] {
  const { workers, "store.url": store, "store.tls_cert": cert, "store.tls_key": key } = settings;
  const found: string[] = [];
  if (workers > 1 && store === "memory") {
    const message = `${workers} workers would each count in a memory of their own and multiply every limit by ${workers}`;
    const fix = "set store.url to a store that they share, such as redis://127.0.0.1:6379";
    found.push(line(origins.workers.words, "SET-TOGETHER", message, fix));
  }
  if ((cert === null) !== (key === null)) {
    const there = cert === null ? "store.tls_key" : "store.tls_cert";
    const message = "a certificate for the store and its key are needed both, or none of them";
    found.push(line(origins[there].words, "SET-TOGETHER", message));
  }
  return found;
}

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|::1|localhost)$/;

export function doubtful(
  { "admin.host": host }: Settings,
  { origins }: InForce,
): readonly string[] {
  if (LOOPBACK.test(host)) return [];
  const message = `the admin listener is at ${host}, and its secret crosses the network unencrypted`;
  const fix = "keep it on 127.0.0.1, or let only a network that you trust reach it";
  return [line(origins["admin.host"].words, "SET-OPEN-ADMIN", message, fix)];
}
