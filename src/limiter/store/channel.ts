// Messages to all gateways of a fleet. A disconnected gateway misses messages, and nothing throws: each gateway also
// receives its own messages, and so notices if one is lost.
export interface Channel {
  /** Resolves to null when the subscription has begun, or to the reason why the store rejects the subscription. */
  readonly listen: (onMessage: (text: string) => void) => Promise<string | null>;
  /** False: there is no connection. */
  readonly publish: (text: string) => boolean;
  /** Opens a new connection, because messages are lost. */
  readonly renew: () => void;
  readonly close: () => Promise<void>; // no message is received afterwards
}
