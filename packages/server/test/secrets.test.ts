import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { accessSecret, agentToken, SchedulingClient, secrets } from './scheduling-client.js';
import { calends } from './server-process.js';
import { temporaryFolder } from './temporary-folder.js';

const folder = temporaryFolder();
const next = 'the next access-token secret of the server tests';

describe('CALENDS_SECRET (D67)', () => {
  it('CALENDS_SECRET that is another one than the database knows ends the process with 78, and is not repeated', async () => {
    const variables = { ...secrets, PORT: '0', DATABASE_URL: `sqlite:${join(folder(), 'c.db')}` };
    const right = calends(['serve'], variables, folder());
    await right.listening();
    const wrong = await calends(['serve'], { ...variables, CALENDS_SECRET: next }, folder()).ended;
    expect(wrong).toMatchObject({
      code: 78,
      stderr: expect.stringContaining('CALENDS_SECRET: is not the one') as string,
    });
    expect(wrong.stderr).not.toContain(next);
    expect(await right.signal('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
  });

  it('CALENDS_SECRET is rotated in two deployments, and the server says which step is due', async () => {
    const variables = { ...secrets, PORT: '0', DATABASE_URL: `sqlite:${join(folder(), 'c.db')}` };
    const deployments = [
      { secret: accessSecret, says: /"listening"/ },
      { secret: `${accessSecret}, ${next}`, says: /has signed nothing yet; once every process lists it, put it first/ },
      { secret: `${next},${accessSecret}`, says: /signed before, .* keep it listed after the first/ },
    ];
    for (const { secret, says } of deployments) {
      const server = calends(['serve'], { ...variables, CALENDS_SECRET: secret }, folder());
      await new SchedulingClient(await server.listening(), await agentToken()).schedule();
      await server.says(says);
      expect(await server.signal('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
    }
  });

  it('CALENDS_SECRET that begins with a blank stands alone as it is, and in a list with a backslash', async () => {
    const variables = { ...secrets, PORT: '0', DATABASE_URL: `sqlite:${join(folder(), 'blank.db')}` };
    for (const secret of [` ${accessSecret}`, String.raw`\ ${accessSecret}, ${next}`]) {
      const server = calends(['serve'], { ...variables, CALENDS_SECRET: secret }, folder());
      await new SchedulingClient(await server.listening(), await agentToken()).schedule();
      expect(await server.signal('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
    }
    const bare = await calends(['serve'], { ...variables, CALENDS_SECRET: ` ${accessSecret},${next}` }, folder()).ended;
    expect(bare).toMatchObject({ code: 78, stderr: expect.stringContaining('write a blank at the edge') as string });
  });

  it('CALENDS_SECRET that a command lacks in production is not made: the server finds its database without a key', async () => {
    const url = `sqlite:${join(folder(), 'production.db')}`;
    const variables = { ...secrets, PORT: '0', DATABASE_URL: url, NODE_ENV: 'production' };
    expect(await calends(['migrate'], { ...variables, CALENDS_CREATE_DATABASE: 'on' }, folder()).ended).toMatchObject({
      code: 0,
    });
    const bare = { DATABASE_URL: url, NODE_ENV: 'production' };
    for (const words of ['notifications list --application app-1', 'services list --application app-1']) {
      expect(await calends(words.split(' '), { ...bare, CALENDS_AVAILABILITY: 'on' }, folder()).ended).toMatchObject({
        code: 78,
        stderr: expect.stringContaining('CALENDS_SECRET: must be set in production') as string,
      });
    }
    const { CALENDS_SECRET: _, ...signing } = secrets;
    const words = ['token', '--role', 'ROLE_AGENT'];
    expect(await calends(words, { ...bare, ...signing }, folder()).ended).toMatchObject({ code: 0 });
    expect(readdirSync(folder())).not.toContain('calends.secret');
    const server = calends(['serve'], variables, folder());
    await server.listening();
    expect(await server.signal('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
  });
});
