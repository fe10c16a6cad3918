const special = /["\\]/;

function element(value: string | number | null): string | number {
  if (typeof value === 'string') return `"${special.test(value) ? value.replace(/["\\]/g, '\\$&') : value}"`;
  return value ?? 'NULL';
}

/**
 * A list as PostgreSQL reads it. The driver could write lists itself; it looks at each element for what else it might be,
 * which costs more than everything else about a statement with many rows.
 */
export const arrayText = (values: readonly (string | number | null)[]): string => `{${values.map(element).join(',')}}`;
