// The messages between a primary process and its workers. Each side numbers its own requests.

export type ToWorker<Payload> =
  | { readonly kind: "start" | "reload"; readonly payload: Payload }
  | { readonly kind: "drain" | "stop" }
  | RequestMessage
  | ResponseMessage;

export type ToPrimary =
  | { readonly kind: "ready" }
  | { readonly kind: "failed"; readonly sentence: string } // the worker cannot start
  | RequestMessage
  | ResponseMessage;

interface RequestMessage {
  readonly kind: "request";
  readonly id: number;
  readonly request: unknown;
}

interface ResponseMessage {
  readonly kind: "response";
  readonly id: number;
  readonly response: unknown;
}

/** The requests that one side has sent and that have no response yet. */
export interface PendingRequests {
  readonly send: (question: unknown, send: (asked: RequestMessage) => void) => Promise<unknown>;
  readonly receive: (answered: ResponseMessage) => void;
  /** Resolves each pending request to null, because the other side has ended. */
  readonly giveUp: () => void;
}

export function createPendingRequests(): PendingRequests {
  const waiting = new Map<number, (answer: unknown) => void>();
  let last = 0;
  return {
    send: (request, send) =>
      new Promise((resolve) => {
        const id = ++last;
        waiting.set(id, resolve);
        send({ kind: "request", id, request });
      }),
    receive: ({ id, response }) => {
      waiting.get(id)?.(response);
      waiting.delete(id);
    },
    giveUp: () => {
      for (const resolve of waiting.values()) resolve(null);
      waiting.clear();
    },
  };
}
