/** The thread of `gif-encoder.ts`: takes scenes in order and posts the blocks of each. */
import { parentPort } from 'node:worker_threads';
import { encodeGifScene, type GifScene } from './encode-gif.ts';

parentPort?.on('message', (scene: GifScene) => parentPort?.postMessage(encodeGifScene(scene)));
