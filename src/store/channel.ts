// What all gateways of a fleet hear. Nothing is kept for whoever is away, and nothing is thrown: what did not
// get through is known by not hearing it oneself.
export interface Channel {
  /** Null once whatever is said from now on is heard; a text where listening is refused, which says why. */
  readonly listen: (hear: (text: string) => void) => Promise<string | null>;
  /** False: there is no connection to say it over. */
  readonly say: (text: string) => boolean;
  /** What is said does not come through: to be tried over a new connection. */
  readonly renew: () => void;
  readonly close: () => Promise<void>; // after what was said last
}
