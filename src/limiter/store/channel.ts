// Messages that all gateways of a fleet receive. A gateway that is away misses them, and nothing throws: a gateway
// finds that a message was lost because it does not receive its own.
export interface Channel {
  /** Null once all later messages are received; the reason, if the store rejects the subscription. */
  readonly listen: (onMessage: (text: string) => void) => Promise<string | null>;
  /** False: there is no connection to publish over. */
  readonly publish: (text: string) => boolean;
  /** Messages are lost: tries a new connection. */
  readonly renew: () => void;
  readonly close: () => Promise<void>; // after the last message
}
