// A target sends requests at planned times. The send and receive times of a response bound the time of its decision.

/** The sender of requests: which of two credentials, addresses and paths it uses. */
export interface ProbeSender {
  readonly credential: 0 | 1;
  readonly address: 0 | 1;
  readonly path: 0 | 1;
}

export const FIRST_SENDER: ProbeSender = { credential: 0, address: 0, path: 0 };

export const isFirstSender = ({ sender: { credential, address, path } }: ProbeGroup): boolean =>
  credential + address + path === 0;

/** Requests of one sender, all sent at one time or at even distances. */
export interface ProbeGroup {
  readonly atUs: number; // of the first request, by the target's `nowUs`
  readonly count: number;
  readonly everyUs: number; // 0: all at one time
  readonly sender: ProbeSender;
  readonly patienceUs?: number; // how long to wait for a response, if shorter than the target's
}

/** The values that one response announces; a missing value is null, never 0. */
export interface Announced {
  readonly limit: number | null;
  readonly remaining: number | null;
  readonly waitUs: number | null; // wait announced by a refusal, from the response on
  readonly resetUs: number | null; // time until a reset, from the response on
}

export const NOTHING_ANNOUNCED: Announced = {
  limit: null,
  remaining: null,
  waitUs: null,
  resetUs: null,
};

export interface ProbeResponse {
  readonly sentUs: number;
  readonly receivedUs: number; // of a lost response: when the client stopped waiting
  /** `other`: an error that neither admits nor refuses. `lost`: no response. */
  readonly outcome: "admitted" | "refused" | "other" | "lost";
  readonly status: number;
  readonly announced: Announced;
}

export interface ProbedGroup extends ProbeGroup {
  readonly responses: readonly ProbeResponse[];
}

export interface ProbeTarget {
  /** Microseconds since 1970 by the clock of the client. */
  readonly nowUs: () => number;
  /** Sends every group at its time. Resolves when all responses arrived or were given up. */
  readonly send: (groups: readonly ProbeGroup[]) => Promise<readonly ProbedGroup[]>;
  /** How long to wait for a response. */
  readonly patienceUs: number;
}

/** A group of the first sender. */
export const groupAt = (atUs: number, count: number, everyUs = 0): ProbeGroup => ({
  atUs,
  count,
  everyUs,
  sender: FIRST_SENDER,
});

export interface FailingTarget extends ProbeTarget {
  /** Why the latest request got no response, as a phrase beginning with a verb; null: it got one. */
  readonly failure: () => string | null;
}

export const countOf = (
  group: Pick<ProbedGroup, "responses">,
  outcome: ProbeResponse["outcome"],
): number => group.responses.filter((each) => each.outcome === outcome).length;
