/** What was thrown, in its own words. */
export function messageOf(error: unknown): string {
  // A host name with several addresses fails with one error for each and an empty message.
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}

/** What was thrown and where, for whoever looks for the fault. */
export function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
