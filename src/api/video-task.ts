/** The tasks of this API: those that make videos. */
import type { TaskEngine } from '../task/engine/task-engine.ts';
import type { TaskRecord } from '../task/task.ts';
import type { VideoTaskOutcome, VideoTaskPayload } from '../video/video-task.ts';

export type VideoTask = TaskRecord<VideoTaskOutcome>;
export type VideoTaskEngine = TaskEngine<VideoTaskPayload, VideoTaskOutcome>;
