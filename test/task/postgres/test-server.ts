/** A PostgreSQL server for one test file: own folder, own port, gone in the end. */
import { afterAll, beforeAll, describe } from 'vitest';
import { temporaryFolder } from '../../leftovers/temporary-folder.ts';
import { findPrograms, LocalServer } from './local-server.ts';

export interface TestServer {
  /** Address of the database `postgres`. Set once the tests of the file run. */
  readonly url: string;
  /** Starts again after `stop`, on the same port with the same data. */
  start(): Promise<void>;
  /** Ends all connections at once, as a crash does. */
  stop(): Promise<void>;
}

/** Describes tests with a server. Without PostgreSQL they are skipped, and the run says so; in CI they fail. */
export function describeWithPostgres(name: string, define: (server: TestServer) => void): void {
  if (findPrograms() === null && process.env.CI !== 'true') {
    process.stderr.write(`skipped: ${name} (needs PostgreSQL: \`apt-get install postgresql\` on Debian)\n`);
    describe.skip(name, () => define({ url: '', start: async () => {}, stop: async () => {} }));
    return;
  }
  describe(name, () => {
    let server: LocalServer;
    beforeAll(async () => {
      server = new LocalServer(temporaryFolder());
      await server.make();
    });
    afterAll(() => server.stop());
    define({
      get url() {
        return server.url;
      },
      start: () => server.start(),
      stop: () => server.stop(),
    });
  });
}
