/** The answer of a database that did not come in time: what was asked may have been done. */
export class AnswerOverdue extends Error {
  override readonly name = 'AnswerOverdue';

  constructor() {
    super('The database did not answer in time.');
  }
}

/** After the event loop stood still, answers that are there already are read before anybody calls them late. */
const secondLook = 100;

/**
 * What a promise gives within a limit, in milliseconds.
 *
 * @throws AnswerOverdue when it takes longer; `late` gets what comes after that
 */
export async function inTime<Value>(
  promise: Promise<Value>,
  limit: number,
  late: (value: Value) => void = () => undefined,
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const overdue = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      timer = setTimeout(() => {
        promise.then(late, () => undefined);
        reject(new AnswerOverdue());
      }, secondLook);
    }, limit);
  });
  try {
    return await Promise.race([promise, overdue]);
  } finally {
    clearTimeout(timer);
  }
}
