import type { Tone } from "../kit/reading/legible.ts";
import { whyUnreadable } from "../kit/reading/text-file.node.ts";
import { EXIT } from "./exit.ts";
import type { Terminal } from "./terminal.ts";

/** ANSI codes that switch a style on and off. Written by hand, because loading a library would delay help. */
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

/** A non-empty NO_COLOR disables colours, and FORCE_COLOR enables them in a pipe. The flag overrides both. */
function isColoured(args: readonly string[], { stdout }: Streams): boolean {
  const { NO_COLOR: no = "", FORCE_COLOR: force = "", TERM: term } = process.env;
  if (args.includes("--no-color") || no !== "") return false;
  return force === "" ? stdout.isTTY && term !== "dumb" : force !== "0";
}

const USUAL_COLUMNS = 80;

/** The exit code that a shell reports for a command that SIGPIPE ended. */
const UNREAD = 141;

const CLEARED = "\r\u001B[2K";

/** The terminal of this process. A command can let the process continue after the reader of its output ends. */
export interface OwnTerminal extends Terminal {
  /** For a command with other results: after this call, it continues even if the reader closes the stream. */
  readonly goOnUnread: () => void;
}

/** The streams of the process, or replacements that a test reads. */
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

/** Streams are opened on first output, because opening one takes a while. */
export function terminal(args: readonly string[], streams: Streams = process): OwnTerminal {
  let endsUnread = true;
  const opened = new Set<Stream>();
  const open = (stream: Stream): Stream => {
    if (opened.has(stream)) return stream;
    opened.add(stream);
    // If the reader of stdout closes the stream early (`weir list | head`), the process ends. Errors of stderr are
    // ignored, so a gateway serves even if its messages have no reader or the disk is full.
    return stream.on("error", (error: NodeJS.ErrnoException) => {
      const isUnread = error.code === "EPIPE";
      const why = isUnread ? "" : whyUnreadable(error);
      if (stream !== streams.stdout || !endsUnread) return;
      // If the command has already set its exit code, that code is kept.
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
