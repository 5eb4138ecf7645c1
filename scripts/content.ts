// npm run content -- export: what the desk says over content/, written into its files.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startClock } from '../src/clock.ts';
import { readConfig } from '../src/config.ts';
import { toCancunDay } from '../src/domain/cancun-time.ts';
import { toHorizon } from '../src/domain/event/occurrences.ts';
import { openInbox } from '../src/inbox/open.ts';
import { exportDesk } from '../src/sources/inbox/export-desk.ts';
import { readInboxRecords } from '../src/sources/inbox/read-inbox.ts';

const HELP = `npm run content -- export

Writes what the desk says over content into the YAML of CONTENT_DIR: edits of fields, cancellations and the like, and venues and
organizers that were made one (former_ids and former_slugs of the kept file; events name it; the other file is deleted). Only the
fields that changed; comments and the order of a file stay. Done twice it changes nothing more. An edit ends by itself when a
release finds that its file says the same: look at the files (git diff), publish, and the desk has it no more; what was decided
on an event stays at the desk beside its file. Left alone and named: edits whose file has changed meanwhile (settle them at
/revision/ediciones), what does not pass any more, and what came through the form, which has no file.
`;
const WORDS = {
  written: 'written',
  deleted: 'deleted: it is one with another',
  conflict: 'left alone: its file has changed since the edit. Settle it at the desk first',
  faulty: 'left alone: it does not pass the rules of content any more. The desk says why',
  not_in_content: 'left alone: it came through the form, or names what did, and has no file',
  uploaded:
    'left alone: its picture was uploaded and lies in the inbox. A file can only name a link',
  gone: 'left alone: content has no such thing',
} as const;

const {
  values,
  positionals: [command],
} = parseArgs({ options: { help: { type: 'boolean', short: 'h' } }, allowPositionals: true });

if (values.help) process.stdout.write(HELP);
else if (command !== 'export') throw new Error(`Say what to do.\n\n${HELP}`);
else {
  const { data_dir, content_dir, clock_start } = readConfig();
  const inbox = openInbox(join(data_dir, 'inbox.db'));
  try {
    const horizon = toHorizon(toCancunDay(startClock(clock_start)()));
    const fields = exportDesk(content_dir, readInboxRecords(inbox), horizon);
    const lines = fields.map(({ file, field, outcome }) =>
      [file, field, WORDS[outcome]].filter(Boolean).join(' · '),
    );
    process.stdout.write(
      `${lines.length === 0 ? 'Content says all that the desk says.' : lines.join('\n')}\n`,
    );
  } finally {
    inbox.close();
  }
}
