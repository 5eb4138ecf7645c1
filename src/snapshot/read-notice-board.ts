// The board of a day: what the page of notices, its Markdown and the MCP resource say.
import type { Temporal } from 'temporal-polyfill';
import { BOARD_DAYS, type NoticeBoard, toNoticeBoard } from '../domain/notices-of-day.ts';
import { findNotices } from './find-notices.ts';
import type { Snapshot } from './open.ts';

/** Today's notices, tomorrow's new ones, seasons, and what comes in the next 30 days. */
export const readNoticeBoard = (snapshot: Snapshot, day: Temporal.PlainDate): NoticeBoard =>
  toNoticeBoard(day, findNotices(snapshot, day, day.add({ days: BOARD_DAYS })));
