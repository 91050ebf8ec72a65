import type { Tone } from "../kit/reading/legible.ts";
import { whyUnreadable } from "../kit/reading/text-file.node.ts";
import { EXIT } from "./exit.ts";
import type { Terminal } from "./terminal.ts";

/** What switches it on, and off again. By hand: to load what could do it takes longer than help may take. */
const STYLES = {
  good: [32, 39],
  bad: [31, 39],
  doubtful: [33, 39],
  faint: [2, 22],
  strong: [1, 22],
} as const satisfies Record<Tone, readonly [number, number]>;

const paintText = (tone: Tone, text: string): string => {
  const [on, off] = STYLES[tone];
  return `\u001B[${on}m${text}\u001B[${off}m`;
};

/** NO_COLOR counts when it is not empty; FORCE_COLOR paints into a pipe. The option is the last word. */
function isColoured(args: readonly string[], { stdout }: Streams): boolean {
  const { NO_COLOR: no = "", FORCE_COLOR: force = "", TERM: term } = process.env;
  if (args.includes("--no-color") || no !== "") return false;
  return force === "" ? stdout.isTTY && term !== "dumb" : force !== "0";
}

const USUAL_COLUMNS = 80;

/** What a shell reports of a command that SIGPIPE ended, which is the usual end of one whose reader has left. */
const UNREAD = 141;

const CLEARED = "\r\u001B[2K";

/** The one that the process itself has, and who may decide how it ends. */
export interface OwnTerminal extends Terminal {
  /** From here on the reader may close the stream, and the work continues: it has other results than its output. */
  readonly goOnUnread: () => void;
}

/** Where its lines go: the streams of the process, or what a test reads. */
interface Streams {
  readonly stdout: Stream;
  readonly stderr: Stream;
}

export interface Stream {
  readonly isTTY: boolean;
  readonly columns: number;
  readonly write: (text: string) => unknown;
  readonly on: (event: "error", listener: (error: NodeJS.ErrnoException) => void) => this;
}

/** Streams are only opened for output: opening one takes a while. */
export function terminal(args: readonly string[], streams: Streams = process): OwnTerminal {
  let endsUnread = true;
  const opened = new Set<Stream>();
  const open = (stream: Stream): Stream => {
    if (opened.has(stream)) return stream;
    opened.add(stream);
    // A reader may close the stream early (`weir list | head`): then output ends. A gateway whose
    // messages have no reader or no space any more continues to serve.
    return stream.on("error", (error: NodeJS.ErrnoException) => {
      const isUnread = error.code === "EPIPE";
      const why = isUnread ? "" : whyUnreadable(error);
      if (stream !== streams.stdout || !endsUnread) return;
      // What had been done by then has its own exit code, and the rest is not wanted.
      if (isUnread) process.exit(process.exitCode ?? UNREAD);
      streams.stderr.write(`weir: stdout: ${why}; the output is incomplete\n`);
      process.exit(EXIT.usage);
    });
  };
  const { CI: ci, TERM: term } = process.env;
  const isWatched = (): boolean =>
    streams.stderr.isTTY && streams.stdout.isTTY && ci === undefined && term !== "dumb";
  let coloured: boolean | undefined;
  let hasStatus = false;
  const line = (stream: Stream, text: string): void => {
    if (hasStatus) streams.stderr.write(CLEARED);
    hasStatus = false;
    open(stream).write(`${text}\n`);
  };
  return {
    goOnUnread: () => {
      endsUnread = false;
    },
    out: (text) => line(streams.stdout, text),
    err: (text) => line(streams.stderr, text),
    status: (text) => {
      if (!isWatched()) return;
      open(streams.stderr).write(`${CLEARED}${text.slice(0, streams.stderr.columns - 1)}`);
      hasStatus = true;
    },
    get isWatched() {
      return isWatched();
    },
    get columns() {
      return streams.stdout.isTTY ? streams.stdout.columns : USUAL_COLUMNS;
    },
    get tableColumns() {
      return streams.stdout.isTTY ? streams.stdout.columns : Number.POSITIVE_INFINITY;
    },
    paint: (tone, text) => {
      coloured ??= isColoured(args, streams);
      return coloured ? paintText(tone, text) : text;
    },
  };
}
