// npm run editors: who may use the review desk on the web.
import { addEditor, removeEditor, removeSecondFactor } from '../src/desk/editor-accounts.ts';
import { compactStore } from '../src/inbox/erase.ts';
import { getEditor, listEditors } from '../src/inbox/editors.ts';
import { DESK_PATHS } from '../src/i18n/paths.ts';
import { type Desk, runInboxCommand } from './commands.ts';

async function find({ inbox }: Desk, name: string): Promise<string> {
  const stored = await getEditor(inbox, name.normalize('NFC'));
  if (stored !== null) return stored.name;
  throw new Error(`There is no editor '${name}'; npm run editors -- list shows them`);
}

await runInboxCommand(
  `Editors log in at ${DESK_PATHS.today} with a name and a password that is made here. A name of several words stands in quotes.`,
  {
    'add NAME': [
      'makes a password, also for who is there already, and shows it once',
      async ({ inbox, config, actor }, word) => {
        const name = word.normalize('NFC');
        const password = await addEditor(inbox, name, actor.now_ms, actor.editor);
        const desk = `${config.site_url}${DESK_PATHS.today}`;
        return `${name}\n\n  ${password}\n\nHand it over now: it is kept as a hash only and cannot be shown again. The desk is at ${desk}`;
      },
    ],
    list: [
      'everybody who may come in',
      async ({ inbox }) => {
        const lines = (await listEditors(inbox)).map(({ name, added_at, factor }) => {
          const asks = factor === 'on' ? 'second factor' : ''.padEnd(13);
          return `${added_at.slice(0, 10)}  ${asks}  ${name}`;
        });
        return lines.join('\n') || 'There are no editors. npm run editors -- add NAME makes one.';
      },
    ],
    'remove NAME': [
      'ends their sessions and lets them in no more; what they decided stays in the log; the last one stays',
      async (desk, word) => {
        const name = await find(desk, word);
        await removeEditor(desk.inbox, desk.actor, name);
        return `${name} is removed.`;
      },
    ],
    'factor-off NAME': [
      'takes away a second factor, where telephone and recovery codes are lost',
      async (desk, word) => {
        const name = await find(desk, word);
        await removeSecondFactor(desk.inbox, desk.actor, name);
        return `${name} comes in with the password alone.`;
      },
    ],
    compact: [
      'writes the inbox anew, so that nothing is left of what was erased; the service does that by itself',
      async ({ inbox }) => {
        await compactStore(inbox);
        return 'The inbox is written anew.';
      },
    ],
  },
);
