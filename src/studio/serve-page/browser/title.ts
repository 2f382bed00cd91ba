/** The title of the browser's tab. */
import { useLayoutEffect } from 'preact/hooks';

/** Shows the name of the view that uses it, from the moment the view is shown. */
export function useTitle(name: string): void {
  useLayoutEffect(() => {
    document.title = `${name} · Listing video`;
  }, [name]);
}
