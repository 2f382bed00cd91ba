/** A frame of one shape with the part of the photo that it keeps. The photo is dragged in it. */
import type { ComponentChildren } from 'preact';
import type { AspectRatio, Focus } from '../../../listing/listing.ts';
import { type Crops, moveInFrame } from './crops.ts';
import { followHand } from './follow-hand.ts';

export interface FocusHand {
  readonly crops: Crops;
  /** While it moves. */
  readonly onMove: (focus: Focus) => void;
  readonly onPut: (focus: Focus) => void;
  readonly onCancel: () => void;
  /** The picture of the photo. */
  readonly children: ComponentChildren;
}

interface CropFrameProps extends FocusHand {
  readonly ratio: AspectRatio;
  readonly title: string;
}

export function CropFrame({ crops, ratio, title, onMove, onPut, onCancel, children }: CropFrameProps) {
  const { left, top, width, height } = crops.parts[ratio];
  const onPointerDown = (event: PointerEvent) => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const focusAt = ({ dx, dy }: { readonly dx: number; readonly dy: number }) =>
      moveInFrame(crops, ratio, { x: (dx / box.width) * width, y: (dy / box.height) * height });
    followHand(event, {
      onMove: (at) => onMove(focusAt(at)),
      onDrop: (at) => {
        if (Math.hypot(at.dx, at.dy) > 0) onPut(focusAt(at));
        else onCancel();
      },
      onCancel,
    });
  };
  return (
    <figure class="crop" data-ratio={ratio}>
      <div class="crop-frame" onPointerDown={onPointerDown}>
        <div
          class="crop-photo"
          style={{
            left: `${(-100 * left) / width}%`,
            top: `${(-100 * top) / height}%`,
            width: `${100 / width}%`,
            height: `${100 / height}%`,
          }}
        >
          {children}
        </div>
      </div>
      <figcaption class="hint">{title}</figcaption>
    </figure>
  );
}
