/** A task of the server. Type only. */
import type { TaskRecord } from '../task/task.ts';
import type { VideoTaskOutcome } from '../video/video-task.ts';

/** A task that makes videos. */
export type VideoTask = TaskRecord<VideoTaskOutcome>;
