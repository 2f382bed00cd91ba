/** The files of an agent for the places of `--for`: their shapes, and shorter cuts where a place takes no longer ones. */

import type { VideoPlan } from '../plan/plan-video.ts';
import type { RequestedVideo } from '../plan/requested-videos.ts';
import type { VideoTaskOptions } from '../video-task.ts';
import { deliveryFor, groupPlaces } from './delivery.ts';
import { type DestinationName, destinationOf } from './destination-table.ts';

/** A cut is so much shorter than the place allows, because it ends on a beat. */
const SPARE_SEC = 1;

/** One video for each group of places that can share a file; the video itself without such places. */
export function forPlaces(
  video: RequestedVideo,
  { destinations = [], ratio }: Pick<VideoTaskOptions, 'destinations' | 'ratio'>,
): RequestedVideo[] {
  const said = ratio ?? video.agent.video_options?.ratio ?? null;
  const groups = groupPlaces(destinations, { said, usual: video.options.ratio });
  if (groups.length === 0) return [video];
  return groups.map(({ ratio, places }) => ({
    ...video,
    options: { ...video.options, ratio },
    delivery: deliveryFor(places),
  }));
}

/**
 * The plan, and where it is longer than some of its places take a shorter one for those, unless the user chose the
 * length.
 */
export async function planForPlaces(
  video: RequestedVideo,
  plan: (video: RequestedVideo) => Promise<VideoPlan>,
): Promise<VideoPlan[]> {
  const whole = await plan(video);
  const { templateData } = video.options;
  const durationSec = whole.timeline.totalFrames / whole.timeline.storyboard.fps;
  const isTooLong = (name: DestinationName): boolean => durationSec > maxSecOf(name);
  const { places } = video.delivery;
  const short = templateData.length === undefined ? places.filter(isTooLong) : [];
  if (short.length === 0) return [whole];
  const length = `${Math.floor(Math.min(...short.map(maxSecOf))) - SPARE_SEC}s`;
  const options = { ...video.options, templateData: { ...templateData, length } };
  const rest = places.filter((name) => !short.includes(name));
  // Where the whole video is made too, the cut shows scenes of it.
  const cutOf = rest.length === 0 ? {} : { cutOf: '' };
  const cut = await plan({ ...video, ...cutOf, options, delivery: deliveryFor(short) });
  return rest.length === 0 ? [cut] : [{ ...whole, delivery: deliveryFor(rest) }, cut];
}

function maxSecOf(name: DestinationName): number {
  return destinationOf(name).maxSec?.value ?? Number.POSITIVE_INFINITY;
}
