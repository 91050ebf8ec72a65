// A client on a busy machine: its requests leave later than planned, and its responses are read later than they arrive.
import type { Rng } from "#src/kit/chance/rng.ts";
import type { ProbeTarget } from "#src/studies/identify/target.ts";

export const createBusyClient = (target: ProbeTarget, mostUs: number, random: Rng): ProbeTarget => {
  const lateUs = (): number => Math.round(mostUs * random.next() ** 2);
  return {
    ...target,
    send: async (groups) => {
      const planned = groups.toSorted((a, b) => a.atUs - b.atUs);
      let freeUs = target.nowUs();
      const late = planned.map((group) => {
        freeUs = Math.max(freeUs, group.atUs) + lateUs();
        return { ...group, atUs: freeUs };
      });
      const probed = await target.send(late);
      return probed.map(({ responses, ...group }, index) => ({
        ...group,
        atUs: planned[index]!.atUs,
        responses: responses.map((each) => ({ ...each, receivedUs: each.receivedUs + lateUs() })),
      }));
    },
  };
};
