/** Finds what is painted into each other in any frame of a video, by what each frame draws. Nothing is rendered. */
import { intersection } from '../../design/storyboard/box.ts';
import type { LintFinding } from '../../design/storyboard/lint-storyboard.ts';
import {
  findOverlaps,
  kindOf,
  type Overlap,
  type Painted,
  paintedLayers,
  SHARED_PX,
} from '../../design/storyboard/scenes/overlaps.ts';
import type { Box, Storyboard } from '../../design/storyboard/storyboard.ts';
import { composeFrame } from '../../media/render/compose/compose-frame.ts';
import type { DrawOp, PhotoSizes, Rect } from '../../media/render/compose/draw-list.ts';
import { locateFrame } from '../../media/render/compose/locate-frame.ts';

/** Every pair of texts, marks, logos, codes and portraits that meet on their way, once for each scene: `lint-storyboard.ts` finds those that meet at rest. */
export function lintOverlaps(storyboard: Storyboard, sizes: PhotoSizes): LintFinding[] {
  const { scenes, fps } = storyboard;
  const found = new Map<string, LintFinding>();
  const report = (scene: string, overlaps: readonly Overlap[], when: string): void => {
    for (const { id, other, sharedPx } of overlaps) {
      const key = `${scene} ${id} ${other}`;
      const message = `shares ${sharedPx} px with ${other} ${when}`;
      if (!found.has(key) && !atRest.has(key)) found.set(key, { rule: 'overlap', scene, layer: id, message });
    }
  };
  const atRest = new Set(
    scenes.flatMap(({ id: scene, layers }) =>
      findOverlaps(paintedLayers(layers), SHARED_PX).map(({ id, other }) => `${scene} ${id} ${other}`),
    ),
  );
  const portraits = new Set(
    scenes.flatMap(({ layers }) =>
      layers.flatMap((layer) => (layer.type === 'photo' && /^portrait/.test(layer.id) ? [layer.digest] : [])),
    ),
  );
  const frameCount = scenes.reduce((sum, { durationFrames }) => sum + durationFrames, 0);
  let before = '';
  for (let frame = 0; frame < frameCount; frame++) {
    const { base, over } = composeFrame(storyboard, sizes, frame);
    // Two scenes that dissolve into each other are each whole.
    const pictures = [base, over?.ops ?? []].map((ops) =>
      ops.map((op) => toPainted(op, storyboard, portraits)),
    );
    const look = JSON.stringify(pictures);
    if (look === before) continue;
    before = look;
    const { sceneIndex } = locateFrame(storyboard, frame);
    const overlaps = pictures.flatMap((painted) => findOverlaps(painted, SHARED_PX));
    // Words can come out from behind a portrait.
    const seen = overlaps.filter(({ other }) => other !== 'portrait');
    report(scenes[sceneIndex]!.id, seen, `at ${(frame / fps).toFixed(2)} s of the video`);
  }
  return [...found.values()];
}

function toPainted(op: DrawOp, board: Storyboard, portraits: ReadonlySet<string>): Painted {
  const page = { x: 0, y: 0, w: board.widthPx, h: board.heightPx };
  if (op.op === 'mask' || op.op === 'graphic') {
    const { id, type, box } = board.scenes[op.ref.scene]!.layers[op.ref.layer]!;
    const seen = intersection(intersection({ ...box, x: op.x, y: op.y }, toBox(op.clip)), page);
    return { id, box: seen, kind: kindOf({ id, type }, false), scene: op.ref.scene };
  }
  const box = intersection(toBox(op.rect), page);
  if (op.op === 'photo-mix') return { id: 'photo', box, kind: 'cover' };
  const isOpaque = op.alpha === 1 && op.mask === undefined;
  if (op.op === 'fill') return { id: 'fill', box, kind: isOpaque && !op.gradient ? 'cover' : 'other' };
  const scene = board.scenes.findIndex(({ kind }) => kind === 'card');
  if (portraits.has(op.view.source.digest))
    return { id: 'portrait', box, kind: isOpaque ? 'both' : 'content', scene };
  return { id: 'photo', box, kind: isOpaque ? 'cover' : 'other' };
}

function toBox({ x0, y0, x1, y1 }: Rect): Box {
  return { x: x0, y: y0, w: x1 - x0, h: y1 - y0 };
}
