// npm run editors: who may use the review desk on the web, and as what.
import { parseRole, ROLES } from '../src/domain/editor.ts';
import { addEditor, removeEditor } from '../src/desk/editors.ts';
import { removeFactor } from '../src/desk/second-factor.ts';
import { DESK_PATHS } from '../src/i18n/paths.ts';
import { getEditor, listEditors } from '../src/inbox/editors.ts';
import { type Desk, runInboxCommand } from './commands.ts';

/** The name as it is stored. */
function find({ inbox }: Desk, name: string): string {
  const stored = getEditor(inbox, name.normalize('NFC'));
  if (stored !== null) return stored.name;
  throw new Error(`There is no editor '${name}'; npm run editors -- list shows them`);
}

async function add({ inbox, config, actor, options }: Desk, word: string): Promise<string> {
  const role = options.role === undefined ? undefined : parseRole(options.role);
  if (role === null) throw new Error(`--role: must be ${ROLES.join(' or ')}`);
  const name = word.normalize('NFC');
  const password = await addEditor(inbox, name, actor.now_ms, { role, by: actor.editor });
  const desk = `${config.site_url}${DESK_PATHS.queue}`;
  return `${name}\n\n  ${password}\n\nHand it over now: it is kept as a hash only and cannot be shown again. The desk is at ${desk}`;
}

function list({ inbox }: Desk): string {
  const lines = listEditors(inbox).map(({ name, role, added_at, has_factor }) => {
    const factor = has_factor ? 'second factor' : ''.padEnd(13);
    return `${added_at.slice(0, 10)}  ${role.padEnd(13)}  ${factor}  ${name}`;
  });
  return lines.join('\n') || 'There are no editors. npm run editors -- add NAME makes one.';
}

const toCommand =
  (change: typeof removeEditor | typeof removeFactor, said: string) =>
  (desk: Desk, name: string): string => {
    change(desk.inbox, desk.actor, find(desk, name));
    return `${name} ${said}`;
  };

await runInboxCommand(
  `Editors log in at ${DESK_PATHS.queue} with a name and a password that is made here. A role is editor or administrator: an administrator
also decides, on the web, who may come in, and sees and ends anybody's sessions. A name of several words stands in quotes.`,
  {
    'add NAME [--role ROLE]': [
      'makes a password, also for who is there already, and shows it once; the first is an administrator, the others are editors',
      add,
    ],
    list: ['everybody who may come in', list],
    'remove NAME': [
      'ends their sessions and lets them in no more; what they decided stays in the log',
      toCommand(removeEditor, 'is removed.'),
    ],
    'factor-off NAME': [
      'takes away a second factor, where telephone and recovery codes are lost',
      toCommand(removeFactor, 'comes in with the password alone.'),
    ],
  },
);
