/** This process lacks a secret that the store names, or signs with one that is retired (D67): the cause of what is refused meanwhile. */
export class MissingKeyError extends Error {
  override readonly name = 'MissingKeyError';
  /** Ids of the keys that it lacks, or of the retired one. */
  readonly keyIds: readonly string[];

  constructor(keyIds: readonly string[], why: 'missing' | 'retired' = 'missing') {
    super(
      why === 'missing'
        ? `secret: lacks the key ${keyIds.join(', ')}, which the store names; list every secret in use.`
        : `secret: the key ${keyIds.join(', ')} is retired and signs nothing again; put the present secret first.`,
    );
    this.keyIds = keyIds;
  }
}
