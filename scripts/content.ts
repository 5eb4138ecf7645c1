// npm run content -- export: what the desk says over content/, written into its files.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '../src/config.ts';
import { HISTORY_KINDS } from '../src/domain/history.ts';
import { openInbox } from '../src/inbox/open.ts';
import { listPatches, listSources } from '../src/inbox/patches.ts';
import { exportPatches } from '../src/sources/inbox/export-patches.ts';

const HELP = `npm run content -- export

Writes the edits of the desk into the YAML of CONTENT_DIR: only the fields that changed; comments and the order of a file stay.
Done twice it changes nothing more. An edit ends by itself when a release finds that its file says the same: look at the files
(git diff), publish, and the desk has it no more. Left alone and named: edits whose file has changed meanwhile (settle them at
/revision/ediciones), and those of what came through the form, which has no file.
`;
const WORDS = {
  written: 'written',
  conflict: 'left alone: its file has changed since the edit. Settle it at the desk first',
  not_in_content: 'left alone: it came through the form, or names what did, and has no file',
  gone: 'left alone: the last release has no such thing',
} as const;

const {
  values,
  positionals: [command],
} = parseArgs({ options: { help: { type: 'boolean', short: 'h' } }, allowPositionals: true });

if (values.help) process.stdout.write(HELP);
else if (command !== 'export') throw new Error(`Say what to do.\n\n${HELP}`);
else {
  const { data_dir, content_dir } = readConfig();
  const inbox = openInbox(join(data_dir, 'inbox.db'));
  try {
    const sources = HISTORY_KINDS.flatMap((kind) => listSources(inbox, kind));
    const by_id = new Map(sources.map((source) => [source.id, source]));
    const fields = exportPatches(content_dir, listPatches(inbox), by_id);
    const lines = fields.map(({ file, field, outcome }) => `${file} ${field}: ${WORDS[outcome]}`);
    process.stdout.write(
      `${lines.length === 0 ? 'The desk says nothing over content.' : lines.join('\n')}\n`,
    );
  } finally {
    inbox.close();
  }
}
