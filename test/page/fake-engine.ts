/** A task engine that renders when the test says so. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { StudioOptions } from '../../src/studio/studio.ts';
import { aReport, aReportVideo } from '../video/a-report.ts';

type Engine = StudioOptions['engine'];
type RunOptions = NonNullable<Parameters<Engine['runTask']>[1]>;
type Progress = Parameters<NonNullable<RunOptions['onProgress']>>[0];
type EndedTask = Awaited<ReturnType<Engine['runTask']>>;

export class FakeEngine implements Engine {
  #run: { readonly options: RunOptions; readonly end: (task: EndedTask) => void } | null = null;

  async submit(): ReturnType<Engine['submit']> {
    return { id: 'task' } as Awaited<ReturnType<Engine['submit']>>;
  }

  runTask(_id: string, options: RunOptions = {}): Promise<EndedTask> {
    return new Promise((end) => {
      this.#run = { options, end };
      const cancelled = { state: 'FAILED', failure: { code: 'cancelled', message: 'cancelled' } };
      options.signal?.addEventListener('abort', () => end(cancelled as unknown as EndedTask));
    });
  }

  async report(progress: Progress): Promise<void> {
    this.#run?.options.onProgress?.(progress);
  }

  /** With a report of one video in the folder. */
  async finish(folder: string): Promise<void> {
    await mkdir(folder, { recursive: true });
    const report = path.join(folder, 'report.json');
    const videos = [aReportVideo({ agent_id: 'june-takemori' })];
    await writeFile(report, JSON.stringify(aReport({ videos })));
    this.#run?.end({ state: 'SUCCEEDED', outcome: { report } } as unknown as EndedTask);
  }
}
