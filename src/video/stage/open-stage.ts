/** Opens the stage of one listing: starts what it needs, and watches its images, its music and the user's own templates. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { addedFontsFolder, useAddedFonts } from '../../design/text/fonts/font-folders.ts';
import { createRenderPool } from '../../media/render/render-pool.ts';
import { openWorkFolder } from '../work-folder.ts';
import { LiveStage } from './live-stage.ts';
import type { Stage, StageOptions } from './stage.ts';

/** Memory for photos that frames are drawn from: 30 photos in both ratios. */
const KEPT_PHOTO_BYTES = 320 * 1024 * 1024;
const WATCH_INTERVAL_MS = 500;
/** A listing has a hundred images, which can be on a network drive. */
const IMAGE_WATCH_INTERVAL_MS = 2_000;

/** @throws {@link ListingVideoError} `store_unwritable`, `disk_full`. */
export async function openStage(options: StageOptions): Promise<Stage> {
  const { deps } = options;
  useAddedFonts(addedFontsFolder(deps.home));
  const work = await openWorkFolder(deps.home);
  const [imagesDir, audioDir] = ['images', 'audio'].map((name) => path.join(work.path, name)) as [
    string,
    string,
  ];
  await Promise.all([mkdir(imagesDir), mkdir(audioDir)]);
  const pool = createRenderPool({ threads: 1, keptPhotoBytes: KEPT_PHOTO_BYTES });
  const stage = new LiveStage({ ...options, pool, imagesDir, audioDir });
  const watch = setInterval(() => stage.lookAtTemplates(), WATCH_INTERVAL_MS);
  watch.unref();
  if (deps.templatesDirs.length === 0) clearInterval(watch);
  let isLooking = false;
  const imageWatch = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    void stage.lookAtFiles().finally(() => {
      isLooking = false;
    });
  }, IMAGE_WATCH_INTERVAL_MS);
  imageWatch.unref();
  return {
    get state() {
      return stage.state;
    },
    update: (document, leftOut) => stage.update(document, leftOut),
    settled: () => stage.settled(),
    frame: (request) => stage.frame(request),
    thumbnail: (digest) => stage.thumbnail(digest),
    still: (templateId, ratio) => stage.still(templateId, ratio),
    audio: (plan) => stage.audio(plan),
    music: (id) => stage.music(id),
    async close() {
      clearInterval(watch);
      clearInterval(imageWatch);
      await stage.close();
      await pool.close();
      await work.close();
      // What the stage held can be removed now.
      await deps.cache.trim();
    },
  };
}
