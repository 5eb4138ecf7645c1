// npm run editors: who may use the review desk on the web, as what, and from where they are in.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startClock } from '../src/clock.ts';
import { readConfig } from '../src/config.ts';
import { AppError } from '../src/domain/app-error.ts';
import { formatTimestamp } from '../src/domain/cancun-time.ts';
import type { Actor } from '../src/domain/decision.ts';
import { parseRole, type Role, ROLES } from '../src/domain/editor.ts';
import { addEditor, changeRole, removeEditor } from '../src/desk/editors.ts';
import { removeFactor } from '../src/desk/second-factor.ts';
import { endAll, endListed, listLiveSessions } from '../src/desk/sessions.ts';
import { getEditor, listEditors } from '../src/inbox/editors.ts';
import { type Inbox, openInbox } from '../src/inbox/open.ts';
import { nameEditor } from './terminal-editor.ts';

const HELP = `npm run editors -- add NAME [--role ROLE] · list · role NAME ROLE · remove NAME · sessions [NAME] · end ID · end-all NAME · factor-off NAME

Editors log in at /revision with a name and a password that is made here. A role is editor or administrator: an
administrator also decides, on the web, who may come in, and ends anybody's sessions.
  add NAME          makes a password and shows it, once; for a name that is there already, a new one. The first of all is an
                    administrator, the others are editors, or what --role says
  list              everybody who may come in
  role NAME ROLE    makes an editor an administrator, or the other way; the last administrator stays one
  remove NAME       ends their sessions and lets them in no more; what they decided stays in the log
  sessions [NAME]   who is in, on what, since when
  end ID            ends one of them
  end-all NAME      ends all of an editor
  factor-off NAME   takes away a second factor, where telephone and recovery codes are lost
`;

const { values, positionals } = parseArgs({
  options: { help: { type: 'boolean', short: 'h' }, role: { type: 'string' } },
  allowPositionals: true,
});
const say = (line: string): void => void process.stdout.write(`${line}\n`);

function toRole(text: string): Role {
  const role = parseRole(text);
  if (role === null) throw new Error(`'${text}' is no role: ${ROLES.join(' or ')}`);
  return role;
}

/** Throws where there is none, with what to do. */
function find(inbox: Inbox, name: string): string {
  if (getEditor(inbox, name) === null)
    throw new Error(`There is no editor '${name}'. npm run editors -- list shows them`);
  return name;
}

type Command = (inbox: Inbox, actor: Actor, words: readonly string[]) => Promise<void> | void;

const toName = (words: readonly string[]): string => words.join(' ').normalize('NFC');

const COMMANDS: Readonly<Record<string, Command>> = {
  add: async (inbox, { editor: by, now_ms }, words) => {
    const role = values.role === undefined ? undefined : toRole(values.role);
    const name = toName(words);
    const password = await addEditor(inbox, name, now_ms, { role, by });
    say(
      `${name}\n\n  ${password}\n\nHand it over now: it is kept as a hash only and cannot be shown again. The desk is at ${readConfig().site_url}/revision`,
    );
  },
  list: (inbox) => {
    const lines = listEditors(inbox).map(
      ({ name, role, added_at, has_factor }) =>
        `${added_at.slice(0, 10)}  ${role.padEnd(13)}  ${has_factor ? 'second factor' : '             '}  ${name}`,
    );
    say(lines.join('\n') || 'There are no editors. npm run editors -- add NAME makes one.');
  },
  role: (inbox, actor, words) => {
    const [role, name] = [toRole(words.at(-1) ?? ''), find(inbox, toName(words.slice(0, -1)))];
    changeRole(inbox, actor, name, role);
    say(`${name} is ${role} now.`);
  },
  remove: (inbox, actor, words) => {
    const name = find(inbox, toName(words));
    removeEditor(inbox, actor, name);
    say(`${name} is removed.`);
  },
  sessions: (inbox, { now_ms }, words) => {
    const owner = words.length === 0 ? null : find(inbox, toName(words));
    const lines = listLiveSessions(inbox, owner, now_ms).map(
      ({ id, editor, device, started_ms, seen_ms }) =>
        `${id}  since ${toMinute(started_ms)}  seen ${toMinute(seen_ms)}  ${editor}  ${device}`,
    );
    say(lines.join('\n') || 'Nobody is in.');
  },
  end: (inbox, actor, [id = '']) => {
    endListed(inbox, actor, id, null);
    say(`${id} is ended.`);
  },
  'end-all': (inbox, actor, words) => {
    const name = find(inbox, toName(words));
    say(`${endAll(inbox, actor, name, null)} sessions of ${name} are ended.`);
  },
  'factor-off': (inbox, actor, words) => {
    const name = find(inbox, toName(words));
    removeFactor(inbox, actor, name);
    say(`${name} comes in with the password alone.`);
  },
};

const toMinute = (ms: number): string => formatTimestamp(ms).slice(0, 16);

async function take(command: Command, words: readonly string[]): Promise<void> {
  const { data_dir, clock_start } = readConfig();
  const inbox = openInbox(join(data_dir, 'inbox.db'));
  const actor = { editor: nameEditor(), now_ms: startClock(clock_start)() };
  try {
    await command(inbox, actor, words);
  } catch (thrown) {
    throw thrown instanceof AppError ? new Error(thrown.message) : thrown;
  } finally {
    inbox.close();
  }
}

const [name = '', ...rest] = positionals;
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
const may_be_alone = name === 'list' || name === 'sessions';
const is_whole = name === 'list' ? rest.length === 0 : may_be_alone || rest.length > 0;
if (values.help) process.stdout.write(HELP);
else if (command === undefined || !is_whole) throw new Error(`Say what to do.\n\n${HELP}`);
else await take(command, rest);
