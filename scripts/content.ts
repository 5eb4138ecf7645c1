// npm run content -- export: what the desk says over content/, written into its files.
import { toCancunDay } from '../src/domain/cancun-time.ts';
import { toHorizon } from '../src/domain/event/occurrences.ts';
import { exportDesk } from '../src/sources/inbox/export-desk.ts';
import { readInboxRecords } from '../src/sources/inbox/read-inbox.ts';
import { type Desk, runInboxCommand } from './commands.ts';

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

function writeFiles({ config, inbox, actor }: Desk): string {
  const horizon = toHorizon(toCancunDay(actor.now_ms));
  const fields = exportDesk(config.content_dir, readInboxRecords(inbox), horizon);
  const lines = fields.map(({ file, field, outcome }) =>
    [file, field, WORDS[outcome]].filter(Boolean).join(' · '),
  );
  return lines.join('\n') || 'Content says all that the desk says.';
}

await runInboxCommand(
  `Writes what the desk says over content into the YAML of CONTENT_DIR: only the fields that changed; comments and order stay, and
twice is once. Of venues or organizers that were made one, the other file is deleted. An edit ends by itself when a release
finds that its file says the same: look at the files (git diff) and publish. What was decided on an event stays at the desk, too.`,
  {
    export: [
      'edits, decisions on events, and what was made one; what is left alone is named',
      writeFiles,
    ],
  },
);
