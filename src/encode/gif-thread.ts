/** The preview's worker thread: takes the frames as `workerData`, posts the GIF and ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { encodeGif, type GifFrames } from './encode-gif.ts';

parentPort?.postMessage(encodeGif(workerData as GifFrames));
