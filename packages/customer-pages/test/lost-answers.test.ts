import { StoreError, wrapStore } from '@calends/core/store';
import { memoryStore } from '@calends/store-memory';
import { expect, it } from 'vitest';
import { startBookingHost, withCode } from './booking-host.js';
import { startHost, supervisor } from './pages-host.js';
import { fieldsOf, heading, type Visitor } from './visitor.js';

const unanswered = 'Please try again in a moment';
const said =
  'The service does not answer right now. If you have sent something, you can send it again: it is done only once.';

/** A store that does what it is asked, and whose answers are lost while it is told so. */
function losingStore() {
  const losing = { now: false };
  const store = wrapStore(memoryStore(), (name, call) => async (...given) => {
    const answer = await call(...given);
    if (losing.now && name === 'commit') throw new StoreError('unavailable', 'The connection was lost.');
    return answer;
  });
  return { store, losing };
}

/** What is read after a form whose answer is lost, and after the same one once more. */
async function sentTwice(
  visitor: Visitor,
  losing: { now: boolean },
  path: string,
  form: Readonly<Record<string, string>>,
) {
  losing.now = true;
  const lost = await visitor.submit(path, form);
  losing.now = false;
  return { lost, again: await visitor.submit(path, form) };
}

it.each([
  [
    'another time',
    '/reschedule',
    { date: '2030-05-09', time: '11:00' },
    'First consultation',
    'Your appointment was moved.',
  ],
  ['the cancellation', '/cancel', {}, 'Your appointment is cancelled', 'Nothing else is needed.'],
])(
  'A customer whose answer to %s is lost may send it again, and is told no untruth',
  async (_what, step, more, title, told) => {
    const { store, losing } = losingStore();
    const host = await startHost({ scheduling: { store } });
    const visitor = await host.arrived(await host.book());
    const page = `/manage/appointment${step}`;
    const form = { ...fieldsOf(await visitor.get(page)), ...more };
    const { lost, again } = await sentTwice(visitor, losing, page, form);
    expect([lost.status, heading(lost), lost.text.includes(said)]).toEqual([503, unanswered, true]);
    expect([again.status, heading(again), again.text.includes(told)]).toEqual([200, title, true]);
    await host.close();
  },
);

it('A customer whose answer to the booking is lost may send it again, and has booked once', async () => {
  const { store, losing } = losingStore();
  const host = await startBookingHost({ scheduling: { store } });
  const visitor = host.visitor();
  const { path, form } = await withCode(host, visitor);
  const { lost, again } = await sentTwice(visitor, losing, `${path}/code`, form);
  expect([lost.status, heading(lost), lost.text.includes(said)]).toEqual([503, unanswered, true]);
  expect([again.status, heading(again)]).toEqual([200, 'Your appointment is booked']);
  expect((await host.scheduling.appointments.list(supervisor, {})).items).toHaveLength(1);
  await host.close();
});
