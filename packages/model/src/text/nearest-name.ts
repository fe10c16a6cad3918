import { distance } from 'fastest-levenshtein';

/** `; did you mean X?` for a name that is close to a known one, else nothing. */
export function didYouMean(name: string, known: readonly string[], tolerance = name.length / 3): string {
  const [nearest] = known
    .map((candidate) => ({ candidate, far: distance(name.toLowerCase(), candidate.toLowerCase()) }))
    .sort((one, other) => one.far - other.far);
  const isNear = nearest !== undefined && nearest.far <= Math.max(2, tolerance);
  return isNear ? `; did you mean ${nearest.candidate}?` : '';
}
