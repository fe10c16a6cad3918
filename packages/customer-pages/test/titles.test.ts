import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PagesHost, startHost } from './pages-host.js';
import { fieldsOf, titleOf } from './visitor.js';

const page = '/manage/appointment';

describe('The title of a window says first what became of a form', () => {
  let host: PagesHost;
  beforeAll(async () => {
    host = await startHost({ options: { name: 'Clinic' } });
  });
  afterAll(() => host.close());

  it('says that the appointment was moved, that it was not, and afterwards only which one it is', async () => {
    const visitor = await host.arrived(await host.book());
    const send = async (more = {}): Promise<string> => {
      const form = fieldsOf(await visitor.get(`${page}/reschedule`));
      return titleOf(await visitor.submit(`${page}/reschedule`, { ...form, ...more }));
    };
    expect(await send()).toBe('The appointment stays as it was. First consultation – Clinic');
    expect(await send({ time: '' })).toBe('That did not work: Choose another time – Clinic');
    expect(await send({ date: '2030-05-09' })).toBe('Your appointment was moved. First consultation – Clinic');
    expect(titleOf(await visitor.get(page))).toBe('First consultation – Clinic');
  });

  it('says that a reason was refused, that the appointment is cancelled, that the customer is signed out', async () => {
    const visitor = await host.arrived(await host.book());
    const form = fieldsOf(await visitor.get(`${page}/cancel`));
    const refused = await visitor.submit(`${page}/cancel`, { ...form, reason: 'x'.repeat(1001) });
    expect(titleOf(refused)).toBe('That did not work: Cancel this appointment? – Clinic');
    expect(titleOf(await visitor.submit(`${page}/cancel`, form))).toBe('Your appointment is cancelled – Clinic');
    const leaving = await host.arrived(await host.book());
    expect(titleOf(await leaving.submit('/manage/session/end'))).toBe('You are signed out – Clinic');
    expect(titleOf(await leaving.submit('/manage/session', { code: 'none' }))).toBe(
      'This link is not valid any more – Clinic',
    );
  });
});
