/**
 * A batch as JUnit XML, which every CI shows: one test case per listing. Jenkins, GitLab, Azure and GitHub actions
 * read this dialect (github.com/testmoapp/junitxml).
 */
import { hintLabel } from '../../cli-error.ts';
import {
  countResults,
  detailOf,
  durationSecOf,
  failureOf,
  type ListingResult,
  listingIdOf,
  stateOf,
  taskOf,
} from '../../listings/listing-result.ts';
import { resultPaths } from '../../tasks/log-task.ts';
import { droppedAssetsOf } from '../../tasks/task-document.ts';
import { prepareFile, writeWhole } from '../output-files.ts';
import type { Reporter } from './reporter.ts';

/** @param file - Absolute. */
export function junitReporter(file: string): Reporter {
  return {
    file,
    async finish({ listings, isComplete, startedMs, durationSec }) {
      if (!isComplete) return;
      await prepareFile(file, '--report');
      await writeWhole(file, toJunitXml(listings, new Date(startedMs), durationSec));
    },
  };
}

/** The text of the file. A failed task is a `failure`, a listing without a task an `error`. */
function toJunitXml(results: readonly ListingResult[], startedAt: Date, durationSec: number): string {
  const { listings, not_started: skipped } = countResults(results);
  const failures = results.filter(({ kind }) => kind === 'task-failed').length;
  const errors = results.filter((result) => failureOf(result) !== null).length - failures;
  const time = durationSec.toFixed(3);
  const counts = { tests: listings, failures, errors, skipped, time };
  const suite = { name: 'listing-video', ...counts, timestamp: startedAt.toISOString().slice(0, 19) };
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    element('testsuites', { name: 'listing-video create', ...counts }, [
      element('testsuite', suite, results.map(toTestCase)),
    ]),
    '',
  ].join('\n');
}

function toTestCase(result: ListingResult): string {
  const { file, path } = result.source;
  const attributes = {
    name: listingIdOf(result) ?? file,
    classname: 'listing-video',
    file: path === null ? file : file.replace(/:\d+$/, ''),
    time: durationSecOf(result).toFixed(3),
  };
  const notes = droppedAssetsOf(taskOf(result)).map(({ url, reason }) => `dropped: ${url}: ${reason}`);
  const paths = result.kind === 'succeeded' ? resultPaths(result.task) : [];
  const children = [outcomeOf(result), systemOut('system-out', paths), systemOut('system-err', notes)];
  return element(
    'testcase',
    attributes,
    children.filter((child) => child !== ''),
  );
}

function outcomeOf(result: ListingResult): string {
  if (stateOf(result) === 'NOT_STARTED') return element('skipped', { message: 'not started' }, []);
  const failure = failureOf(result);
  if (failure === null) return '';
  const detail = detailOf(result).flatMap(({ loc, message, line, column }) => {
    const at = line === null ? '' : `line ${line}${column === null ? '' : `, column ${column}`}`;
    if (message === failure.message) return at === '' ? [] : [at];
    const field = loc.length > 1 ? `${loc.slice(1).join('.')}: ` : '';
    return [`${field}${message}${at === '' ? '' : ` (${at})`}`];
  });
  const hint = failure.hint === undefined ? [] : [hintLabel(failure.hint) + failure.hint];
  // Most CIs show the message and below it the body.
  const body = [...detail, ...hint].join('\n');
  const attributes = { message: failure.message, type: failure.code };
  return element(
    result.kind === 'task-failed' ? 'failure' : 'error',
    attributes,
    body === '' ? [] : [escapeXml(body)],
  );
}

function systemOut(name: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : element(name, {}, [escapeXml(lines.join('\n'))]);
}

/** @param children - XML; each element is on its own line. */
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

/** XML 1.0, 3.3.3: a parser reads raw white space in an attribute as blanks. */
function escapeAttribute(text: string): string {
  return escapeXml(text).replaceAll('\t', '&#9;').replaceAll('\n', '&#10;');
}

/** Text for elements and attributes. Characters that XML 1.0 forbids (2.2) and bidi controls become U+FFFD. */
function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]|\p{Bidi_Control}/gu, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\r', '&#13;');
}
