// The most memory, in MiB, of a replay of many lines, or of lines of many clients. They are generated meanwhile, so that no
// file is needed.
import { micros } from "../../src/kit/units.ts";
import { requireValue } from "../../src/kit/reading/failure.ts";
import { ArrivalWindow } from "../../src/studies/replay/arrivals.ts";
import { LogFile } from "../../src/studies/replay/log-file.ts";
import { NameTable } from "../../src/studies/replay/names.ts";
import { Replay, type ReplayQuestion } from "../../src/studies/replay/replay.ts";
import { requestReader } from "../../src/studies/replay/requests.ts";
import { parseKey } from "../../src/studies/replay/selectors.ts";
import { formatOfText } from "../../src/studies/replay/text-formats.ts";
import { DEFAULT_OPTIONS } from "../../src/limiter/world/options.ts";
import { printValue, readInput } from "../program.node.ts";
import { LOG_FORMAT, logBlocks, type LogSize } from "./lines.ts";

const NEWLINE = 10;
const { lines, clients } = readInput() as LogSize;
const question: ReplayQuestion = {
  candidates: [
    {
      kind: "limit",
      limit: { rate: 10, perUs: micros(60_000_000) },
      by: { kind: "algorithm", name: "token_bucket" },
      options: { ...DEFAULT_OPTIONS, algorithm: "token_bucket" },
    },
  ],
  key: requireValue(parseKey("ip")),
  conditions: [],
  clients: new NameTable(),
  targets: null,
  format: requireValue(formatOfText(LOG_FORMAT)),
  seed: 1,
  retries: null,
};
let log: LogFile | null = null;
const replay = new Replay(question, false);
const window = new ArrivalWindow((arrivals) => replay.decide(arrivals), false);
for (const bytes of logBlocks({ lines, clients, isEven: true })) {
  log ??= openLog(bytes.subarray(0, bytes.indexOf(NEWLINE)));
  log.readBlock({ bytes, indexOfNewline: (from) => bytes.indexOf(NEWLINE, from) }, window);
}
window.end();
replay.end();
if (replay.requests !== lines || question.clients.count !== clients)
  throw new Error(`${replay.requests} requests of ${question.clients.count} clients`);
printValue(process.resourceUsage().maxRSS / 1024);

function openLog(line: Buffer): LogFile {
  const reader = requireValue(requestReader(question.format!, question, [line]));
  return new LogFile("generated", question.format!, question, reader);
}
