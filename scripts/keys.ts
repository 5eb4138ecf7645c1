// npm run keys: makes, lists and revokes API keys. A running server knows of each at once.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startClock } from '../src/clock.ts';
import { readConfig } from '../src/config.ts';
import { AppError } from '../src/domain/app-error.ts';
import { createKey } from '../src/desk/api-keys.ts';
import { type ApiKey, listKeys, revokeKey } from '../src/inbox/api-keys.ts';
import { openInbox } from '../src/inbox/open.ts';

const HELP = `npm run keys -- create NAME · list · revoke ID

Keys raise the allowance of who sends them as x-api-key (RATE_LIMIT_KEY requests a minute). They open nothing else.
  create NAME   makes a key for somebody and shows it, once
  list          all keys, with the day of their last use
  revoke ID     ends one: a running server refuses it from the next request on
`;

const { values, positionals } = parseArgs({
  options: { help: { type: 'boolean', short: 'h' } },
  allowPositionals: true,
});
const say = (line: string): void => void process.stdout.write(`${line}\n`);

function toLine({ id, name, created_at, last_used_on, revoked_at }: ApiKey): string {
  const state =
    revoked_at === null ? `last used ${last_used_on ?? 'never'}` : `revoked ${revoked_at}`;
  return `${id}  ${created_at.slice(0, 10)}  ${name}  (${state})`;
}

function take(command: string | undefined, argument: string): void {
  const { data_dir, clock_start } = readConfig();
  const inbox = openInbox(join(data_dir, 'inbox.db'));
  const now_ms = startClock(clock_start)();
  try {
    if (command === 'create') {
      const { id, key } = createKey(inbox, argument, now_ms);
      say(
        `${id}  ${argument}\n\n  ${key}\n\nHand it over now: it is kept as a hash only and cannot be shown again.`,
      );
    } else if (command === 'revoke') {
      if (!revokeKey(inbox, argument, now_ms))
        throw new Error(
          `There is no live key with the id '${argument}'. npm run keys -- list shows them`,
        );
      say(`${argument} is revoked.`);
    } else {
      const keys = listKeys(inbox);
      say(
        keys.length === 0
          ? 'There are no keys. npm run keys -- create NAME makes one.'
          : keys.map(toLine).join('\n'),
      );
    }
  } catch (thrown) {
    throw thrown instanceof AppError ? new Error(thrown.message) : thrown;
  } finally {
    inbox.close();
  }
}

/** How many words follow each command, and what is missing or too much where they do not. */
const WORDS_AFTER: Readonly<
  Record<string, { readonly fits: (count: number) => boolean; readonly issue: string }>
> = {
  create: { fits: (count) => count > 0, issue: 'Say whose key it is: create NAME' },
  list: { fits: (count) => count === 0, issue: 'list takes nothing more' },
  revoke: { fits: (count) => count === 1, issue: 'Say which key to end: revoke ID' },
};

const [command = '', ...rest] = positionals;
if (values.help) process.stdout.write(HELP);
else {
  const words = Object.hasOwn(WORDS_AFTER, command) ? WORDS_AFTER[command] : undefined;
  if (!words?.fits(rest.length)) throw new Error(`${words?.issue ?? 'Say what to do.'}\n\n${HELP}`);
  take(command, rest.join(' '));
}
