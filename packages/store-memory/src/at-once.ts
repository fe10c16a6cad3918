/** The methods of a part of the store, as they answer at once. */
type AtOnce<Methods> = {
  readonly [Name in keyof Methods]: NonNullable<Methods[Name]> extends (...given: infer Given) => Promise<infer Answer>
    ? (...given: Given) => Answer
    : never;
};

/** Each does its work at once and in one go; what it throws rejects. */
export function atOnce<Methods extends object>(methods: AtOnce<Methods>): Methods {
  const works = Object.entries<(...given: unknown[]) => unknown>(methods as Readonly<Record<string, never>>);
  return Object.fromEntries(
    works.map(([name, work]) => [
      name,
      (...given: unknown[]) =>
        new Promise((resolve) => {
          resolve(work(...given));
        }),
    ]),
  ) as Methods;
}
