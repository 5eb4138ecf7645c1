// npm run editors: manages the accounts of the review desk.
import { addEditor, removeEditor, removeSecondFactor } from '../src/desk/editor-accounts.ts';
import { compactStore } from '../src/inbox/erase.ts';
import { getEditor, listEditors } from '../src/inbox/editors.ts';
import { DESK_PATHS } from '../src/i18n/paths.ts';
import { type InboxCommandContext, runInboxCommand } from './commands.ts';

/** Returns the stored spelling of an editor's name. @throws Error if there is no such editor. */
async function findEditorName({ inbox }: InboxCommandContext, name: string): Promise<string> {
  const stored = await getEditor(inbox, name.normalize('NFC'));
  if (stored !== null) return stored.name;
  throw new Error(`There is no editor '${name}'. npm run editors -- list shows all`);
}

await runInboxCommand(
  `Editors log in at ${DESK_PATHS.today} with a name and a generated password. Quote a name of several words.`,
  {
    'add NAME': [
      'adds an editor, or resets the password of an existing one, and prints the password once',
      async ({ inbox, config, actor }, typed_name) => {
        const name = typed_name.normalize('NFC');
        const password = await addEditor(inbox, name, actor.now_ms, actor.editor);
        const desk = `${config.site_url}${DESK_PATHS.today}`;
        return `${name}\n\n  ${password}\n\nPass it on now: only its hash is stored, so it cannot be shown again. The desk is at ${desk}`;
      },
    ],
    list: [
      'lists all editors',
      async ({ inbox }) => {
        const lines = (await listEditors(inbox)).map(({ name, added_at, factor }) => {
          // Otherwise `off`, or `waiting` for the first code.
          const factor_text = (factor === 'on' ? 'second factor' : '').padEnd(13);
          return `${added_at.slice(0, 10)}  ${factor_text}  ${name}`;
        });
        return lines.join('\n') || 'There are no editors. npm run editors -- add NAME adds one.';
      },
    ],
    'remove NAME': [
      'removes the account and ends its sessions; decisions stay in the log; the last editor cannot be removed',
      async (context, typed_name) => {
        const name = await findEditorName(context, typed_name);
        await removeEditor(context.inbox, context.actor, name);
        return `Removed ${name}.`;
      },
    ],
    'factor-off NAME': [
      'removes the second factor, if phone and recovery codes are lost',
      async (context, typed_name) => {
        const name = await findEditorName(context, typed_name);
        await removeSecondFactor(context.inbox, context.actor, name);
        return `${name} can log in with the password alone.`;
      },
    ],
    // Internal: the server runs it as a child process, so that the rewriting does not block it
    // (src/server/process/maintenance.ts).
    compact: [
      'rewrites the inbox, so that no erased bytes remain; the running service does this itself',
      async ({ inbox }) => {
        await compactStore(inbox);
        return 'The inbox was compacted.';
      },
    ],
  },
);
