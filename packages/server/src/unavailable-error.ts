/** Something that the server needs from its surroundings is not there: a free port, a database that answers. */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError';
}
