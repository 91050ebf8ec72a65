// Loaded before a gateway, as slower.node.ts?us=20, this makes each request cost that many microseconds more.
import { subscribe } from "node:diagnostics_channel";

const spendUs = Number(new URL(import.meta.url).searchParams.get("us"));

/** A loop and not a clock: waiting while another process has the core costs no processor time. */
function spend(rounds: number): number {
  let mixed = 1;
  for (let i = 0; i < rounds; i++) mixed = Math.imul(mixed ^ i, 0x9e3779b1);
  return mixed;
}

function roundsInAMicrosecond(): number {
  spend(1_000_000);
  const rounds = 10_000_000;
  const before = process.cpuUsage();
  spend(rounds);
  const { user, system } = process.cpuUsage(before);
  return rounds / (user + system);
}

const rounds = Math.round(spendUs * roundsInAMicrosecond());
subscribe("http.server.request.start", () => void spend(rounds));
