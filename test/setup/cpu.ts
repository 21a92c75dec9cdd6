/** The processor time that the work took here, in seconds: what others do on the machine is no part of it. */
export function cpuSecondsOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000_000;
}
