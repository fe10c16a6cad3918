export function forCommonJs(text: string): string;
