export function asPattern(glob: string): RegExp;
