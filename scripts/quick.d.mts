export const leftOut: readonly string[];
export const environment: Readonly<Record<string, string | undefined>>;
export const sentences: readonly string[];
