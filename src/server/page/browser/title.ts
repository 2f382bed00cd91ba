/** The title of the browser's tab. */
import { useEffect } from 'preact/hooks';

/** Shows the name of the view that uses it. */
export function useTitle(name: string): void {
  useEffect(() => {
    document.title = `${name} · Listing video`;
  }, [name]);
}
