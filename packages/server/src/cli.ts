#!/usr/bin/env node
import cluster from 'node:cluster';
import { parseCommandLine, UsageError } from './command-line.js';
import { ConfigurationError } from './configuration/configuration-error.js';
import { unknownVariables } from './configuration/unknown-variables.js';
import { exitCodes, RefusedError, UnavailableError } from './exit-codes.js';

// Whoever reads may have seen enough (`calends openapi | head`): what was begun is done all the same.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return;
  say(`the output cannot be written (${error.code ?? error.name})`);
  process.exit(exitCodes.fault);
});

run(process.argv.slice(2)).catch(complain);

/** Each command is loaded when it is asked for: help and completion come at once. */
async function run(words: readonly string[]): Promise<void> {
  const command = parseCommandLine(words);
  if (command.name === 'help' || command.name === 'version') {
    process.stdout.write(command.text);
    return;
  }
  if (command.name === 'completion') {
    (await import('./command-line.js')).completion(command.shell);
    return;
  }
  requireWorkingFolder();
  // Said once, where several processes serve.
  for (const warning of cluster.isPrimary ? unknownVariables(process.env) : []) say(`warning: ${warning}`);
  switch (command.name) {
    case 'serve':
      return (await import('./commands/serve.js')).serve();
    case 'token':
      return (await import('./commands/token.js')).token(command.request);
    case 'migrate':
      return (await import('./commands/migrate.js')).migrate();
    case 'notifications':
      return (await import('./commands/notifications.js')).notifications(command.request);
    case 'services':
      return (await import('./commands/services.js')).services(command.request);
    case 'hours':
      return (await import('./commands/hours.js')).hours(command.request);
    case 'availability':
      return (await import('./commands/availability.js')).availability(command.request);
    case 'openapi':
      (await import('./commands/openapi.js')).openapi();
  }
}

/**
 * A release that was replaced takes its folder with it, and terminals and supervisors still stand there: relative paths lead nowhere.
 *
 * @throws UnavailableError when the working folder was removed
 */
function requireWorkingFolder(): void {
  try {
    process.cwd();
  } catch (cause) {
    const message = 'the folder in which this was started was removed: change to one that is there, and start again';
    throw new UnavailableError(message, { cause });
  }
}

/** Says what is wrong in one message, and ends the process with the code for it. */
async function complain(error: unknown): Promise<never> {
  if (error instanceof UsageError) {
    say(`${error.message}\n\n${error.usage}`);
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
  const { faultFields } = await import('./log/fault-fields.js');
  say(`ended by a fault: ${JSON.stringify(faultFields(error))}`);
  process.exit(exitCodes.fault);
}

function say(text: string): void {
  process.stderr.write(`calends: ${text.trimEnd()}\n`);
}
