// Sends the body of a request as it arrives, but no faster than the upstream reads it.
import type { Socket } from "node:net";
import type { Readable } from "node:stream";
import { UpstreamFailure } from "./exchange.node.ts";
import { withFraming, type RequestHead } from "./request-head.ts";

interface UploadOptions {
  readonly socket: Socket;
  readonly body: Readable;
  readonly head: RequestHead;
  readonly onSent: () => void;
  readonly onFailure: (error: Error) => void;
}

export class Upload {
  readonly #options: UploadOptions;
  #sent = 0; // bytes of the body that were sent
  #isOver = false;

  constructor(options: UploadOptions) {
    this.#options = options;
    options.body
      .on("data", this.#onData)
      .on("end", this.#onEnd)
      .on("close", this.#onClose)
      .on("error", this.#onClose);
  }

  /** Continues after a pause, when the socket accepts bytes again. */
  resume(): void {
    if (!this.#isOver) this.#options.body.resume();
  }

  /** Stops; the rest of the body is not sent. */
  stop(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#options.body.destroy();
  }

  readonly #onData = (chunk: Buffer): void => {
    if (this.#isOver || chunk.length === 0) return;
    const { socket, body, head } = this.#options;
    const { declared } = head;
    if (declared !== null && this.#sent + chunk.length > declared) {
      this.#fail("The body of the request is longer than declared"); // the upstream would read the rest as a request
      return;
    }
    socket.cork();
    if (this.#sent === 0) socket.write(withFraming(head, declared), "latin1");
    if (declared === null) socket.write(`${chunk.length.toString(16)}\r\n`, "latin1");
    this.#sent += chunk.length;
    const hasRoom = socket.write(chunk);
    if (declared === null) socket.write("\r\n", "latin1");
    socket.uncork();
    if (!hasRoom) body.pause();
  };

  readonly #onEnd = (): void => {
    if (this.#isOver) return;
    const { socket, head, onSent } = this.#options;
    if (head.declared !== null && this.#sent !== head.declared) {
      this.#fail("The body of the request is shorter than declared");
      return;
    }
    this.#isOver = true;
    if (this.#sent === 0) socket.write(withFraming(head, 0), "latin1");
    else if (head.declared === null) socket.write("0\r\n\r\n", "latin1");
    onSent();
  };

  readonly #onClose = (): void => {
    if (!this.#isOver) this.#fail("The body of the request is incomplete");
  };

  #fail(message: string): void {
    this.stop();
    this.#options.onFailure(new UpstreamFailure("INVALID", message));
  }
}
