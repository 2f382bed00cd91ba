/**
 * The work of `import reso`: properties of the RESO Web API, with media, members, offices and open houses in them or in
 * files beside them. `feed/` asks the API itself.
 */
import type { MlsRecord } from '../../listing/mls/mls-record.ts';
import { fieldOf } from '../../listing/mls/mls-record.ts';
import { usageError } from '../cli-error.ts';
import type { CommandRun } from '../command-run.ts';
import { finishImport, openTarget, readFilter } from './import-options.ts';
import { importRecords } from './import-records.ts';
import { findInputs, type ImportInput, unreadable } from './open-input.ts';
import { readJsonRecords, type SourceRecord } from './read-json-records.ts';
import { type ResoRun, readResoContext } from './reso-context.ts';

export async function importReso(run: ResoRun): Promise<number> {
  const { url, tokenEnv, since } = run.options;
  if (url === undefined) {
    if (run.args.length === 0)
      throw usageError('missing argument: <file...>', 'name a file with properties, or a feed with --url');
    if (tokenEnv !== undefined || since !== undefined)
      throw usageError(
        `${tokenEnv === undefined ? '--since' : '--token-env'} needs --url`,
        'name the feed with --url',
      );
    return importFiles(run);
  }
  if (run.args.length > 0)
    throw usageError('--url cannot be combined with files', 'import them one after the other');
  return (await import('./feed/import-feed.ts')).importFeed(run);
}

async function importFiles(run: ResoRun): Promise<number> {
  const filter = readFilter(run.options);
  const inputs = await findInputs(run, run.args);
  const context = await readResoContext(run, inputs);
  const target = await openTarget(run);
  let nextLink: string | null = null;
  const onEnvelope = (envelope: MlsRecord): void => {
    const link = fieldOf(envelope, '@odata.nextLink');
    if (typeof link === 'string') nextLink = link;
  };
  const entries = importRecords(run, readAll(run, inputs, onEnvelope), { filter, context, target });
  const exitCode = await finishImport(run, target, entries, () => ({ is_last_page: nextLink === null }));
  if (nextLink !== null && inputs.length === 1)
    run.info('warning: the file is one page of several, see its @odata.nextLink: import the other pages too');
  return exitCode;
}

async function* readAll(
  run: CommandRun,
  inputs: readonly ImportInput[],
  onEnvelope: (envelope: MlsRecord) => void,
): AsyncGenerator<SourceRecord> {
  let isEmpty = true;
  for (const input of inputs) {
    for await (const record of readJsonRecords(run, input, onEnvelope)) {
      isEmpty = false;
      yield record;
    }
  }
  if (isEmpty) throw unreadable(inputs.map(({ name }) => name).join(', '), 'there is no property in it');
}
