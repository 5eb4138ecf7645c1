// Commands over the inbox: which one is meant, on what it works, who gives it.
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { startClock } from '../src/clock.ts';
import { type Config, readConfig } from '../src/config.ts';
import type { Actor } from '../src/domain/decision.ts';
import { type Inbox, openInbox } from '../src/inbox/open.ts';
import { type Asked, asksHelp, readArguments, say } from './commands.ts';

export interface Desk extends Pick<Asked, 'options'> {
  readonly config: Config;
  readonly inbox: Inbox;
  readonly actor: Actor;
}

/** What a command is for, and what it does; the text that it gives is printed. */
type Command = readonly [
  what: string,
  run: (desk: Desk, ...words: string[]) => string | Promise<string>,
];

/**
 * Runs the command that the command line names. `commands` are listed by their use, which is the
 * syntax too: `cancel EVENT [--reason TEXT]`. Throws with the use where words or options do not fit.
 */
export async function runInboxCommand(
  about: string,
  commands: Readonly<Record<string, Command>>,
): Promise<void> {
  const [name = '', ...args] = process.argv.slice(2);
  const uses = Object.entries(commands);
  const found = uses.find(([use]) => use.split(' ')[0] === name);
  const help = `${about}\n\n${uses.map(([use, [what]]) => `  ${use}\n      ${what}`).join('\n')}\n`;
  if (asksHelp([name, ...args])) return void process.stdout.write(help);
  if (found === undefined) throw new Error(`Say what to do.\n\n${help}`);
  const [use, [, run]] = found;
  const { words, options } = readArguments(use, [name, ...args]);
  const config = readConfig();
  const inbox = openInbox(join(config.data_dir, 'inbox.db'));
  const actor = { editor: nameEditor(), now_ms: startClock(config.clock_start)() };
  try {
    say(await run({ config, inbox, actor, options }, ...words.slice(1)));
  } finally {
    inbox.close();
  }
}

/** The user's name, or the number of one without a name, as a container may have. */
function nameEditor(): string {
  try {
    return `${userInfo().username} (terminal)`;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'} (terminal)`;
  }
}
