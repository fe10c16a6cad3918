/** Everything that is wrong with environment and configuration file; says names and rules, never values. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    const count = faults.length === 1 ? 'a fault' : `${faults.length} faults`;
    super(`the configuration has ${count}:${faults.map((fault) => `\n  - ${fault}`).join('')}`);
    this.faults = faults;
  }
}
