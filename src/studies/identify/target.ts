// What identification needs of a target: requests go out at planned times, and responses are known to a span of time.

/** The client of a request: which of two credentials, addresses and paths it uses. */
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
  readonly atUs: number; // by the clock of the target port
  readonly count: number;
  readonly everyUs: number; // 0: all at one time
  readonly sender: ProbeSender;
  readonly patienceUs?: number; // a response is given up sooner than by the target
}

/** What one response announces. A value that it does not have is null, and never 0. */
export interface Announced {
  readonly limit: number | null;
  readonly remaining: number | null;
  readonly waitUs: number | null; // of a refusal: from the response on
  readonly resetUs: number | null; // from the response on
}

export const NOTHING_ANNOUNCED: Announced = {
  limit: null,
  remaining: null,
  waitUs: null,
  resetUs: null,
};

export interface ProbeResponse {
  readonly sentUs: number;
  readonly receivedUs: number; // of a lost one: when it was given up
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
  /** Sends every group at its time, and returns when all responses are there, or are given up. */
  readonly send: (groups: readonly ProbeGroup[]) => Promise<readonly ProbedGroup[]>;
  /** After so long a response is given up. */
  readonly patienceUs: number;
}

export interface FailingTarget extends ProbeTarget {
  /** Why the last request got no response, beginning with a verb; null: all got one. */
  readonly failure: () => string | null;
}

export const countOf = (
  group: Pick<ProbedGroup, "responses">,
  outcome: ProbeResponse["outcome"],
): number => group.responses.filter((each) => each.outcome === outcome).length;
