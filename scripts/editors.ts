// npm run editors: who may use the review desk on the web.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startClock } from '../src/clock.ts';
import { readConfig } from '../src/config.ts';
import { AppError } from '../src/domain/app-error.ts';
import { addEditor } from '../src/desk/editors.ts';
import { listEditors, removeEditor } from '../src/inbox/editors.ts';
import { openInbox } from '../src/inbox/open.ts';

const HELP = `npm run editors -- add NAME · list · remove NAME

Editors log in at /revision with a name and a password that is made here.
  add NAME      makes a password and shows it, once; for a name that is there already, a new one
  list          everybody who may come in
  remove NAME   ends their sessions and lets them in no more; what they decided stays in the log
`;

const { values, positionals } = parseArgs({
  options: { help: { type: 'boolean', short: 'h' } },
  allowPositionals: true,
});
const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function take(command: string, name: string): Promise<void> {
  const { data_dir, clock_start, site_url } = readConfig();
  const inbox = openInbox(join(data_dir, 'inbox.db'));
  try {
    if (command === 'add') {
      const password = await addEditor(inbox, name, startClock(clock_start)());
      say(
        `${name}\n\n  ${password}\n\nHand it over now: it is kept as a hash only and cannot be shown again. The desk is at ${site_url}/revision`,
      );
    } else if (command === 'remove') {
      if (!removeEditor(inbox, name))
        throw new Error(`There is no editor '${name}'. npm run editors -- list shows them`);
      say(`${name} is removed.`);
    } else {
      const editors = listEditors(inbox);
      say(
        editors.length === 0
          ? 'There are no editors. npm run editors -- add NAME makes one.'
          : editors.map((editor) => `${editor.added_at.slice(0, 10)}  ${editor.name}`).join('\n'),
      );
    }
  } catch (thrown) {
    throw thrown instanceof AppError ? new Error(thrown.message) : thrown;
  } finally {
    inbox.close();
  }
}

const [command = '', ...rest] = positionals;
const is_whole =
  command === 'list' ? rest.length === 0 : ['add', 'remove'].includes(command) && rest.length > 0;
if (values.help) process.stdout.write(HELP);
else if (!is_whole) throw new Error(`Say what to do.\n\n${HELP}`);
else await take(command, rest.join(' ').normalize('NFC'));
