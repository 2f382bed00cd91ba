/** A task engine that renders when the test says so. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { StudioOptions } from '../../src/studio/editor/studio.ts';
import { aReport, aReportVideo } from '../video/a-report.ts';

type Engine = StudioOptions['engine'];
type RunOptions = NonNullable<Parameters<Engine['runTask']>[1]>;
type Progress = Parameters<NonNullable<RunOptions['onProgress']>>[0];
type EndedTask = Awaited<ReturnType<Engine['runTask']>>;

interface Run {
  readonly options: RunOptions;
  readonly end: (task: EndedTask) => void;
}

export class FakeEngine implements Engine {
  #run: Run | null = null;
  #onRun: (run: Run) => void = () => {};

  /** What was asked for. */
  readonly payloads: unknown[] = [];

  async submit({ payload }: { payload: unknown }): ReturnType<Engine['submit']> {
    this.payloads.push(payload);
    return { id: 'task' } as Awaited<ReturnType<Engine['submit']>>;
  }

  runTask(_id: string, options: RunOptions = {}): Promise<EndedTask> {
    return new Promise((resolve) => {
      const end = (task: EndedTask) => {
        this.#run = null;
        resolve(task);
      };
      this.#run = { options, end };
      this.#onRun(this.#run);
      const cancelled = { state: 'FAILED', failure: { code: 'cancelled', message: 'cancelled' } };
      options.signal?.addEventListener('abort', () => end(cancelled as unknown as EndedTask));
    });
  }

  async report(progress: Progress): Promise<void> {
    (await this.#current()).options.onProgress?.(progress);
  }

  /** The run that has not ended. The click that starts it returns before the server has the request. */
  async #current(): Promise<Run> {
    return (
      this.#run ??
      new Promise((resolve) => {
        this.#onRun = resolve;
      })
    );
  }

  /** With a report of one video in the folder. */
  async finish(folder: string): Promise<void> {
    await mkdir(folder, { recursive: true });
    const report = path.join(folder, 'report.json');
    const videos = [aReportVideo({ agent_id: 'june-takemori' })];
    await writeFile(report, JSON.stringify(aReport({ videos })));
    await this.succeed(report);
  }

  /** @param report - Path of the report. */
  async succeed(report: string): Promise<void> {
    (await this.#current()).end({ state: 'SUCCEEDED', outcome: { report } } as unknown as EndedTask);
  }
}
