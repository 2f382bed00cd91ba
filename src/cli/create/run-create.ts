/** The work of `create`: reads options, settings and terminal once, and hands on a plain request. */
import path from 'node:path';
import type { ResolvedSettings } from '../../platform/settings/resolve-settings.ts';
import { templatesDirsOf } from '../../platform/settings/setting-table.ts';
import { usageError } from '../cli-error.ts';
import type { CommandRun } from '../command-run.ts';
import { readContext } from '../listings/read-listing.ts';
import { requireTemplatesDir } from '../templates/find-template.ts';
import type { CreateOptions } from './create-options.ts';
import type { CreateDeps, CreateOutputs, CreateRequest } from './create-request.ts';
import { createVideos } from './create-videos.ts';
import { prepareFile } from './output-files.ts';
import { requireServerOptions } from './server-options.ts';
import { readTaskOptions } from './task-options.ts';

/** Returns the exit code. */
export async function runCreate(run: CommandRun<CreateOptions>): Promise<number> {
  const { host, terminal, output, signal, options, args, info, backend } = run;
  const { nowMs, version, env } = host;
  const { cwd } = await host.machine();
  const printer = { terminal, output, info };
  const deps: CreateDeps = { printer, backend, signal, nowMs, version };
  const report = options.report ?? options.reportJunit;
  const outputs: CreateOutputs = {
    json: output.json,
    shard: options.shard ?? null,
    report: report === undefined ? null : path.resolve(cwd, report),
    events: options.events !== undefined,
    eventsFile: options.eventsFile === undefined ? null : path.resolve(cwd, options.eventsFile),
    annotations:
      options.events === undefined && env.GITHUB_ACTIONS === 'true'
        ? { cwd, workspace: env.GITHUB_WORKSPACE }
        : null,
  };
  const read = async (): Promise<CreateRequest> => {
    const { dryRun: isDryRun = false, failFast: isFailFast = false } = options;
    if (isDryRun && (outputs.report !== null || outputs.eventsFile !== null || outputs.events))
      throw usageError(
        '--dry-run makes no tasks to report on',
        'leave out --report and --events, or use --json',
      );
    const resolved = await run.resolvedSettings();
    const server = await requireServerOptions(options, resolved, backend);
    if (outputs.report !== null) await prepareFile(outputs.report, '--report');
    // A saved folder can be away while nothing of it is used.
    if (resolved.templatesDir.source === 'flag') await requireTemplatesDir(run);
    requireTwoRatios(resolved);
    const settings = await run.settings();
    return {
      words: args,
      settings,
      server,
      outputs,
      isDryRun,
      isFailFast,
      reading: await readContext(run),
      options: await readTaskOptions(options, settings, { cwd, signal }),
      templatesDirs: templatesDirsOf(settings),
    };
  };
  const render = () => createVideos(outputs, read, deps);
  if (options.watch !== true) return render();
  await requireServerOptions(options, await run.resolvedSettings(), backend);
  const settings = await run.settings();
  const reading = await readContext(run);
  const { logWatching, requireWatchable, watchFiles } = await import('../watch/watch-files.ts');
  const { watchedFiles } = await import('../watch/watched-files.ts');
  await requireWatchable(args, reading, output);
  const work = (changed: string | null): Promise<number> => {
    if (changed !== null) info(`changed: ${changed}`);
    return render();
  };
  const files = () => watchedFiles(args, reading, settings);
  const onWait = (count: number): void => logWatching(printer, count);
  return watchFiles({ files, work, onWait }, { ...printer, signal, host });
}

/** @throws ListingVideoError `usage` when `--also-ratio` names the ratio that every video has. */
function requireTwoRatios({ ratio, alsoRatio }: ResolvedSettings): void {
  if (alsoRatio.source !== 'flag' || alsoRatio.value === undefined || ratio.value !== alsoRatio.value) return;
  const other = ratio.value === '1080:1920' ? '1920:1080' : '1080:1920';
  throw usageError(
    `--also-ratio ${ratio.value}: every video has this shape already`,
    `--also-ratio ${other}, or leave out --also-ratio`,
  );
}
