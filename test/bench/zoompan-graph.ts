/** The slideshow that people write by hand with ffmpeg: `zoompan` on a 4x enlarged photo, joined by `xfade`. */

/**
 * Arguments for ffmpeg (4.3 or newer, for xfade) that make `totalFrames` of 1920x1080 at 30 fps from the photos.
 *
 * @param encoderArgs - The encoder's own arguments, the same as the product uses.
 */
export function zoompanArgs(
  photos: readonly string[],
  totalFrames: number,
  encoderArgs: readonly string[],
  output: string,
): string[] {
  const fadeFrames = 18;
  const clipFrames = Math.ceil((totalFrames + (photos.length - 1) * fadeFrames) / photos.length);
  const filters: string[] = [];
  photos.forEach((_, index) => {
    const zoom = index % 2 ? `1.08-0.08*on/${clipFrames}` : `1+0.08*on/${clipFrames}`;
    filters.push(
      `[${index}:v]scale=7680:4320:force_original_aspect_ratio=increase,crop=7680:4320,` +
        `zoompan=z='${zoom}':x='iw/2-(iw/zoom/2)':y='ih/2-(ih/zoom/2)':d=${clipFrames}:s=1920x1080:fps=30,` +
        `settb=1/30,format=yuv420p[v${index}]`,
    );
  });
  let last = 'v0';
  for (let index = 1; index < photos.length; index += 1) {
    const offset = (index * (clipFrames - fadeFrames)) / 30;
    filters.push(
      `[${last}][v${index}]xfade=transition=fade:duration=${fadeFrames / 30}:offset=${offset}[x${index}]`,
    );
    last = `x${index}`;
  }
  return [
    '-hide_banner',
    '-loglevel',
    'error',
    '-nostdin',
    '-y',
    ...photos.flatMap((photo) => ['-i', photo]),
    '-filter_complex',
    filters.join(';'),
    '-map',
    `[${last}]`,
    '-frames:v',
    String(totalFrames),
    ...encoderArgs,
    output,
  ];
}
