const special = /["\\]/;

function element(value: string | number | null): string {
  if (value === null) return 'NULL';
  if (typeof value === 'number') return String(value);
  return `"${special.test(value) ? value.replace(/["\\]/g, '\\$&') : value}"`;
}

/**
 * A list as PostgreSQL reads it. The driver could write lists itself; it looks at each element for what else it might be,
 * which costs more than everything else about a statement with many rows.
 */
export function arrayText(values: readonly (string | number | null)[]): string {
  let text = '';
  for (const value of values) text += `${text === '' ? '{' : ','}${element(value)}`;
  return text === '' ? '{}' : `${text}}`;
}
