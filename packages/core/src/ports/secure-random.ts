/** Where secrets come from. */
export interface SecureRandom {
  /** So many bytes that nobody can foresee. */
  bytes(length: number): Uint8Array;
}
