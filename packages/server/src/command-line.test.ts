import { describe, expect, it } from 'vitest';
import { parseCommandLine, UsageError } from './command-line.js';

const hour = 60 * 60_000;

describe('the command line', () => {
  it.each([
    [['serve'], { name: 'serve' }],
    [['migrate'], { name: 'migrate' }],
    [['openapi'], { name: 'openapi' }],
    [['--version'], { name: 'version' }],
    [['--help'], { name: 'help' }],
    [['help'], { name: 'help' }],
    [['serve', '--help'], { name: 'help' }],
    [['token', '--help'], { name: 'help' }],
    [['notifications', '--help'], { name: 'help' }],
    [['notifications', 'list', '--help'], { name: 'help' }],
    [
      [
        ...['notifications', 'list', '--application', 'a', '--status', 'FAILED', '--status', 'PENDING'],
        ...['--channel', 'SMS', '--page', '2', '--json'],
      ],
      {
        name: 'notifications',
        request: {
          action: 'list',
          filters: { applicationId: ['a'], status: ['FAILED', 'PENDING'], channel: ['SMS'], pageNumber: '2' },
          json: true,
        },
      },
    ],
    [
      ['notifications', 'retry', 'n-1', '--organization', 'o'],
      { name: 'notifications', request: { action: 'retry', id: 'n-1', organizationId: 'o' } },
    ],
    [['token', '--role', 'ROLE_AGENT'], { name: 'token', request: { roles: ['ROLE_AGENT'], validFor: 12 * hour } }],
    [
      [
        ...['token', '--role', 'ROLE_AGENT', '--role', 'ROLE_SUPERVISOR', '--sub', 'agent-7', '--organization', 'o'],
        ...['--applications', 'a, b', '--conference', 'c', '--expires', 'PT1H'],
      ],
      {
        name: 'token',
        request: {
          roles: ['ROLE_AGENT', 'ROLE_SUPERVISOR'],
          sub: 'agent-7',
          organizationId: 'o',
          applicationIds: ['a', 'b'],
          conferenceId: 'c',
          validFor: hour,
        },
      },
    ],
  ])('reads %j', (words, command) => {
    expect(parseCommandLine(words)).toMatchObject(command);
  });

  it.each([
    [[], 'a command is missing'],
    [['server'], 'there is no such command; did you mean serve?'],
    [['x'], 'there is no such command'],
    [['serve', '--port', '80'], "Unknown option '--port'"],
    [['notifications'], 'notifications: must be list or retry'],
    [['notifications', 'lst'], 'did you mean list?'],
    [['notifications', 'list'], '--application is missing'],
    [['notifications', 'list', '--application', 'a', '--color', 'red'], "Unknown option '--color'"],
    [['notifications', 'retry'], 'the id is missing'],
    [['notifications', 'retry', '--organization', 'o'], 'the id is missing'],
    [['token'], '--role is missing: ROLE_AGENT'],
    [['token', '--role', 'AGENT'], '--role: must be one of'],
    [['token', '--role', 'ROLE_AGNT'], 'did you mean ROLE_AGENT?'],
    [['token', '--role', 'ROLE_AGENT', '--expires', 'soon'], '--expires: must be an ISO 8601 duration'],
  ])('refuses %j: %s', (words, message) => {
    expect(() => parseCommandLine(words)).toThrow(UsageError);
    expect(() => parseCommandLine(words)).toThrow(message);
  });
});
