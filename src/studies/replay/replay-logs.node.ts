// Reads logs in turns and replays their requests: the log whose times are earliest is read next, so that logs of
// several servers, and parts of a rotated log, become one sequence.
import { Failure, isFailure, requireValue } from "../../kit/reading/failure.ts";
import { ArrivalWindow, WINDOW_ROWS, type Arrivals, type RequestSink } from "./arrivals.ts";
import { readerFor, readFirst, type FoundReader } from "./found-reader.ts";
import { openLog, type LogBlock, type OpenLog } from "./line-blocks.node.ts";
import { LogFile, logTitle } from "./log-file.ts";
import type { NumberedPiece } from "./log-piece.ts";
import { isForThreads, readByThreads, USUAL_THREADS } from "./log-threads.node.ts";
import { canReopen, firstBytes, isParquet, whyUnread, type LogSource } from "./log-source.node.ts";
import { Replay, type ReplayQuestion } from "./replay.ts";
import { OtherFile, requestReader, type LogQuestion } from "./requests.ts";
import { RequestRuns, SortingError } from "./request-runs.node.ts";
import { formatOfRows, PARQUET_FORMAT, SQL_FORMAT } from "./row-format.ts";
import { MissingPart, openRows, type OpenRows } from "./rows.node.ts";

/** Which logs were read, and what is missing. */
export interface ReadingOutcome {
  readonly files: readonly LogFile[];
  /** Files in folders that were left out, and why. */
  readonly skipped: readonly string[];
  /** Those of `skipped` that are logs and could not be read, so that requests are missing. */
  readonly unread: readonly string[];
  /** Logs that could not be read to their ends. Their requests before that are decided. */
  readonly cut: readonly { readonly name: string; readonly why: string }[];
}

export interface ReplayOutcome extends ReadingOutcome {
  readonly replay: Replay;
}

/** Receives the requests of all logs in the order of arrival. */
export interface RequestConsumer {
  readonly decide: (arrivals: Arrivals) => void;
  /** Called after the last request. */
  readonly end: () => void;
}

export interface ReplayProgress {
  readonly isStopped: () => boolean;
  /** Resolves when the user stops the run, because standard input may wait endlessly for lines. */
  readonly stop: Promise<"stop">;
  readonly report: (lines: number) => void;
}

/** Sizes that change how logs are read, but not the result. */
export interface ReadingSize {
  readonly windowRows: number; // requests that are sorted in memory
  readonly threads: number;
  /** A log of at least this size is read by threads. */
  readonly threadsFromBytes: number;
}

const USUAL_SIZE: ReadingSize = {
  windowRows: WINDOW_ROWS,
  threads: USUAL_THREADS,
  threadsFromBytes: 1 << 25, // a smaller log would be read before another thread has started
};

/** Replays logs. `also` creates a second consumer of the same requests. */
export async function replayLogs(
  sources: readonly LogSource[],
  question: ReplayQuestion,
  progress: ReplayProgress,
  also: ((isWholeSeconds: boolean) => RequestConsumer) | null = null,
  size: Partial<ReadingSize> = {},
): Promise<ReplayOutcome | Failure> {
  let replay: Replay | null = null;
  const outcome = await readLogs(
    sources,
    question,
    (isWholeSeconds) => {
      replay = new Replay(question, isWholeSeconds);
      return also === null ? replay : consumeBoth(replay, also(isWholeSeconds));
    },
    progress,
    size,
  );
  return isFailure(outcome) ? outcome : { ...outcome, replay: replay! };
}

const consumeBoth = (first: RequestConsumer, second: RequestConsumer): RequestConsumer => ({
  decide(arrivals) {
    first.decide(arrivals);
    second.decide(arrivals);
  },
  end() {
    first.end();
    second.end();
  },
});

/**
 * Reads logs for the consumer that `start` creates once all logs are open. If a request is too late for the window to
 * sort, `start` creates a new consumer, and the logs are read again and sorted on disk. Logs that can be read only once
 * are sorted on disk unless all of their requests fit into the window.
 */
export async function readLogs(
  sources: readonly LogSource[],
  question: LogQuestion,
  start: (isWholeSeconds: boolean) => RequestConsumer,
  progress: ReplayProgress,
  size: Partial<ReadingSize> = {},
): Promise<ReadingOutcome | Failure> {
  const isInMemory = sources.every(canReopen);
  const logs = { sources, question, start, progress, ...USUAL_SIZE, ...size };
  const outcome = isInMemory ? await readInTurns(logs, null) : "late";
  if (outcome !== "late") return outcome;
  const runs = new RequestRuns(logs.windowRows, question.cost !== undefined);
  try {
    return (await readInTurns(logs, runs)) as ReadingOutcome | Failure; // runs accept every request
  } catch (error) {
    if (error instanceof SortingError) return new Failure(error.message);
    throw error;
  } finally {
    runs.close();
  }
}

interface LogsToRead extends ReadingSize {
  readonly sources: readonly LogSource[];
  readonly question: LogQuestion;
  readonly start: (isWholeSeconds: boolean) => RequestConsumer;
  readonly progress: ReplayProgress;
}

/** Returns "late" if a request is too late for the window, which cannot happen with `runs`. */
async function readInTurns(
  { sources, question, start, progress, ...size }: LogsToRead,
  runs: RequestRuns | null,
): Promise<ReadingOutcome | Failure | "late"> {
  const { isStopped, stop, report } = progress;
  const opened = await openAll(sources, question, stop);
  if (isFailure(opened)) return opened;
  const { logs, skipped, unread } = opened;
  const isWholeSeconds = logs.some(({ file }) => file.isWholeSeconds);
  for (const { file } of logs) file.isWholeSeconds = isWholeSeconds;
  const consumer = start(isWholeSeconds);
  // Threads read only a single log, because several logs are read in turns, block by block.
  const [alone] = logs.length === 1 ? logs : [];
  const isByThreads =
    size.threads > 1 && alone?.isPlain === true && isForThreads(alone.file, size.threadsFromBytes);
  if (isByThreads) {
    const { file, head } = alone;
    alone.open = () => Promise.resolve(readByThreads(file, head, question, size.threads, stop));
  }
  const window = new ArrivalWindow(
    (arrivals) => consumer.decide(arrivals),
    isWholeSeconds,
    size.windowRows,
    question.cost !== undefined,
  );
  const cut: { name: string; why: string }[] = [];
  let lines = 0;
  const open = [...logs];
  while (open.length > 0 && !isStopped()) {
    const log = open.reduce((a, b) => (b.file.turnUs < a.file.turnUs ? b : a));
    const before = log.file.lines;
    const next = await readNext(log, runs ?? window, stop);
    if (isFailure(next)) cut.push({ name: log.file.name, why: next.message });
    if (next !== "block") open.splice(open.indexOf(log), 1);
    lines += log.file.lines - before;
    report(lines);
    if (!log.file.isLate) continue;
    for (const { blocks } of open) await blocks?.return();
    return "late";
  }
  const wasStopped = isStopped(); // requests that were read before a stop are decided
  if (isByThreads) await alone.blocks?.return();
  await runs?.mergeInto(window, question, () => !wasStopped && isStopped());
  window.end();
  consumer.end();
  return { files: logs.map(({ file }) => file), skipped, unread, cut };
}

interface LogInTurn {
  readonly file: LogFile;
  readonly isPlain: boolean;
  readonly head: readonly Uint8Array[];
  /** Called only when the log is first read: a folder may have more files than a process may open. */
  open: () => Promise<AsyncGenerator<LogBlock | NumberedPiece, void, undefined>>;
  blocks: AsyncGenerator<LogBlock | NumberedPiece, void, undefined> | null;
}

async function readNext(
  log: LogInTurn,
  sink: RequestSink,
  stop: Promise<"stop">,
): Promise<"block" | "end" | Failure> {
  try {
    log.blocks ??= await log.open();
    const next = await Promise.race([log.blocks.next(), stop]);
    if (next === "stop") return "end";
    const { value, done } = next;
    if (done === true) {
      log.file.end(sink);
      return "end";
    }
    if ("longLine" in value) log.file.skipLongLine(value.longLine);
    else if ("piece" in value) log.file.addPiece(value, sink);
    else {
      const failure = log.file.readBlock(value, sink);
      if (failure !== null) return failure;
    }
    return "block";
  } catch (error) {
    if (error instanceof SortingError) throw error;
    return new Failure(whyUnread(error));
  }
}

type OpenedLogs = Pick<ReadingOutcome, "skipped" | "unread"> & {
  readonly logs: readonly LogInTurn[];
};

async function openAll(
  sources: readonly LogSource[],
  question: LogQuestion,
  stop: Promise<"stop">,
): Promise<OpenedLogs | Failure> {
  const logs: LogInTurn[] = [];
  const skipped: string[] = [];
  const unread: string[] = [];
  const problems: string[] = [];
  for (const source of sources) {
    const log = await openOne(source, question, stop);
    if (log instanceof MissingPart) return log;
    if (!isFailure(log)) {
      logs.push(log);
      continue;
    }
    const problem = `${logTitle(source.name)}: ${log.message}`;
    (source.isFromFolder ? skipped : problems).push(problem);
    if (source.isFromFolder && !(log instanceof OtherFile)) unread.push(problem);
  }
  if (problems.length > 0) return new Failure(...problems);
  return logs.length > 0 ? { logs, skipped, unread } : new Failure(...skipped);
}

async function openOne(
  source: LogSource,
  question: LogQuestion,
  stop: Promise<"stop">,
): Promise<LogInTurn | Failure> {
  let log;
  try {
    log = await openSource(source, stop);
  } catch (error) {
    return new Failure(whyUnread(error));
  }
  if (isFailure(log)) return log;
  const found = "columns" in log ? rowReader(log, source, question) : readerFor(log.head, question);
  const isReadOnce = !canReopen(source);
  if (isFailure(found) || !isReadOnce) await log.close();
  if (isFailure(found)) return found;
  const { format, reader } = found;
  return {
    file: new LogFile(source.name, format, question, reader),
    isPlain: log.isPlain,
    head: log.head,
    open: async () => requireValue(await openSource(source, stop, reader.columns)).blocks,
    blocks: isReadOnce ? log.blocks : null,
  };
}

/** Opens a SELECT or a Parquet file as rows, and any other log as lines. */
function openSource(
  source: LogSource,
  stop: Promise<"stop">,
  columns: readonly string[] | null = null,
): Promise<OpenLog | OpenRows | Failure> {
  const { name, sql } = source;
  if (sql !== undefined) return openRows({ sql }, stop, columns);
  return canReopen(source) && isParquet(firstBytes(name))
    ? openRows({ file: name }, stop, columns)
    : openLog(name);
}

function rowReader(
  { columns, head }: OpenRows,
  { sql }: LogSource,
  question: LogQuestion,
): FoundReader | Failure {
  if (head.length === 0) return new OtherFile("it has no rows");
  const own = sql === undefined ? PARQUET_FORMAT : SQL_FORMAT;
  const format = formatOfRows(own, columns, question.format);
  const reader = requestReader(format, question, head);
  if (isFailure(reader)) return reader;
  return readFirst(reader, head, question)
    ? { format, reader }
    : new Failure(
        `its first rows have no time that can be read, such as in ${JSON.stringify(new TextDecoder().decode(head[0]!.subarray(0, LONGEST_ROW)))}; give it as a timestamp, such as by --sql "SELECT strptime(at, '%d-%m-%Y %H:%M:%S') AS time, ip FROM ..."`,
      );
}

const LONGEST_ROW = 80;
