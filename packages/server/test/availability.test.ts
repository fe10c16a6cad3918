import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { calends, type Ending } from './server-process.js';
import { secrets } from './scheduling-client.js';
import { temporaryFolder } from './temporary-folder.js';

const folder = temporaryFolder();
const database = { ...secrets, DATABASE_URL: 'sqlite:./kept/c.db' };

function run(words: readonly string[], variables: NodeJS.ProcessEnv = database): Promise<Ending> {
  return calends(words, variables, folder()).ended;
}

function write(name: string, content: unknown): string {
  const path = join(folder(), name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const rules = {
  title: 'Check-up',
  timezone: 'Europe/Vienna',
  durations: ['PT30M'],
  grid: { step: 'PT30M' },
  requirements: [{ kind: 'agent', anyOf: ['agent-7'] }],
};
const weekly = [{ days: ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'], from: '09:00', until: '10:00' }];
const hours = { timezone: 'Europe/Vienna', weekly };

beforeAll(async () => {
  mkdirSync(join(folder(), 'kept'));
  await run(['migrate']);
  const services = write('services.json', { services: [{ id: 'check-up', rules }] });
  const kept = [{ actorId: 'agent-7', rules: hours, exceptions: [{ date: '2030-05-07', rules: { open: [] } }] }];
  const saved = [
    await run(['services', 'import', services, '--application', 'app-7']),
    await run(['hours', 'import', write('hours.json', { hours: kept })]),
  ];
  expect(saved.map(({ code, stdout, stderr }) => [code, stdout, stderr])).toEqual([
    [0, '1 service is saved.\n', ''],
    [0, 'The hours of agent-7 are saved.\n', ''],
  ]);
}, 60_000);

describe('calends services', () => {
  it('calends services list shows what was imported, and prints it as it can be imported', async () => {
    const table = await run(['services', 'list', '--application', 'app-7']);
    expect(table.stdout).toMatch(/^check-up +Check-up +PT30M +PT30M +Europe\/Vienna +1 of agent-7 +offered$/m);
    const { stdout } = await run(['services', 'list', '--application', 'app-7', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ services: [{ applicationId: 'app-7', id: 'check-up', rules }] });
    const again = await run(['services', 'import', write('again.json', stdout), '--application', 'app-8']);
    expect(again).toMatchObject({ code: 0, stdout: '1 service is saved.\n' });
  });

  it('calends services list shows what the settings have, and finds an application that is misspelt', async () => {
    const { stdout } = await run(['services', 'list', '--application', 'app-1']);
    expect(stdout).toMatch(/^consultation .* from settings$/m);
    const misspelt = await run(['services', 'list', '--application', 'app-17']);
    expect(misspelt).toMatchObject({ code: 1, stderr: expect.stringContaining('the application is not known') });
  });

  it('calends services import names every fault of a file, and saves nothing of it', async () => {
    const wrong = { ...rules, grid: { step: 'PT7M' }, durations: [] };
    const file = write('wrong.json', {
      services: [
        { id: 'a', rules },
        { id: 'b', rules: wrong },
      ],
    });
    const ending = await run(['services', 'import', file, '--application', 'app-9']);
    expect(ending).toMatchObject({ code: 1, stdout: '' });
    expect(ending.stderr).toContain(`${file}: services.1.rules.grid.step: must divide 24 hours\n`);
    expect(ending.stderr).toContain('services.1.rules.durations: ');
    const { code } = await run(['services', 'list', '--application', 'app-9']);
    expect(code).toBe(1);
  });

  it('calends import refuses a file that has an entry twice, and saves nothing of it', async () => {
    const twice = [
      { id: 'a', rules },
      { id: 'a', rules: { ...rules, title: 'Other' } },
    ];
    const services = write('twice.json', { services: twice });
    const hoursTwice = write('hours-twice.json', {
      hours: [
        { actorId: 'agent-9', rules: hours },
        { actorId: 'agent-9', rules: hours },
      ],
    });
    const endings = await Promise.all([
      run(['services', 'import', services, '--application', 'app-9']),
      run(['hours', 'import', hoursTwice]),
    ]);
    expect(endings).toEqual([
      { code: 1, stdout: '', stderr: `calends: ${services}: services.1: is there already, as services.0\n` },
      { code: 1, stdout: '', stderr: `calends: ${hoursTwice}: hours.1: is there already, as hours.0\n` },
    ]);
  });

  it('calends import refuses an entry whose id cannot be one, and saves nothing of the file', async () => {
    const services = write('no-id.json', {
      services: [
        { id: 'a', rules },
        { id: '', rules },
      ],
    });
    const hoursOfNobody = write('no-actor.json', { hours: [{ actorId: '', rules: hours }] });
    const endings = await Promise.all([
      run(['services', 'import', services, '--application', 'app-9']),
      run(['hours', 'import', hoursOfNobody]),
    ]);
    const rule = (most: number): string => `must have 1 to ${String(most)} characters, and no control characters\n`;
    expect(endings).toEqual([
      { code: 1, stdout: '', stderr: `calends: ${services}: services.1.id: ${rule(64)}` },
      { code: 1, stdout: '', stderr: `calends: ${hoursOfNobody}: hours.0.actorId: ${rule(128)}` },
    ]);
  });

  it('calends services import says which entry the interface refused, and what is saved before it', async () => {
    const config = write('agents.json', { applications: { 'app-6': { agents: ['agent-7'] } }, availability: {} });
    const unknown = { ...rules, requirements: [{ kind: 'agent', anyOf: ['agent-9'] }] };
    const file = write('refused.json', {
      services: [
        { id: 'a', rules },
        { id: 'b', rules: unknown },
      ],
    });
    const variables = { ...database, CALENDS_CONFIG: config };
    const ending = await run(['services', 'import', file, '--application', 'app-6'], variables);
    expect(ending).toMatchObject({ code: 1, stdout: '' });
    expect(ending.stderr).toContain('services.1: /requirements/0/anyOf/0: ');
    expect(ending.stderr).toContain('the one before it is saved\n');
  });
});

describe('calends hours', () => {
  it('calends hours list shows what was imported, with exceptions, and prints it as it can be imported', async () => {
    const table = await run(['hours', 'list']);
    expect(table.stdout).toMatch(/^agent-7 +Europe\/Vienna +MO TU WE TH FR SA SU +09:00-10:00$/m);
    expect(table.stdout).toMatch(/^agent-7 +Europe\/Vienna +2030-05-07 +closed$/m);
    const { stdout } = await run(['hours', 'list', '--json']);
    const again = await run(['hours', 'import', write('again.json', stdout), '--actor', 'agent-7']);
    expect(again).toMatchObject({ code: 0, stdout: 'The hours of agent-7 are saved.\n' });
  });

  it('calends hours import refuses an actor of whom the file has no hours', async () => {
    const file = write('others.json', { hours: [{ actorId: 'agent-7', rules: hours }] });
    const ending = await run(['hours', 'import', file, '--actor', 'agent-17']);
    expect(ending).toMatchObject({ code: 1, stdout: '', stderr: `calends: ${file}: has no hours of agent-17\n` });
  });

  it('calends hours import reads VAVAILABILITY, and refuses with its place what does not come back every week', async () => {
    const calendar = (rule: string) =>
      [
        ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'BEGIN:VAVAILABILITY', 'UID:v', 'BEGIN:AVAILABLE', 'UID:a'],
        ...['DTSTART;TZID=Europe/Vienna:20261102T130000', 'DTEND;TZID=Europe/Vienna:20261102T150000', rule],
        ...['END:AVAILABLE', 'END:VAVAILABILITY', 'END:VCALENDAR', ''],
      ].join('\r\n');
    const file = write('agent-8.ics', calendar('RRULE:FREQ=WEEKLY;BYDAY=TU'));
    const read = await run(['hours', 'import', file, '--actor', 'agent-8']);
    expect(read).toMatchObject({ code: 0, stdout: 'The hours of agent-8 are saved.\n' });
    const { stdout } = await run(['hours', 'list']);
    expect(stdout).toMatch(/^agent-8 +Europe\/Vienna +TU +13:00-15:00 +from 2026-11-02$/m);
    const daily = await run([
      'hours',
      'import',
      write('daily.ics', calendar('RRULE:FREQ=DAILY')),
      '--actor',
      'agent-8',
    ]);
    expect(daily).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('AVAILABLE 1: RRULE: FREQ must be WEEKLY'),
    });
  });

  it.each<readonly [string, NodeJS.ProcessEnv, number, string]>([
    ['is off', { ...database, CALENDS_AVAILABILITY: 'off' }, 78, 'CALENDS_AVAILABILITY: it is off'],
    ['is in memory', { ...secrets, DATABASE_URL: 'memory:' }, 78, 'known to its server only'],
    ['has no tables', { ...secrets, DATABASE_URL: 'sqlite:./empty.db' }, 69, 'calends migrate begins one'],
  ])('calends hours says why it cannot work where availability %s', async (_when, variables, code, text) => {
    const ending = await run(['hours', 'list'], variables);
    expect(ending).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(text) });
  });

  it('calends hours import says that there is no such file', async () => {
    const ending = await run(['hours', 'import', 'nowhere.json']);
    expect(ending).toMatchObject({ code: 1, stderr: 'calends: nowhere.json: the file cannot be read\n' });
  });

  it('calends services import refuses a file that is not UTF-8', async () => {
    writeFileSync(join(folder(), 'latin.json'), Buffer.from('{"title":"Caf\xe9"}', 'latin1'));
    const ending = await run(['services', 'import', 'latin.json', '--application', 'app-7']);
    expect(ending).toMatchObject({ code: 1, stderr: 'calends: latin.json: the file is not UTF-8\n' });
  });
});

describe('calends availability', () => {
  const week = ['availability', 'check-up', '--application', 'app-7', '--from', '2030-05-06'];

  it('calends availability prints the starts of a week, in the zone of the service', async () => {
    const { code, stdout, stderr } = await run(week);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      [expect.stringContaining('Starts of PT30M in Europe/Vienna')],
      ['TIME', 'MON 05-06', 'TUE 05-07', 'WED 05-08', 'THU 05-09', 'FRI 05-10', 'SAT 05-11', 'SUN 05-12'],
      ['09:00', '1', '.', '1', '1', '1', '1', '1'],
      ['09:30', '1', '.', '1', '1', '1', '1', '1'],
      [''],
    ]);
  });

  it.each([
    ['2030-05-07T09:00', /^CLOSED +agent-7 +an exception closes the hours then$/m],
    ['2030-05-08T09:00+02:00', /^Free: agent-7$/m],
    ['2030-05-08T09:10', /^OFF_GRID +no start of the service is there$/m],
  ])('calends availability --why %s says why', async (why, words) => {
    const { code, stdout } = await run([...week, '--agent', 'agent-7', '--duration', 'PT30M', '--why', why]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(words)]);
  });

  it('calends availability takes the example of a server without a configuration', async () => {
    expect(await run(['availability', 'consultation'])).toMatchObject({ code: 0, stderr: '' });
  });

  it.each<readonly [readonly string[], string]>([
    [['availability', 'nothing', '--application', 'app-7'], 'There is no such service.'],
    [[...week, '--duration', 'PT45M'], 'duration'],
    [[...week, '--why', '2030-03-31T02:30'], '--why: the clocks of Europe/Vienna skip that time.'],
  ])('calends availability refuses what the interface refuses: %j', async (words, text) => {
    expect(await run(words)).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(text) });
  });
});
