/** What the preview's worker thread does: takes one film as its `workerData`, posts the GIF, ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { encodeGifFilm, type GifFilm } from './gif-film.ts';

parentPort?.postMessage(encodeGifFilm(workerData as GifFilm));
