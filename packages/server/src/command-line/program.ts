import { Command, Help } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { environmentWords } from '../configuration/environment-words.js';
import type { Ask } from './asked.js';
import { addAvailability } from './availability.js';
import { addCompletion } from './completion.js';
import { addExamples, addVariables, type VariableName } from './help-texts.js';
import { addNotifications } from './notifications.js';
import { addHours, addServices } from './services-and-hours.js';
import { addToken } from './token.js';

/** All commands of `calends`, with their options and their help; one that is run tells what it was asked for. */
export function makeProgram(ask: Ask): Command {
  const program = new Command('calends')
    .usage('<command>')
    .version(packageJson.version, '-v, --version', 'show the version')
    .helpOption('-h, --help', 'show this')
    .helpCommand('help [command...]', 'show the help of a command')
    .configureHelp({
      optionDescription(option) {
        const text = Help.prototype.optionDescription.call(this, option);
        return option.mandatory ? `${text} (required)` : text;
      },
    });
  const all = Object.keys(environmentWords) as VariableName[];

  const serve = program
    .command('serve')
    .description('run the server (what `npm start` does)')
    .action(() => {
      ask({ name: 'serve' });
    });
  addExamples(serve, ['PORT=8080 calends serve']);
  addVariables(serve, all);

  addToken(program, ask);

  const migrate = program
    .command('migrate')
    .description('bring the tables of the database up to date')
    .action(() => {
      ask({ name: 'migrate' });
    });
  addExamples(migrate, ['DATABASE_URL=postgres://calends@db.example/calends calends migrate']);
  addVariables(migrate, ['DATABASE_URL', 'CALENDS_POOLER', 'CALENDS_CREATE_DATABASE', 'NODE_ENV']);

  const openapi = program
    .command('openapi')
    .description('print the OpenAPI 3.1 document of the server that this environment gives')
    .action(() => {
      ask({ name: 'openapi' });
    });
  addExamples(openapi, ['calends openapi > openapi.json']);
  addVariables(openapi, [
    ...['CALENDS_PUBLIC_URL', 'CALENDS_OTP_REQUESTS', 'CALENDS_AVAILABILITY', 'CALENDS_CONFIG', 'NODE_ENV'],
  ] as VariableName[]);

  addNotifications(program, ask);
  addServices(program, ask);
  addHours(program, ask);
  addAvailability(program, ask);
  addCompletion(program, ask);

  addExamples(program, ['calends serve', 'calends token --help']);
  addVariables(program, all);
  return program;
}
