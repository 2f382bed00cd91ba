/**
 * A batch as JUnit XML, which every CI shows: one test case per listing. The dialect is the one that Jenkins, GitLab,
 * Azure and the GitHub actions agree on (github.com/testmoapp/junitxml). Pure.
 */
import { resultPaths } from '../tasks/run-task.ts';
import { toTaskDocument } from '../tasks/task-document.ts';
import { countResults, failureOf, type ListingResult } from './listing-result.ts';

export interface JunitFacts {
  /** When the run began. */
  readonly startedAt: Date;
  /** Seconds of the whole run. */
  readonly durationSec: number;
}

/** The text of the file. A task that failed is a `failure`, a listing that could not be begun an `error`. */
export function toJunitXml(ends: readonly ListingResult[], { startedAt, durationSec }: JunitFacts): string {
  const { listings, not_started: skipped } = countResults(ends);
  const failures = ends.filter(isFailure).length;
  const errors = ends.filter(({ state }) => state === 'INVALID' || state === 'FAILED').length - failures;
  const time = durationSec.toFixed(3);
  const counts = { tests: listings, failures, errors, skipped, time };
  const suite = { name: 'listing-video', ...counts, timestamp: startedAt.toISOString().slice(0, 19) };
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    element('testsuites', { name: 'listing-video create', ...counts }, [
      element('testsuite', suite, ends.map(toTestCase)),
    ]),
    '',
  ].join('\n');
}

function isFailure({ state, error }: ListingResult): boolean {
  return state === 'FAILED' && error === null;
}

function toTestCase(end: ListingResult): string {
  const attributes = {
    name: end.listingId ?? end.file,
    classname: 'listing-video',
    file: end.verdict.path === null ? end.file : end.file.replace(/:\d+$/, ''),
    time: end.durationSec.toFixed(3),
  };
  const dropped = end.task === null ? [] : toTaskDocument(end.task).dropped_assets;
  const notes = dropped.map(({ url, reason }) => `dropped: ${url}: ${reason}`);
  const children = [outcomeOf(end), systemOut('system-out', pathsOf(end)), systemOut('system-err', notes)];
  return element(
    'testcase',
    attributes,
    children.filter((child) => child !== ''),
  );
}

function outcomeOf(end: ListingResult): string {
  if (end.state === 'NOT_STARTED') return element('skipped', { message: 'not started' }, []);
  const failure = failureOf(end);
  if (failure === null) return '';
  const detail = (end.invalid?.detail ?? []).map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`);
  const hint = failure.hint === undefined ? [] : [`try: ${failure.hint}`];
  const body = [failure.message, ...detail, ...hint].join('\n');
  const attributes = { message: failure.message, type: failure.code };
  return element(isFailure(end) ? 'failure' : 'error', attributes, [escapeXml(body)]);
}

function pathsOf({ state, task }: ListingResult): string[] {
  return state === 'SUCCEEDED' && task !== null ? resultPaths(task) : [];
}

function systemOut(name: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : element(name, {}, [escapeXml(lines.join('\n'))]);
}

/** @param children - XML; elements stand on lines of their own. */
function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  children: readonly string[],
): string {
  const words = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escapeAttribute(String(value))}"`,
  );
  const head = `<${name}${words.join('')}`;
  if (children.length === 0) return `${head}/>`;
  const isText = children.length === 1 && !children[0]!.startsWith('<');
  return isText ? `${head}>${children[0]}</${name}>` : `${head}>\n${children.join('\n')}\n</${name}>`;
}

/** XML 1.0, 3.3.3: white space of an attribute that is not a reference is read as blanks. */
function escapeAttribute(text: string): string {
  return escapeXml(text).replaceAll('\t', '&#9;').replaceAll('\n', '&#10;');
}

/**
 * Text for elements and attributes. What XML 1.0 cannot hold at all (section 2.2), and what turns or hides the text
 * around it, becomes U+FFFD.
 */
function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]|\p{Bidi_Control}/gu, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\r', '&#13;');
}
