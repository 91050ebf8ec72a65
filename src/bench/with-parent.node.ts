// Loaded first into a process of a run, whatever it is then: it ends when nobody is left at the other end of
// its channel. Whoever started it may be gone by kill -9, and then sends no signal to anybody.
process.once("disconnect", () => process.exit());
process.channel?.unref();
