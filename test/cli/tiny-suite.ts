/** Of weir bench: two cells, of which each repeat takes a moment. */
export const TINY_SUITE = `id: tiny
title: Two cells
about: As little as can be measured.
base: { algorithm: fixed_window, store: memory, demand: 0.5, keys: one, connections: 2, load_model: closed }
vary: { demand: [2] }
key_count: 10
per: 50ms
duration: 200ms
warm_up: 100ms
repeats: 2
`;
