// Loaded into every process of a benchmark by NODE_OPTIONS, this makes `weir serve` spend so many microseconds more on each
// request, and leaves all others alone.
import { subscribe } from "node:diagnostics_channel";

const spendUs = Number(process.env["SLOWER_US"]);

/** A loop and not a clock: what waits while another process has the core has not spent anything. */
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

if (process.argv[2] === "serve" && spendUs > 0) {
  const rounds = Math.round(spendUs * roundsInAMicrosecond());
  subscribe("http.server.request.start", () => void spend(rounds));
}
