/** Images for an assistant: all scenes of a video on one sheet, one frame, and the posters of finished videos. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { shrinkJpeg } from '../../media/encode/still-image.ts';
import { DEFAULT_TEMPLATE_ID } from '../../video/plan/agent-options.ts';
import type { TemplatePreview } from '../../video/templates/preview-template.ts';
import type { PreviewShot } from '../../video/templates/take-shot.ts';
import type { VideoTaskPayload } from '../../video/video-task.ts';
import { openWorkFolder } from '../../video/work-folder.ts';
import type { Assistant } from './assistant.ts';
import type { ToolCall } from './tool.ts';

/** A megabyte of base64, in which an image travels. */
export const MAX_IMAGE_BYTES = 749_997;

type Shown = Pick<VideoTaskPayload, 'listing' | 'baseDir' | 'options'>;

/** Of the first agent's video. */
export async function takePicture(
  { listing, baseDir, options }: Shown,
  shot: PreviewShot,
  assistant: Assistant,
  { signal, onProgress }: ToolCall,
): Promise<{ readonly image: Uint8Array; readonly preview: TemplatePreview }> {
  const { home, templatesDir } = await assistant.settings();
  const agent = listing.agents[0]!;
  const folder = await openWorkFolder(home);
  try {
    const backend = await assistant.backend();
    const request = {
      listing: { ...listing, agents: [agent] },
      baseDir,
      templateId: options.templateId ?? agent.video_options?.template_id ?? DEFAULT_TEMPLATE_ID,
      templatesDirs: templatesDir === undefined ? [] : [templatesDir],
      templateData: options.templateData,
      ratio: options.ratio ?? agent.video_options?.ratio ?? '1920:1080',
      unbrandedKeep: options.unbrandedKeep,
      shot,
      file: path.join(folder.path, 'picture.jpg'),
    };
    signal.throwIfAborted();
    const preview = await assistant.look(() => backend.preview(request, { signal, onProgress }));
    return { image: await readImage(preview.file), preview };
  } finally {
    await folder.close();
  }
}

/** @param share - Of how many images of one answer it is. */
export async function readImage(file: string, share = 1): Promise<Uint8Array> {
  return shrinkJpeg(await readFile(file), Math.floor(MAX_IMAGE_BYTES / share));
}
