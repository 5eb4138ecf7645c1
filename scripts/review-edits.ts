// What the desk does over sources, in a terminal: edits of fields, the way back, merges.
import { readFileSync } from 'node:fs';
import { readChanges } from '../src/desk/edit-form.ts';
import { editThing, keepEdit, listEdits, readThing, useSource } from '../src/desk/edit-thing.ts';
import { mergeInto, split } from '../src/desk/merge-things.ts';
import { openSources } from '../src/desk/sources.ts';
import { holdPicture, toUploadId } from '../src/desk/uploads.ts';
import { PICTURE_CONTROLS, readPictureFields } from '../src/domain/edit/picture-fields.ts';
import { makeIntakePicture } from '../src/pictures/intake.ts';
import type { Actor } from '../src/domain/decision.ts';
import { HISTORY_KINDS, type HistoryKind } from '../src/domain/history.ts';
import { MERGEABLE, type Merge } from '../src/domain/patch.ts';
import type { Inbox } from '../src/inbox/open.ts';
import { listLeftOut, listMerges } from '../src/inbox/patches.ts';
import { findId } from '../src/snapshot/get-thing.ts';
import type { Snapshot } from '../src/snapshot/open.ts';

/** Their part of `npm run review -- --help`. */
export const EDIT_HELP = `  edits                        what the desk says over its sources, and what of it could not be taken
  edit KIND NAME FIELD=TEXT … --reason "…"
                               a field of an event, venue, organizer or notice, by id, slug, file name or reference; FIELD as in its form:
                               title.es="…" tags=trova,noche when.0.start=20:00 price.min=150; with nothing behind = it goes;
                               a picture of a file with --picture FILE image.alt.es="…" image.alt.en="…"
  source KIND NAME [FIELD]     back to what its source says: one field, or all
  keep KIND NAME FIELD         the source has changed, and the edit stays
  merge KIND OLD INTO --reason "…"
                               two venues or organizers are one: the old one's events move, its addresses lead to the other
  split KIND OLD_ID            they are two again
`;

interface Terminal {
  readonly inbox: Inbox;
  readonly snapshot: Snapshot;
  readonly actor: Actor;
}
type Command = (terminal: Terminal) => string | Promise<string>;

/** What is given behind `--`. */
interface EditOptions {
  readonly reason: string;
  /** The path of a picture. */
  readonly picture: string | undefined;
}

const NEXT = 'from the next release on: npm run release, or wait for the schedule';

function toKind(word: string): HistoryKind {
  const kind = HISTORY_KINDS.find((one) => one === word);
  if (kind === undefined) throw new Error(`'${word}' is none of ${HISTORY_KINDS.join(', ')}`);
  return kind;
}

function findThing({ inbox, snapshot }: Terminal, kind: HistoryKind, name: string): string {
  const id = kind === 'notice' ? null : findId(snapshot, kind, name);
  const found = openSources(inbox)
    .list(kind)
    .find(({ id: own, file }) => own === id || own === name || toName(file) === name);
  if (found === undefined) throw new Error(`There is no ${kind} '${name}'`);
  return found.id;
}

/** What a file is called, or under which reference its thing came in. */
const toName = (file: string): string => file.replace(/^.*\//, '').replace(/\.yml$/, '');

function toGiven(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const cut = pair.indexOf('=');
      if (cut < 1) throw new Error(`'${pair}' is no FIELD=TEXT`);
      return [pair.slice(0, cut), pair.slice(cut + 1)];
    }),
  );
}

/** A picture of a file, made our own, as the field that names it; nothing where no file is given. */
async function holdFile(
  { inbox, actor }: Terminal,
  file: string | undefined,
): Promise<Readonly<Record<string, string>>> {
  if (file === undefined) return {};
  const bytes = readFileSync(file);
  const id = toUploadId(inbox, bytes);
  const taken = await makeIntakePicture(bytes);
  holdPicture(inbox, { id, ...taken }, { sender: actor.editor, now_ms: actor.now_ms });
  return readPictureFields({ [PICTURE_CONTROLS.chosen]: id });
}

async function edit(
  terminal: Terminal,
  [word = '', name = '', ...pairs]: readonly string[],
  { reason, picture }: EditOptions,
): Promise<string> {
  const { inbox, actor, snapshot } = terminal;
  const kind = toKind(word);
  const id = findThing(terminal, kind, name);
  const record = readThing(inbox, id)?.record ?? {};
  const given = { ...toGiven(pairs), ...(await holdFile(terminal, picture)) };
  const changed = readChanges(kind, record, given);
  const town = { snapshot, now_ms: actor.now_ms };
  const issues = editThing(inbox, actor, id, changed, reason, town);
  if (issues.length > 0)
    throw new Error(
      `It cannot be edited:\n${issues.map(({ path, message }) => `  ${path}: ${message}`).join('\n')}`,
    );
  return `${id} says so ${NEXT}.`;
}

function toMerge(terminal: Terminal, [word = '', old = '', into = '']: readonly string[]): Merge {
  const kind = MERGEABLE.find((one) => one === word);
  if (kind === undefined) throw new Error(`'${word}' is none of ${MERGEABLE.join(', ')}`);
  return { kind, old: findThing(terminal, kind, old), kept: findThing(terminal, kind, into) };
}

function listAll({ inbox }: Terminal): string {
  const edits = listEdits(inbox).map(
    ({ patch, source }) =>
      `${patch.state.padEnd(8)}  ${patch.kind.padEnd(9)}  ${patch.thing}  ${patch.field}  ${source?.file ?? 'its source is gone'}`,
  );
  const merges = listMerges(inbox).map(
    ({ kind, old, kept }) => `merged    ${kind.padEnd(9)}  ${old} into ${kept}`,
  );
  const left_out = listLeftOut(inbox).map((line) => `left out  ${line}`);
  const lines = [...left_out, ...edits, ...merges];
  return lines.length === 0 ? 'Everything is as its source has it.' : lines.join('\n');
}

/** The commands, each giving what it says; `args` is what stands behind its name. */
export const toEditCommands = (
  args: readonly string[],
  options: EditOptions,
): Readonly<Record<string, Command>> => ({
  edits: listAll,
  edit: (terminal) => edit(terminal, args, options),
  source: (terminal) => {
    const [kind = '', name = '', field = null] = args;
    useSource(terminal.inbox, terminal.actor, findThing(terminal, toKind(kind), name), field);
    return `It says what its source says ${NEXT}.`;
  },
  keep: (terminal) => {
    const [kind = '', name = '', field = ''] = args;
    keepEdit(terminal.inbox, terminal.actor, findThing(terminal, toKind(kind), name), field);
    return 'The edit stays over what the source says now.';
  },
  merge: (terminal) => {
    mergeInto(terminal.inbox, terminal.actor, toMerge(terminal, args), options.reason);
    return `They are one ${NEXT}.`;
  },
  split: (terminal) => {
    split(terminal.inbox, terminal.actor, args[1] ?? '');
    return `They are two ${NEXT}.`;
  },
});
