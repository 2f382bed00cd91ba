/** What the transitions of videos show, for their cuts and keys: the draw lists that are also rendered. Pure. */
import { createHash } from 'node:crypto';
import type { Layer, Scene, Storyboard } from '../../design/storyboard/storyboard.ts';
import { canonicalJson } from '../../design/timeline/canonical-json.ts';
import type { DrawnTransition, DrawTransition } from '../../design/timeline/make-timeline.ts';
import { composeFrame } from './compose/compose-frame.ts';
import type { DrawOp, FrameComposition, MaterialRef, PhotoSizes } from './compose/draw-list.ts';
import { restBox } from './compose/rect.ts';

/**
 * Draws each pair of scenes once, for all agents: that takes longer than everything else about a timeline.
 *
 * @param sizes - Of the masters of all photos that the videos show.
 */
export function transitionDrawer(sizes: PhotoSizes): DrawTransition {
  const known = new Map<string, DrawnTransition>();
  return (storyboard, sceneIndex) => {
    const { widthPx, heightPx, scenes } = storyboard;
    const pair = [scenes[sceneIndex]!, scenes[sceneIndex + 1]!];
    const key = JSON.stringify([widthPx, heightPx, pair]);
    let drawn = known.get(key);
    if (drawn === undefined) {
      // A copy in which properties have one order, so that draw lists have it too.
      drawn = drawPair({ ...storyboard, scenes: JSON.parse(canonicalJson(pair)) as Scene[] }, sizes);
      known.set(key, drawn);
    }
    return drawn;
  };
}

/** @param pair - A video of two scenes. */
function drawPair(pair: Storyboard, sizes: PhotoSizes): DrawnTransition {
  const [leaving, coming] = pair.scenes as [Scene, Scene];
  const { durationFrames } = leaving.transition;
  const startFrame = leaving.durationFrames - durationFrames;
  /** What is drawn through a mask or as a logo, in the order in which it first appears. */
  const materials: string[] = [];
  const materialIndexes = new Map<string, number>();
  const digests = new Set<string>();
  const entering = new Set<Layer>();
  const toMaterial = (ref: MaterialRef): number => {
    const layer = pair.scenes[ref.scene]!.layers[ref.layer]!;
    if (ref.scene === 1) entering.add(layer);
    const name = `${ref.scene} ${ref.layer} ${ref.step}`;
    const index = materialIndexes.get(name) ?? materials.push(describeMaterial(layer, ref.step)) - 1;
    materialIndexes.set(name, index);
    return index;
  };
  const describe = (op: DrawOp): unknown => {
    if (op.op === 'photo') digests.add(op.view.source.digest);
    if (op.op === 'photo-mix') for (const { source } of [op.from, op.to]) digests.add(source.digest);
    // The place of a layer in its scene changes no pixel, but what it shows does.
    return 'ref' in op ? { ...op, ref: toMaterial(op.ref) } : op;
  };
  const frames = Array.from({ length: durationFrames }, (_, frame): FrameComposition => {
    return composeFrame(pair, sizes, startFrame + frame);
  }).map(({ base, over }) => [base.map(describe), over?.ops.map(describe), over?.mix]);
  const photos = coming.layers.filter((layer) => layer.type === 'photo' && digests.has(layer.digest));
  const digest = createHash('sha256')
    .update(JSON.stringify([frames, materials]))
    .digest('hex');
  return { digest, entering: [...entering, ...photos] };
}

/** Equal texts for layers that are drawn from the same pixels. */
function describeMaterial(layer: Layer, step: number): string {
  const { w, h } = restBox(layer.box);
  switch (layer.type) {
    case 'text': {
      const { style, addedFonts, lines, steps = [] } = layer;
      return JSON.stringify({ style, addedFonts, lines: step === 0 ? lines : steps[step - 1]!.lines });
    }
    case 'mark':
      return JSON.stringify([layer.path, w, h]);
    case 'graphic':
      return JSON.stringify([layer.digest, w, h]);
    default:
      return '';
  }
}
