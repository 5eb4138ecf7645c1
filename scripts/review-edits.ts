// What the desk does over sources, in a terminal: edits of fields, the way back, merges.
import { readChanges } from '../src/desk/edit-form.ts';
import { editThing, keepEdit, listEdits, readThing, useSource } from '../src/desk/edit-thing.ts';
import { mergeInto, split } from '../src/desk/merge-things.ts';
import type { Actor } from '../src/domain/decision.ts';
import { HISTORY_KINDS, type HistoryKind } from '../src/domain/history.ts';
import { MERGEABLE, type Merge } from '../src/domain/patch.ts';
import type { Inbox } from '../src/inbox/open.ts';
import { listLeftOut, listMerges, listSources } from '../src/inbox/patches.ts';
import { findId } from '../src/snapshot/get-thing.ts';
import type { Snapshot } from '../src/snapshot/open.ts';

/** Their part of `npm run review -- --help`. */
export const EDIT_HELP = `  edits                        what the desk says over its sources, and what of it could not be taken
  edit KIND NAME FIELD=TEXT … --reason "…"
                               a field of an event, venue, organizer or notice, by id, slug or file name; FIELD as in its form:
                               title.es="…" tags=trova,noche when.0.start=20:00 price.min=150; with nothing behind = it goes
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
type Command = (terminal: Terminal) => string;

const NEXT = 'from the next release on: npm run release, or wait for the schedule';

function toKind(word: string): HistoryKind {
  const kind = HISTORY_KINDS.find((one) => one === word);
  if (kind === undefined) throw new Error(`'${word}' is none of ${HISTORY_KINDS.join(', ')}`);
  return kind;
}

function findThing({ inbox, snapshot }: Terminal, kind: HistoryKind, name: string): string {
  const id = kind === 'notice' ? null : findId(snapshot, kind, name);
  const found = listSources(inbox, kind).find(
    (source) => source.id === id || source.id === name || source.file.endsWith(`/${name}.yml`),
  );
  if (found === undefined) throw new Error(`There is no ${kind} '${name}' in the last release`);
  return found.id;
}

function toGiven(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const cut = pair.indexOf('=');
      if (cut < 1) throw new Error(`'${pair}' is no FIELD=TEXT`);
      return [pair.slice(0, cut), pair.slice(cut + 1)];
    }),
  );
}

function edit(
  terminal: Terminal,
  [word = '', name = '', ...pairs]: readonly string[],
  reason: string,
) {
  const { inbox, actor, snapshot } = terminal;
  const kind = toKind(word);
  const id = findThing(terminal, kind, name);
  const record = readThing(inbox, id)?.record ?? {};
  const changed = readChanges(kind, record, toGiven(pairs));
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
  reason: string,
): Readonly<Record<string, Command>> => ({
  edits: listAll,
  edit: (terminal) => edit(terminal, args, reason),
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
    mergeInto(terminal.inbox, terminal.actor, toMerge(terminal, args), reason);
    return `They are one ${NEXT}.`;
  },
  split: (terminal) => {
    split(terminal.inbox, terminal.actor, args[1] ?? '');
    return `They are two ${NEXT}.`;
  },
});
