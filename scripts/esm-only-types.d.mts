export function markEsmOnlyTypes(folder: string): void;
