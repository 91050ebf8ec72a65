// Wrong scripts for Redis: `weir mutants --redis` has to kill each of them.
import type { ScriptMutant } from "#src/studies/mutants/script-mutant.ts";

type Parts = Omit<ScriptMutant, "file" | "name" | "breaks">;

const inFile =
  (file: ScriptMutant["file"]) =>
  (name: string, breaks: readonly string[], parts: Parts): ScriptMutant => ({
    name: `${file}/${name}`,
    breaks,
    file,
    ...parts,
  });

const singleCounts = inFile("single-counts");
const singleRows = inFile("single-rows");
const counts = inFile("counts");
const frame = inFile("frame");
const logs = inFile("logs");
const records = inFile("records");
const stamps = inFile("stamps");

export const scriptMutants: readonly ScriptMutant[] = [
  counts("drops-the-expiry", ["ALG-8"], {
    about: "the second request of a window drops the expiry of its count",
    text: "call('SETRANGE', key, '0', value)",
    by: "call('SET', key, value)",
  }),
  counts("never-expires", ["ALG-8"], {
    about: "the count of a new window never expires",
    text: "call('SET', key, value, 'PX', 2 * keep)",
    by: "call('SET', key, value)",
  }),
  counts("expires-within-its-window", ["ALG-8", "LIM-1"], {
    about: "a count expires before its window ends",
    text: "call('SET', key, value, 'PX', 2 * keep)",
    by: "call('SET', key, value, 'PX', math.floor(keep / 2))",
  }),
  counts("window-holds-its-end", ["ALG-C3"], {
    about: "a window still counts at the instant at which it ends",
    text: "local isOpen = at < starts[record] + per",
    by: "local isOpen = at <= starts[record] + per",
  }),
  counts("never-by-the-clock", ["ALG-C3"], {
    about: "a window of the clock starts with its first request",
    text: "level.startsAtClock and at - fmod(at, per) or at",
    by: "at",
  }),
  counts("wait-of-the-last-level", ["HDR-C1"], {
    about: "the wait is that of the last level that refuses, not the longest",
    text: "longest = max(longest, wait)",
    by: "longest = wait",
  }),
  singleCounts("drops-the-expiry", ["ALG-8"], {
    about: "the second request of a window drops the expiry of its count",
    text: "call('SETRANGE', key, '0', pack(form, start, count))",
    by: "call('SET', key, pack(form, start, count))",
  }),
  singleCounts("never-expires", ["ALG-8"], {
    about: "the count of a new window never expires",
    text: "call('SET', key, pack(form, start, count), 'PX', 2 * keep)",
    by: "call('SET', key, pack(form, start, count))",
  }),
  singleCounts("expires-within-its-window", ["ALG-8", "LIM-1"], {
    about: "a count expires before its window ends",
    text: "'PX', 2 * keep)",
    by: "'PX', math.floor(keep / 2))",
  }),
  singleCounts("window-holds-its-end", ["ALG-C3"], {
    about: "a window still counts at the instant at which it ends",
    text: "local isOpen = at < start + per",
    by: "local isOpen = at <= start + per",
  }),
  singleCounts("never-by-the-clock", ["ALG-C3"], {
    about: "a window of the clock starts with its first request",
    text: "startsAtClock > 0 and at - fmod(at, per) or at",
    by: "at",
  }),
  singleCounts("counts-once", ["LIM-1"], {
    about: "several requests of one call and budget are counted as one",
    text: "times and times[i] * units or units",
    by: "units",
  }),
  singleCounts("counts-the-refused", ["ALG-8"], {
    about: "requests beyond the budget are counted",
    text: "spent = max(0, floor((capacity - count) / units)) * units",
    by: "spent = spent",
  }),
  singleCounts("counts-a-part", ["LIM-C19"], {
    about: "a request that costs more than is left takes what is left",
    text: "max(0, floor((capacity - count) / units)) * units",
    by: "max(0, capacity - count)",
  }),
  singleRows("costs-one", ["LIM-C19"], {
    about: "a request passes if one unit of its cost does",
    text: "local rank = capacity - units + 1",
    by: "local rank = capacity",
  }),
  singleRows("does-not-write-refusals", ["ALG-3"], {
    about: "a refused request is not written",
    text: "R.insert(log, at, bound, units)",
    by: "if wait == 0 then R.insert(log, at, bound, units) end",
  }),
  singleRows("waits-for-the-present", ["ALG-3", "HDR-C1"], {
    about: "a refused request waits as if it had not been written",
    text: "wait = max(0, max(leaves, min(before, at)) + per - at)",
    by: "wait = max(0, leaves + per - at)",
  }),
  singleRows("full-after-the-newest", ["HDR-C2"], {
    about: "a log without budget left is shown as full after its newest attempt",
    text: "R.newest(log, left > 0 and 1 or capacity) + per",
    by: "R.newest(log, 1) + per",
  }),
  frame("never-renews", ["ALG-C9", "LIM-1"], {
    about: "debts, windows and rows never renew their expiry",
    text: "return ms >= 0 and before ~= nil and floor(before / ms / 1000) >= floor(at / ms / 1000)",
    by: "return ms >= 0 and before ~= nil",
  }),
  frame("expires-too-soon", ["ALG-C9", "LIM-1"], {
    about: "an expiry that is renewed once in its time is set for that time alone",
    text: "call('SET', state.key, value, 'PX', 2 * ms)",
    by: "call('SET', state.key, value, 'PX', ms)",
  }),
  frame("keeps-no-expiry", ["ALG-C9"], {
    about: "a record that is written again within the same time drops its expiry",
    text: "call('SET', state.key, value, 'KEEPTTL')",
    by: "call('SET', state.key, value)",
  }),
  frame("trial-is-written", ["LIM-C9"], {
    about: "a request that waits and asks again is written when its key's limit refuses",
    text: "if op == SPEND or (op == TRY and one.level.isForAll) then",
    by: "if op ~= EVALUATE then",
  }),
  frame("later-levels-are-written", ["HDR-C1"], {
    about: "a level that was not spent waits as if its attempt had been written",
    text: "one.kind.evaluate(one, at, spends and refused < 0, units)",
    by: "one.kind.evaluate(one, at, spends, units)",
  }),
  frame("earlier-reset-is-shown", ["HDR-C2"], {
    about: "of two levels that have as much left the one that is full sooner is shown",
    text: "(left == remaining and fullUs > resetUs)",
    by: "(left == remaining and fullUs < resetUs)",
  }),
  records("drops-the-expiry", ["ALG-8"], {
    about: "a count that is asked about beside something else drops its expiry",
    text: "call('SET', state.key, value, 'KEEPTTL')",
    by: "call('SET', state.key, value)",
  }),
  records("gives-back-to-a-new-window", ["LIM-C1"], {
    about: "what was taken from a window that has ended is given back to the next",
    text: "if at < state.start or at >= state.start + level.per or state.count <= 0 then",
    by: "if state.count <= 0 then",
  }),
  records("clock-turns-back", ["ALG-C9"], {
    about:
      "a debt is paid from the time of the last request, even if another gateway's clock is ahead",
    text: "state.at = max(state.at, at)\n      touch(state, level.keep)",
    by: "state.at = at\n      touch(state, level.keep)",
  }),
  records("bucket-holds-one-more", ["ALG-C9", "LIM-1"], {
    about: "a bucket holds one more than its burst",
    text: "local excess = owed(one, at) - (level.burst - units) * level.per - slack(one)",
    by: "local excess = owed(one, at) - level.burst * level.per - slack(one)",
  }),
  records("bucket-forgets-after-a-window", ["ALG-C9"], {
    about: "a burst above the rate is forgotten a window after the last request",
    text: "if elapsed >= longest(one.level) then",
    by: "if elapsed >= one.level.per then",
  }),
  records("queue-one-longer", ["ALG-C10"], {
    about: "a leaky bucket lets one more request wait than its queue is long",
    text: "return untilPaid(one, at, owed(one, at) - (level.burst - units) * level.per - slack(one))",
    by: "return untilPaid(one, at, owed(one, at) - level.burst * level.per - slack(one))",
  }),
  records("queue-delays-nothing", ["ALG-C10"], {
    about: "a leaky bucket lets its queue go at once",
    text: "return untilPaid(one, at, owed(one, at) - slack(one))",
    by: "return 0",
  }),
  records("queue-gives-back-any-turn", ["ALG-C10"], {
    about: "a leaky bucket takes back a turn that is not its last",
    text: "if state.at == at then",
    by: "if state.at >= at then",
  }),
  records("queue-expires-with-its-window", ["ALG-C10"], {
    about: "the record of a queue that lasts for many windows expires after two",
    text: "state.empty = state.at + ceil((state.debt - slack(one)) / level.rate)\n      touch(state, level.keep)",
    by: "state.empty = state.at + ceil((state.debt - slack(one)) / level.rate)\n      touch(state, level.per / 1000)",
  }),
  records("forgets-the-window-before", ["ALG-C9"], {
    about: "the sliding window counter forgets the window before",
    text: "return start, start == state.start + per and state.current or 0, 0",
    by: "return start, 0, 0",
  }),
  records("late-refunds-are-lost", ["LIM-C1", "ALG-C9"], {
    about: "a refund that arrives after its window has ended is lost",
    text: "elseif start + per == state.start then",
    by: "elseif false then",
  }),
  records("reset-leaves-the-window", ["MGT-C11"], {
    about: "a reset leaves what the window has counted",
    text: "state.start, state.previous, state.current = 0, 0, 0",
    by: "state.previous = 0",
  }),
  stamps("holds-its-edge", ["ALG-C2"], {
    about: "an attempt is still counted when its window has just passed",
    text: "call('ZREMRANGEBYSCORE', log.key, '-inf', upTo)",
    by: "call('ZREMRANGEBYSCORE', log.key, '-inf', upTo - 1)",
  }),
  stamps("equal-stamps-are-one", ["ALG-C2"], {
    about: "two attempts of one moment are one entry",
    text: "call('ZADD', log.key, at, nonce .. added)",
    by: "call('ZADD', log.key, at, string.format('%.0f', at))",
  }),
  stamps("counts-from-the-edge", ["ALG-C2"], {
    about: "a count after a moment includes that moment",
    text: "string.format('(%.0f', after)",
    by: "string.format('%.0f', after)",
  }),
  stamps("remembers-a-rank", ["ALG-C2", "HDR-C1"], {
    about: "the stamp of a rank is not read again after another attempt was written",
    text: "log.rank = nil\n    log.count = log.count ~= nil and log.count + units or nil",
    by: "log.count = log.count ~= nil and log.count + units or nil",
  }),
  stamps("bound-of-the-last-rate", ["ALG-C9"], {
    about: "a bounded log is cut to the rate of now, not to the largest that has used it",
    text: "local excess = R.count(log) - log.bound",
    by: "local excess = R.count(log) - own",
  }),
  stamps("one-stamp-less", ["ALG-C9"], {
    about: "a bounded log keeps one stamp less than its rate",
    text: "local excess = R.count(log) - log.bound",
    by: "local excess = R.count(log) - max(1, log.bound - 1)",
  }),
  stamps("gives-back-the-newest", ["LIM-C1"], {
    about: "a log gives back its newest attempt, not the one that was taken",
    text: "call('ZRANGEBYSCORE', log.key, at, at, 'LIMIT', 0, units)",
    by: "call('ZREVRANGE', log.key, 0, 0)",
  }),
  logs("refusals-do-not-renew", ["ALG-3", "ALG-4"], {
    about: "refused attempts do not extend the expiry of the log",
    text: "writeRefused = writeRefused,",
    by: "writeRefused = function(one, at, _, units) one.log.store.insert(one.log, at, one.level.bound, units) end,",
  }),
  logs("refusals-are-not-written", ["ALG-3"], {
    about: "a refused attempt is not written to the log",
    text: "writeRefused = writeRefused,",
    by: "writeRefused = function() end,",
  }),
  logs("never-expires", ["ALG-5"], {
    about: "a sorted set never expires",
    text: "call('PEXPIRE', log.key, log.ms)",
    by: "call('PERSIST', log.key)",
  }),
  logs("expires-within-its-window", ["ALG-4", "LIM-1"], {
    about: "a log expires before its newest attempt has left the window",
    text: "call('PEXPIRE', log.key, log.ms)",
    by: "call('PEXPIRE', log.key, floor(log.ms / 2))",
  }),
  logs("reset-mark-never-expires", ["MGT-C11"], {
    about: "a sentinel's record that was reset never expires",
    text: "state.mark, state.under = 0, -1\n        touch(state, expiryOf(one))",
    by: "state.mark, state.under = 0, -1\n        touch(state, -1)",
  }),
  logs("mark-never-expires", ["ALG-C5"], {
    about: "a sentinel's record never expires",
    text: "touch(state, state.mark == HUGE and level.long or expiryOf(one))",
    by: "touch(state, -1)",
  }),
  logs("mark-of-now", ["ALG-C5"], {
    about: "a sentinel blocks for a window from the last attempt",
    text: "return max(0, kth + level.per)",
    by: "return kth > 0 and at + level.per or 0",
  }),
  logs("held-off-too-long", ["SMO-C1", "MGT-C5"], {
    about: "an allowance that was cut is held off for twice the delay",
    text: "recordChange(list, within > value and 1 or -1, at, within)\n    hold = at + delay",
    by: "recordChange(list, within > value and 1 or -1, at, within)\n    hold = at + 2 * delay",
  }),
  logs("fall-due-now-is-made-up", ["SMO-C6"], {
    about: "a fall that is due at the instant of a request is made up before it",
    text: "if due >= at then\n      break",
    by: "if due > at then\n      break",
  }),
  logs("mark-outlives-its-limit", ["ALG-C5"], {
    about: "a sentinel's mark counts although the limit has changed since it was written",
    text: "if units == 1 and (level.fixedMark or state.under == k) then",
    by: "if units == 1 then",
  }),
  logs("falls-expire", ["SMO-C6"], {
    about: "an allowance above its threshold expires with its window",
    text: "return state.value ~= 0 and state.absent == HUGE and level.long or level.keep",
    by: "return level.keep",
  }),
];
