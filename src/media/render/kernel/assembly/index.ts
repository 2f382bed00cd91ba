/** The kernel's exports. AssemblyScript; `../twin.ts` is the same arithmetic in TypeScript, result for result. */
export { resample } from './resample';
export { crossfadeLuma, crossfadeChroma } from './crossfade';
export { fillRect, blendRect } from './rect';
export { overlayMask, overlayPremultiplied, shiftMask, chromaMask, multiplyMask } from './mask';
export { areaScale } from './area-scale';
export { enlarge } from './enlarge';
