#!/usr/bin/env node
import packageJson from '../package.json' with { type: 'json' };
import { type Command, parseCommandLine, usage, UsageError } from './command-line.js';
import { migrate } from './commands/migrate.js';
import { notifications, RefusedError } from './commands/notifications.js';
import { openapi } from './commands/openapi.js';
import { serve } from './commands/serve.js';
import { token } from './commands/token.js';
import { ConfigurationError } from './configuration/configuration-error.js';
import { unknownVariables } from './configuration/unknown-variables.js';
import { exitCodes } from './exit-codes.js';
import { faultFields } from './log/fault-fields.js';
import { UnavailableError } from './unavailable-error.js';

run(process.argv.slice(2)).catch(complain);

async function run(words: readonly string[]): Promise<void> {
  const command: Command = parseCommandLine(words);
  if (command.name === 'help') {
    process.stdout.write(command.text);
    return;
  }
  if (command.name === 'version') {
    process.stdout.write(`${packageJson.version}\n`);
    return;
  }
  for (const warning of unknownVariables(process.env)) say(`warning: ${warning}`);
  switch (command.name) {
    case 'serve':
      return serve();
    case 'token':
      return token(command.request);
    case 'migrate':
      return migrate();
    case 'notifications':
      return notifications(command.request);
    case 'openapi':
      openapi();
  }
}

/** Says what is wrong in one message, and ends the process with the code for it. */
function complain(error: unknown): never {
  if (error instanceof UsageError) {
    say(`${error.message}\n\n${usage}`);
    process.exit(exitCodes.usage);
  }
  if (error instanceof ConfigurationError) {
    say(error.message);
    process.exit(exitCodes.configuration);
  }
  if (error instanceof RefusedError) {
    say(error.message);
    process.exit(exitCodes.fault);
  }
  if (error instanceof UnavailableError) {
    say(error.message);
    process.exit(exitCodes.unavailable);
  }
  say(`ended by a fault: ${JSON.stringify(faultFields(error))}`);
  process.exit(exitCodes.fault);
}

function say(text: string): void {
  process.stderr.write(`calends: ${text.trimEnd()}\n`);
}
