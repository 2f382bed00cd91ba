/** A report of one agent's video, for tests of report.html. */
import type { Report, ReportVideo } from '../../src/video/publish/report.ts';

export const REPORT_FILE = { file: 'a.mp4', size_bytes: 1_500_000, sha256: '0'.repeat(64) };

export function aReportVideo(change: Partial<ReportVideo> = {}): ReportVideo {
  return {
    agent_id: 'a',
    agent_name: 'Ada Byron',
    template_id: 'classic',
    ratio: '1920:1080',
    key: 'k',
    video: REPORT_FILE,
    poster: { ...REPORT_FILE, file: 'a.jpg' },
    preview: null,
    frames: 735,
    duration_sec: 24.5,
    sound: { music: 'classic', title: 'Morning Rooms', loudness_lufs: -16 },
    segments: { rendered: 2, reused: 3 },
    is_unchanged: false,
    created_at: '2026-11-20T14:03:07.123+00:00',
    metadata: {},
    scenes: [
      { id: 's', kind: 'hero', start_sec: 0, end_sec: 4.5, texts: ['Portland, OR'], photos: [], still: 'x' },
    ],
    warnings: [],
    ...change,
  };
}

export function aReport(change: Partial<Report> = {}): Report {
  return {
    $schema: 's',
    schema_version: 1,
    results: [],
    notes: [],
    generator: 'listing-video 1',
    task_id: 't',
    created_at: '2026-11-20T14:03:07.123+00:00',
    listing: { id: 'L', file: null, address: null },
    quality: 'standard',
    videos: [aReportVideo()],
    assets: { given: 5, used: 5 },
    dropped_assets: [],
    warnings: [],
    timings: { assets: 1, storyboard: 0.1, render: 10, assemble: 0.2, publish: 0, total: 11.3 },
    stills: { x: 'data:image/jpeg;base64,AAAA' },
    ...change,
  };
}
