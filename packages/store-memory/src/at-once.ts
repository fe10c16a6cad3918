/** Does the work at once and in one go; what it throws rejects. */
export const atOnce = <Result>(work: () => Result): Promise<Result> =>
  new Promise((resolve) => {
    resolve(work());
  });
