/** Milliseconds that the process has computed so far: unlike the time of the wall, no other process adds to them. */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
