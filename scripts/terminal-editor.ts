// Under which name the log has what is done in a terminal.
import { userInfo } from 'node:os';

/** The user's, or the number of one that the system has no name for, as a container may have. */
export function nameEditor(): string {
  try {
    return `${userInfo().username} (terminal)`;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'} (terminal)`;
  }
}
