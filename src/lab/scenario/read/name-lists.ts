// Names that a file defines. References to them are checked even if other parts of the file have errors.

/** `isComplete` is false if names may be missing, because a part of the file could not be read. */
export interface NameList {
  readonly names: readonly string[];
  readonly isComplete: boolean;
}

export const NO_NAMES_READ: NameList = { names: [], isComplete: false };

/** A part is undefined if it could not be read. */
export const nameListOf = (parts: readonly (readonly string[] | undefined)[]): NameList => ({
  names: parts.flatMap((names) => names ?? []),
  isComplete: parts.every((names) => names !== undefined),
});

export const joinNames = (...lists: readonly NameList[]): NameList => ({
  names: lists.flatMap(({ names }) => names),
  isComplete: lists.every(({ isComplete }) => isComplete),
});

export interface TrafficNames {
  readonly flows: NameList;
  readonly clients: NameList; // names in `as`
  readonly endpoints: NameList; // such as "GET /orders"
  readonly stages: NameList;
  readonly calls: NameList;
  /** Each key that a flow names, with the index of the flow in the traffic. */
  readonly senders: readonly { readonly key: string; readonly item: number }[];
}

export interface WorldNames {
  readonly keys: NameList; // by the name that traffic uses
  readonly keyIds: NameList;
  readonly apis: NameList; // by id
}

export const NO_TRAFFIC_READ: TrafficNames = {
  flows: NO_NAMES_READ,
  clients: NO_NAMES_READ,
  endpoints: NO_NAMES_READ,
  stages: NO_NAMES_READ,
  calls: NO_NAMES_READ,
  senders: [],
};

export const NO_WORLD_READ: WorldNames = {
  keys: NO_NAMES_READ,
  keyIds: NO_NAMES_READ,
  apis: NO_NAMES_READ,
};
