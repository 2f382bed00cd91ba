/** Camera paths: how far, how fast, and never out of the photo. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CameraRequest,
  cameraPath,
  createMoveSequence,
  isHeld,
  type SceneMove,
} from '../../../../src/design/storyboard/motion/camera.ts';
import { cameraProgress } from '../../../../src/design/timeline/track-value.ts';
import { classic, samplePhoto, templates } from '../sample.ts';

const CAMERA = classic.ratios['1920:1080'].camera;
const FULL = { x: 0, y: 0, w: 1920, h: 1080 };
const request = (over: Partial<CameraRequest> = {}): CameraRequest => ({
  photo: samplePhoto('a', 2560, 1707),
  box: FULL,
  move: 'in',
  order: 0,
  startFrame: -18,
  endFrame: 96,
  fps: 30,
  ...over,
});

/** Of a path at one scale, the widths of its view that it goes in a second at 30 fps, where it is fastest. */
function fastest(path: ReturnType<typeof cameraPath>): number {
  const way = Math.abs(path.to.cx - path.from.cx) / path.from.span;
  const frames = Array.from(
    { length: path.endFrame - path.startFrame },
    (_, frame) => path.startFrame + frame,
  );
  return Math.max(
    ...frames.map((frame) => 30 * way * (cameraProgress(path, frame + 1) - cameraProgress(path, frame))),
  );
}

describe('cameraPath', () => {
  it('travels 3 % a second, in and out alike', () => {
    const seconds = (60 + 18) / 30;
    const zoomIn = cameraPath(CAMERA, request({ endFrame: 60 }));
    expect(zoomIn.from.span / zoomIn.to.span).toBeCloseTo(1 + 0.03 * seconds, 4);
    const zoomOut = cameraPath(CAMERA, request({ endFrame: 60, move: 'out' }));
    expect(zoomOut.from).toEqual(zoomIn.to);
    expect(zoomOut.to).toEqual(zoomIn.from);
  });

  it('travels 8 % at most', () => {
    const path = cameraPath(CAMERA, request({ endFrame: 3000 }));
    expect(path.from.span / path.to.span).toBeCloseTo(1.08, 4);
  });

  it('travels 4 % in a scene however short, and in every template in its usual one', () => {
    const path = cameraPath(CAMERA, request({ startFrame: 0, endFrame: 24 }));
    expect(path.from.span / path.to.span).toBeCloseTo(1.04, 4);
  });

  it('starts and stops softly', () => {
    expect(cameraPath(CAMERA, request()).easing).toBe('sweep');
    expect(cameraPath(CAMERA, request({ move: 'pan-right' })).easing).toBe('sweep');
  });

  it('runs slower in every further box of a scene', () => {
    const travel = (order: number) => {
      const path = cameraPath(CAMERA, request({ order }));
      return path.from.span / path.to.span - 1;
    };
    expect(travel(1) / travel(0)).toBeCloseTo(0.85, 3);
    expect(travel(2) / travel(0)).toBeCloseTo(0.85 ** 2, 3);
  });

  it('goes sideways at a fixed scale by 4 to 6 % of the frame', () => {
    for (const endFrame of [12, 96, 400]) {
      const path = cameraPath(CAMERA, request({ move: 'lateral-right', endFrame }));
      expect(path.from.span).toBeCloseTo(path.to.span, 9);
      const share = (path.to.cx - path.from.cx) / path.to.span;
      expect(share).toBeGreaterThanOrEqual(0.0399);
      expect(share).toBeLessThanOrEqual(0.0601);
    }
  });

  it('comes no nearer to go sideways over a photo wider than its box', () => {
    const photo = samplePhoto('wide', 2560, 1280);
    const path = cameraPath(CAMERA, request({ photo, move: 'lateral-right' }));
    expect(path.from.span).toBeCloseTo(1920 / 1080 / 2, 6);
  });

  const UPRIGHT = { x: 0, y: 0, w: 1080, h: 1920 };

  it('keeps its focus in view while it pans, and ends on one at an edge', () => {
    for (const sign of [-1, 1]) {
      const move = sign < 0 ? 'pan-left' : 'pan-right';
      const over = (x: number) => {
        const photo = samplePhoto('p', 2560, 1707, { x, y: 0.5 });
        return cameraPath(CAMERA, request({ photo, box: UPRIGHT, move }));
      };
      for (const x of [0.25, 0.5, 0.75]) {
        const { from, to } = over(x);
        expect(sign * (to.cx - from.cx)).toBeGreaterThan(0.13);
        for (const { cx, span } of [from, to])
          expect(Math.abs(x - cx)).toBeLessThanOrEqual(0.4 * span + 1e-9);
      }
      for (const [x, end] of [
        [0, 0],
        [1, 1],
      ] as const) {
        const { from, to } = over(x);
        expect(Math.abs(to.cx - end)).toBeCloseTo(to.span / 2, 6);
        expect(Math.abs(to.cx - from.cx)).toBeGreaterThan(0.13);
      }
    }
  });

  it('pans over a house that is wider than its view to both sides of its middle, as far as time goes', () => {
    const subject = { left: 0.1, right: 0.9, tip: 0.3, top: 0.3, bottom: 0.7 };
    const photo = { ...samplePhoto('p', 2560, 1707, { x: 0.7, y: 0.5 }), subject };
    const over = (endFrame: number) => {
      const box = { x: 0, y: 0, w: 1080, h: 1300 };
      return cameraPath(CAMERA, request({ photo, box, move: 'pan-right', startFrame: 0, endFrame }));
    };
    const [short, long] = [over(45), over(300)];
    expect((short.from.cx + short.to.cx) / 2).toBeCloseTo(0.5, 6);
    expect(long.from.cx - long.from.span / 2).toBeCloseTo(0.1, 6);
    expect(long.to.cx + long.to.span / 2).toBeCloseTo(0.9, 6);
    // Sky and lawn show no motion.
    const room = samplePhoto('room', 2560, 1707, { x: 1, y: 0.5 });
    const box = { x: 0, y: 0, w: 1080, h: 1300 };
    const inside = cameraPath(
      CAMERA,
      request({ ...{ photo: room, box }, move: 'pan-right', startFrame: 0, endFrame: 45 }),
    );
    expect(fastest(short) / fastest(inside)).toBeCloseTo(1.6, 2);
  });

  it('goes farther before its subject than behind it, and so ends near it', () => {
    for (const [move, sign] of [
      ['pan-right', 1],
      ['pan-left', -1],
    ] as const) {
      const photo = samplePhoto('p', 2560, 1707, { x: 0.5, y: 0.5 });
      const { from, to } = cameraPath(CAMERA, request({ photo, box: UPRIGHT, move }));
      expect((sign * (0.5 - from.cx)) / (sign * (to.cx - 0.5))).toBeCloseTo(3, 6);
    }
  });

  it('crosses more of a photo that words name', () => {
    const over = (isNamed: boolean, maxSpeed = CAMERA.pan.maxSpeed) => {
      const rules = { ...CAMERA, pan: { ...CAMERA.pan, maxSpeed } };
      const photo = samplePhoto('p', 2560, 1707, { x: 0.5, y: 0.5 });
      return cameraPath(rules, request({ photo, box: UPRIGHT, move: 'pan-right', isNamed }));
    };
    expect(fastest(over(true))).toBeCloseTo(0.18, 2);
    for (const maxSpeed of [0.05, 0.15])
      expect(fastest(over(true, maxSpeed)) / fastest(over(false, maxSpeed))).toBeCloseTo(1.2, 2);
  });

  it('begins an opening nearer whose pan has little way, and pans elsewhere at one scale', () => {
    const [box, photo] = [{ x: 0, y: 0, w: 1080, h: 826 }, samplePhoto('a', 1024, 683)];
    const pan = { photo, box, move: 'pan-right', travel: 0.2 } as const;
    const opening = cameraPath(CAMERA, request({ ...pan, opens: true }));
    const way = Math.abs(opening.to.cx - opening.from.cx) / opening.to.span;
    expect(opening.from.span).toBeLessThan(opening.to.span);
    expect(way + opening.to.span / opening.from.span - 1).toBeGreaterThan(0.18);
    expect(cameraPath(CAMERA, request(pan)).from.span).toBe(opening.to.span);
  });

  it('pans at most at 15 % of the width a second, in social 18 %, in scenes long and short', () => {
    const photo = samplePhoto('a', 2560, 1707, { x: 1, y: 0.5 });
    for (const { id, ratios } of templates) {
      const rules = ratios['1080:1920'].camera;
      for (const endFrame of [10, 30, 60, 90, 150]) {
        const at = request({ photo, box: UPRIGHT, move: 'pan-right', startFrame: 0, endFrame });
        const path = cameraPath(rules, at);
        const most = id === 'social' ? 0.18 : 0.15;
        expect(fastest(path), `${id} ${endFrame}`).toBeLessThan(most * 1.001);
        if (endFrame < 90) expect(fastest(path), `${id} ${endFrame}`).toBeGreaterThan(most * 0.8);
      }
    }
  });

  it('crosses a panorama from end to end in five seconds, and a part of it in a hook', () => {
    const photo = samplePhoto('wide', 2400, 800, { x: 0.6, y: 0.5 });
    const box = { x: 0, y: 0, w: 1080, h: 1350 };
    const at = request({ photo, box, move: 'pan-right', startFrame: 0, endFrame: 150 });
    const { from, to } = cameraPath(CAMERA, at);
    expect(from.cx - from.span / 2).toBeCloseTo(0, 6);
    expect(to.cx + to.span / 2).toBeCloseTo(1, 6);
    expect(fastest(cameraPath(CAMERA, { ...at, endFrame: 15 }))).toBeLessThan(0.3);
  });

  it('pans from end to end in nineteen seconds', () => {
    const photo = samplePhoto('a', 2560, 1707, { x: 1, y: 0.5 });
    const at = request({ photo, box: UPRIGHT, move: 'pan-right', startFrame: 0, endFrame: 570 });
    const { from, to } = cameraPath(CAMERA, at);
    expect(from.cx - from.span / 2).toBeCloseTo(0, 2);
    expect(to.cx + to.span / 2).toBeCloseTo(1, 2);
  });

  it('has a focus that the listing gives in view at both ends, so that no move is stopped for it', () => {
    const unit = fc.double({ min: 0, max: 1, noNaN: true });
    const boxes = [FULL, { x: 0, y: 0, w: 1080, h: 1920 }, { x: 0, y: 0, w: 900, h: 900 }];
    const moves = ['in', 'out', 'lateral-left', 'lateral-right', 'pan-left', 'pan-right'] as const;
    fc.assert(
      fc.property(unit, unit, fc.constantFrom(...boxes), fc.constantFrom(...moves), (x, y, box, move) => {
        const photo = { ...samplePhoto('p', 2560, 1707, { x, y }), keepsFocus: true as const };
        const { from, to } = cameraPath(CAMERA, request({ photo, box, move }));
        for (const { cx, cy, span } of [from, to]) {
          const height = (span * 2560 * box.h) / (box.w * 1707);
          expect(Math.abs(x - cx)).toBeLessThanOrEqual(span / 2 + 1e-9);
          expect(Math.abs(y - cy)).toBeLessThanOrEqual(height / 2 + 1e-9);
        }
      }),
    );
  });

  it('moves in a closing as the template says, unless the scene before moved so', () => {
    const next = createMoveSequence({ ...CAMERA, closing: 'lateral', cycle: ['in', 'lateral', 'out'] });
    expect(next('move')).toBe('in');
    expect(next('closing')).toMatch(/^lateral-/);
    const again = createMoveSequence({ ...CAMERA, closing: 'lateral', cycle: ['lateral', 'in'] });
    expect(again('move')).toMatch(/^lateral-/);
    expect(again('closing')).toBe('in');
  });

  it('zooms where a focus at the edge of its photo leaves no way to the side', () => {
    const bound = (x: number, box = FULL, isPan = false) =>
      isHeld(
        CAMERA,
        { photo: { ...samplePhoto('p', 2560, 1707, { x, y: 0.5 }), keepsFocus: true }, box },
        isPan,
      );
    expect([0, 0.5, 0.9, 1].map((x) => bound(x))).toEqual([true, false, false, true]);
    const upright = { x: 0, y: 0, w: 1080, h: 1920 };
    expect([0, 0.5, 1].map((x) => bound(x, upright, true))).toEqual([true, false, true]);
    const next = createMoveSequence({ ...CAMERA, hero: 'in', cycle: ['lateral', 'out'] });
    expect([
      next('hero'),
      next('pan', { focus: { x: 1 }, boundIn: 'scene' }),
      next('move', { focus: { x: 1 }, boundIn: 'scene' }),
      next('move'),
    ]).toEqual([...['in', 'out', 'in', 'out']]);
  });

  it('stays inside the photo and under twice its size, whatever the shapes', () => {
    const side = fc.integer({ min: 800, max: 2560 });
    const unit = fc.double({ min: 0, max: 1, noNaN: true });
    const move = fc.constantFrom<SceneMove[]>(
      'in',
      'out',
      'lateral-left',
      'lateral-right',
      'pan-left',
      'pan-right',
      'still',
    );
    fc.assert(
      fc.property(
        side,
        side,
        unit,
        unit,
        move,
        fc.integer({ min: 200, max: 1100 }),
        fc.integer({ min: 200, max: 1100 }),
        (w, h, x, y, kind, boxW, boxH) => {
          const box = { x: 0, y: 0, w: boxW, h: boxH };
          const path = cameraPath(
            CAMERA,
            request({ photo: samplePhoto('p', w, h, { x, y }), box, move: kind }),
          );
          for (const view of [path.from, path.to]) {
            const height = (view.span * w * boxH) / (boxW * h);
            expect(view.cx - view.span / 2).toBeGreaterThanOrEqual(-1e-6);
            expect(view.cx + view.span / 2).toBeLessThanOrEqual(1 + 1e-6);
            expect(view.cy - height / 2).toBeGreaterThanOrEqual(-1e-6);
            expect(view.cy + height / 2).toBeLessThanOrEqual(1 + 1e-6);
            const cover = Math.max(boxW / w, boxH / h);
            expect(boxW / (view.span * w)).toBeLessThanOrEqual(Math.max(2, cover) + 1e-6);
          }
        },
      ),
    );
  });
});

it('never gives the same move twice running', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('move' as const, 'pan' as const), { maxLength: 60 }), (kinds) => {
      const nextMove = createMoveSequence(CAMERA);
      const moves = [nextMove('hero'), ...kinds.map((kind) => nextMove(kind))];
      moves.forEach((move, index) => {
        if (index > 0) expect(move).not.toBe(moves[index - 1]);
      });
    }),
  );
});

it('goes sideways towards the subject, unless the scene before went that way', () => {
  const panTo = (...focuses: readonly number[]) => {
    const nextMove = createMoveSequence(CAMERA);
    return focuses.map((x) => nextMove('pan', { focus: { x } }));
  };
  expect(panTo(0.8)).toEqual(['pan-right']);
  expect(panTo(0.2, 0.2, 0.8)).toEqual(['pan-left', 'pan-right', 'pan-left']);
});

it('ends on the side of what words name, also twice running', () => {
  const nextMove = createMoveSequence(CAMERA);
  const moves = [0.42, 0.42, 0.58].map((x) => nextMove('pan', { focus: { x }, isNamed: true }));
  expect(moves).toEqual(['pan-left', 'pan-left', 'pan-right']);
});
