// Loaded first into every process of a run: it ends the process when the other end of its channel closes. A parent that
// is killed with kill -9 sends no signal.
process.once("disconnect", () => process.exit());
process.channel?.unref();
