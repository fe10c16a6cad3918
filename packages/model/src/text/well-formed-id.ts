const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Tells whether a text can be an id that this library made (D9). */
export function isWellFormedId(id: string): boolean {
  return id.length === 36 && uuid.test(id);
}
