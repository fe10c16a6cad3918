/** How the process ends, in the numbers of sysexits.h where there is one. */
export const exitCodes = {
  /** Also where a command is refused what it asks for. */
  fault: 1,
  /** The command line is not understood. */
  usage: 64,
  /** The port is taken, or the database does not answer. */
  unavailable: 69,
  /** Environment or configuration file are at fault. */
  configuration: 78,
} as const;
