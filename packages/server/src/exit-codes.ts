/** How the process ends, in the numbers of sysexits.h where there is one. */
export const exitCodes = {
  /** Also where a command is refused what it asks for. */
  fault: 1,
  /** The command line is not understood. */
  usage: 64,
  /** The port is taken, the working folder was removed, or the database cannot be used: it does not answer, or this program is too old for its tables. */
  unavailable: 69,
  /** Environment or configuration file are at fault. */
  configuration: 78,
} as const;

/** What was asked for is refused, as the interface would refuse it; the message is the detail of its problem. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

/** Something that the server needs from its surroundings is not there: a free port, a database that answers, its working folder. */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError';
}
