// What a primary process and its workers say to each other. Each asks and answers by a number of its own.

export type ToWorker<Payload> =
  | { readonly kind: "start" | "reload"; readonly payload: Payload }
  | { readonly kind: "drain" | "stop" }
  | Asked
  | Answered;

export type ToPrimary =
  | { readonly kind: "ready" }
  | { readonly kind: "failed"; readonly sentence: string } // to start
  | Asked
  | Answered;

export interface Asked {
  readonly kind: "ask";
  readonly id: number;
  readonly question: unknown;
}

export interface Answered {
  readonly kind: "answer";
  readonly id: number;
  readonly answer: unknown;
}

/** Questions that wait for their answers. */
export interface Inquiry {
  readonly ask: (question: unknown, send: (asked: Asked) => void) => Promise<unknown>;
  readonly hear: (answered: Answered) => void;
  /** Nobody is there any more who could answer: each that waits gets null. */
  readonly giveUp: () => void;
}

export function inquiry(): Inquiry {
  const waiting = new Map<number, (answer: unknown) => void>();
  let last = 0;
  return {
    ask: (question, send) =>
      new Promise((resolve) => {
        const id = ++last;
        waiting.set(id, resolve);
        send({ kind: "ask", id, question });
      }),
    hear: ({ id, answer }) => {
      waiting.get(id)?.(answer);
      waiting.delete(id);
    },
    giveUp: () => {
      for (const resolve of waiting.values()) resolve(null);
      waiting.clear();
    },
  };
}
