/** Annotations in the pull request, when the batch runs in GitHub Actions. */
import type { Printer } from '../../command-run.ts';
import { type AnnotationPlaces, toAnnotations } from '../../listings/github-annotations.ts';
import type { Reporter } from './reporter.ts';

export function annotationsReporter(places: AnnotationPlaces, { terminal }: Printer): Reporter {
  return {
    finish({ listings, isComplete }) {
      if (!isComplete) return;
      for (const line of toAnnotations(listings, places)) terminal.command(line);
    },
  };
}
