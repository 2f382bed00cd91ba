/** The backend of the command line: a server when the settings name one, else this machine. */
import type { OpenBackend } from './backend.ts';

/** Loads only the backend that it opens. */
export const openBackend: OpenBackend = async (settings, options) => {
  if (settings.server === undefined) {
    const { openLocalBackend } = await import('./open-local-backend.ts');
    return openLocalBackend(settings, options);
  }
  const { openRemoteBackend } = await import('./open-remote-backend.ts');
  return openRemoteBackend(settings.server, settings, options);
};
