/** When a scene comes to rest. Pure. */
import type { Layer, Scene } from '../../../design/storyboard/storyboard.ts';

/** The frame of a scene from which nothing in it changes, 0 for a still one. In drafts it can lie between two frames. */
export function stillFrom({ layers }: Pick<Scene, 'layers'>): number {
  const changes = layers.flatMap((layer) => [
    ...(layer.tracks ?? []).map(({ endFrame }) => endFrame),
    ...(layer.type === 'photo' && cameraMoves(layer) ? [layer.camera.endFrame] : []),
    ...(layer.type === 'text' ? (layer.steps ?? []).map(({ startFrame }) => startFrame) : []),
  ]);
  return Math.max(0, ...changes);
}

/** Whether the camera of a photo moves while its scene is seen alone. */
export function cameraMoves({ camera }: Extract<Layer, { readonly type: 'photo' }>): boolean {
  const { from, to, endFrame } = camera;
  return endFrame > 0 && (from.cx !== to.cx || from.cy !== to.cy || from.span !== to.span);
}
