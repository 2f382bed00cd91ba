/**
 * Loads frames as bitmaps: a few requests at once, always the newest wish first, and keeps the latest. Draws nothing.
 */

/** Frames that stay decoded. At 960 x 540 each takes 2 MB. */
const MAX_KEPT = 48;

export class FrameSource {
  #kept = new Map<string, ImageBitmap>();
  #loading = new Set<string>();
  #failed = new Set<string>();
  #wanted: readonly string[] = [];
  #limit = 1;
  #onFrame: (url: string) => void;
  #lastArrivalMs = 0;
  #intervalMs = 40;
  #isClosed = false;

  /** @param onFrame - Called with each address that has arrived. */
  constructor(onFrame: (url: string) => void) {
    this.#onFrame = onFrame;
  }

  /** Time between two frames when several are asked for at once, ms. */
  get intervalMs(): number {
    return this.#intervalMs;
  }

  get(url: string): ImageBitmap | undefined {
    return this.#kept.get(url);
  }

  /**
   * Replaces what is wanted, the most urgent first. Requests on their way are not aborted, because the server draws
   * their frames already: what waits is replaced, so the newest wins.
   */
  want(urls: readonly string[], limit: number): void {
    this.#wanted = urls;
    this.#limit = limit;
    this.#next();
  }

  /** Asks again for what failed, after the server was away. */
  retry(): void {
    this.#failed.clear();
  }

  close(): void {
    this.#isClosed = true;
    this.#wanted = [];
    for (const bitmap of this.#kept.values()) bitmap.close();
    this.#kept.clear();
  }

  #next(): void {
    for (const url of this.#wanted) {
      if (this.#loading.size >= this.#limit) return;
      if (!this.#kept.has(url) && !this.#loading.has(url) && !this.#failed.has(url)) void this.#load(url);
    }
  }

  async #load(url: string): Promise<void> {
    const wasBusy = this.#loading.size > 0;
    this.#loading.add(url);
    const bitmap = await loadBitmap(url);
    this.#loading.delete(url);
    if (bitmap === null) this.#failed.add(url);
    else if (this.#isClosed) bitmap.close();
    else {
      this.#keep(url, bitmap);
      if (wasBusy) this.#measure();
      this.#lastArrivalMs = performance.now();
      this.#onFrame(url);
    }
    if (!this.#isClosed) this.#next();
  }

  #keep(url: string, bitmap: ImageBitmap): void {
    this.#kept.set(url, bitmap);
    for (const [oldest, old] of this.#kept) {
      if (this.#kept.size <= MAX_KEPT) return;
      this.#kept.delete(oldest);
      old.close();
    }
  }

  #measure(): void {
    const sinceMs = Math.min(250, performance.now() - this.#lastArrivalMs);
    this.#intervalMs = this.#intervalMs * 0.8 + sinceMs * 0.2;
  }
}

/** Null when there is no such frame: its plan is gone, or the server does not answer. */
async function loadBitmap(url: string): Promise<ImageBitmap | null> {
  try {
    const response = await fetch(url);
    return response.ok ? await createImageBitmap(await response.blob()) : null;
  } catch {
    return null;
  }
}
