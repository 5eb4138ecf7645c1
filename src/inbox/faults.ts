// What keeps a store from storing, said as errors that whoever asked is shown.
import type {
  AbortableOperationOptions,
  CompiledQuery,
  DatabaseConnection,
  Dialect,
  Driver,
} from 'kysely';
import { AppError } from '../domain/app-error.ts';

/** What an error of a store means: somebody else has it to themselves; it takes or gives nothing now. */
export type ToFault = (thrown: unknown) => 'busy' | 'not_stored' | null;

/** The error of who needs what somebody else has to themselves. */
export const toBusyError = (cause?: unknown): AppError =>
  new AppError(
    'unavailable',
    'server: nothing can be stored at this moment, and nothing was. Try again in half a minute',
    'inbox_busy',
    { cause },
  );

const toNotStoredError = (cause: unknown): AppError =>
  new AppError(
    'unavailable',
    'server: nothing can be stored now, and nothing was. Try again later',
    'not_stored',
    { cause },
  );

/** Whether somebody else has the store to themselves for now. */
export const isBusy = (thrown: unknown): boolean =>
  thrown instanceof AppError && thrown.reason === 'inbox_busy';

/** The dialect, whose connections throw AppError inbox_busy and not_stored. */
export const withFaults = (dialect: Dialect, toFault: ToFault): Dialect => ({
  createAdapter: () => dialect.createAdapter(),
  createQueryCompiler: () => dialect.createQueryCompiler(),
  createIntrospector: (db) => dialect.createIntrospector(db),
  createDriver: () => guardDriver(dialect.createDriver(), toFault),
});

/** A text with the one character that PostgreSQL does not take, as strangers may send it. */
const withoutNul = (value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value;

function guardDriver(driver: Driver, toFault: ToFault): Driver {
  async function guard<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (thrown) {
      // PostgreSQL repeats the row there: no words of a stranger for a log.
      if (thrown instanceof Error) Reflect.deleteProperty(thrown, 'detail');
      const fault = toFault(thrown);
      if (fault === null) throw thrown;
      throw fault === 'busy' ? toBusyError(thrown) : toNotStoredError(thrown);
    }
  }
  const guarded = new WeakSet<DatabaseConnection>();
  const acquire = driver.acquireConnection.bind(driver);
  driver.acquireConnection = async (options) => {
    const connection = await guard(acquire(options));
    if (guarded.has(connection)) return connection;
    guarded.add(connection);
    const execute: DatabaseConnection['executeQuery'] = connection.executeQuery.bind(connection);
    connection.executeQuery = <R>(query: CompiledQuery, how?: AbortableOperationOptions) =>
      guard(execute<R>({ ...query, parameters: query.parameters.map(withoutNul) }, how));
    return connection;
  };
  return driver;
}
