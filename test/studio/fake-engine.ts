/** A task engine that renders when the test says so. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { StudioOptions } from '../../src/studio/editor/studio.ts';
import { type FilesOfVideo, madeOf } from '../../src/video/publish/made-of.ts';
import type { KeptVideo, ReportVideo } from '../../src/video/publish/report.ts';
import type { VideoTaskPayload } from '../../src/video/video-task.ts';
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

  /** What it reads. */
  files: FilesOfVideo = {};

  async submit({ payload }: { payload: unknown }): ReturnType<Engine['submit']> {
    this.payloads.push(payload);
    return { id: 'task' } as Awaited<ReturnType<Engine['submit']>>;
  }

  /** Of the process that an earlier studio was: it is dead. */
  async get(): ReturnType<Engine['get']> {
    return { state: 'FAILED' } as Awaited<ReturnType<Engine['get']>>;
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
      if (options.signal?.aborted) end(cancelled as unknown as EndedTask);
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

  /** With videos of these entries in the folder of the task; by default one of June Takemori. */
  async finish(entries: readonly Partial<ReportVideo>[] = [{ agent_id: 'june-takemori' }]): Promise<void> {
    await this.#current();
    const payload = this.payloads.at(-1) as VideoTaskPayload;
    const { outputDir, listing, listingFile } = payload;
    await mkdir(outputDir, { recursive: true });
    const made = entries.map((entry): KeptVideo => {
      const { agent_id: agentId = null, ratio = '1920:1080' } = entry;
      const ofTwin = aReportVideo({
        made_of: madeOf(payload, { agentId, ratio, files: this.files }),
        ...entry,
      });
      const { agent_id: _, ...twin } = ofTwin;
      return agentId === null ? twin : ofTwin;
    });
    for (const { video } of made) await writeFile(path.join(outputDir, video.file), '0123456789');
    const videos = made.filter((video): video is ReportVideo => video.agent_id !== undefined);
    const unbranded = made.filter(({ agent_id: id }) => id === undefined);
    const of = { id: listing.id, file: listingFile, address: null };
    const report = aReport({ videos, unbranded, listing: of });
    await writeFile(path.join(outputDir, 'report.json'), JSON.stringify(report));
    await this.succeed(path.join(outputDir, 'report.json'));
  }

  /** @param report - Path of the report. */
  async succeed(report: string): Promise<void> {
    (await this.#current()).end({ state: 'SUCCEEDED', outcome: { report } } as unknown as EndedTask);
  }
}
