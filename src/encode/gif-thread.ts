/** What the preview's worker thread does: takes one film as its `workerData`, posts the GIF, ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { encodeGif, type GifFrames } from './encode-gif.ts';

parentPort?.postMessage(encodeGif(workerData as GifFrames));
