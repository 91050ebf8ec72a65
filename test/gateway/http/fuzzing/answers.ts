// What a client makes of the bytes that a gateway answers.

interface ReadAnswer {
  readonly status: number;
  readonly read: string | null; // how the upstream has read the request
}

export interface ReadAnswers {
  readonly answers: readonly ReadAnswer[];
  readonly rest: string;
  readonly broken: string | null; // the text in the place of a response
}

/** Final answers, in their order; those to a HEAD have no body. Preliminary ones are passed over. */
export function answersIn(text: string, methods: readonly string[]): ReadAnswers {
  const answers: ReadAnswer[] = [];
  let at = 0;
  for (;;) {
    const end = text.indexOf("\r\n\r\n", at);
    if (end < 0) return { answers, rest: text.slice(at), broken: null };
    const head = text.slice(at, end);
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]);
    if (Number.isNaN(status)) return { answers, rest: "", broken: head };
    if (status < 200) {
      at = end + 4;
      continue;
    }
    const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
    const hasBody = methods[answers.length] !== "HEAD" && status !== 204;
    const next = end + 4 + (hasBody ? length : 0);
    if (next > text.length) return { answers, rest: text.slice(at), broken: null };
    answers.push({ status, read: /^x-read: (.*)$/im.exec(head)?.[1] ?? null });
    // A rejection of the message has a body, whatever the method was; no response follows it.
    if (/^connection: close$/im.test(head)) return { answers, rest: "", broken: null };
    at = next;
  }
}
