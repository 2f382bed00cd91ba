import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { toReportHtml } from '../../src/video/publish/report-html.ts';
import { escapeHtml } from '../../src/video/publish/report-page/escape-html.ts';
import { toWebSnippet } from '../../src/video/publish/report-page/web-snippet.ts';
import { aReport, aReportVideo, REPORT_FILE } from './a-report.ts';

const HOSTILE = `"><script>alert(1)</script><img src=x onerror='alert(2)'>`;
const OWN_SCRIPT = /<script>[^<]*<\/script>\n<\/body>/;

describe('report.html', () => {
  it('shows text from the listing as it was typed, wherever it stands', () => {
    const html = toReportHtml(
      aReport({
        listing: { id: HOSTILE, file: null, address: HOSTILE },
        dropped_assets: [{ url: HOSTILE, reason: `corrupt: ${HOSTILE}` }],
        warnings: [HOSTILE],
        videos: [
          aReportVideo({
            agent_name: HOSTILE,
            sound: { music: HOSTILE, title: null, loudness_lufs: null },
            metadata: { [HOSTILE]: HOSTILE },
            warnings: [HOSTILE],
            scenes: [
              {
                id: 's',
                kind: 'hero',
                start_sec: 0,
                end_sec: 1,
                texts: [HOSTILE],
                photos: [],
                still: HOSTILE,
              },
            ],
          }),
        ],
        stills: { [HOSTILE]: `data:image/jpeg;base64,${HOSTILE}` },
      }),
    );
    expect(html.replace(OWN_SCRIPT, '')).not.toMatch(/<script|<img src=x|onerror='/);
    expect(html).toContain(escapeHtml(HOSTILE));
  });

  it('names the size of the frames, and says of a draft that it is one', () => {
    const sized = (quality: 'draft' | 'high', fps: number, widthPx: number, heightPx: number) =>
      toReportHtml(
        aReport({ videos: [aReportVideo({ width_px: widthPx, height_px: heightPx, fps, quality })] }),
      );
    expect(sized('high', 30, 1920, 1080)).toContain('· 1920 × 1080 ·');
    expect(sized('draft', 15, 960, 540)).toContain('· draft, 960 × 540, 15 frames per second ·');
    expect(toReportHtml(aReport())).toContain('· 1920 × 1080 ·');
  });

  it('shows altered photos with their labels, times and frames, and addresses as text', () => {
    const altered = {
      ...{ url: `https://example.com/${HOSTILE}`, label: `Staged ${HOSTILE}` },
      ...{ original_url: 'https://example.com/empty.jpg', still: 'x', original_still: 'y' },
      spans: [
        { start_sec: 12, end_sec: 15 },
        { start_sec: 70, end_sec: 73.4 },
      ],
      original_spans: [{ start_sec: 15, end_sec: 17 }],
    };
    const bare = {
      ...altered,
      ...{ label: 'Sky replaced', original_url: null, still: 'gone', original_spans: [] },
    };
    const beside = { ...altered, label: 'New lawn', original_still: 'x', original_spans: altered.spans };
    const html = toReportHtml(
      aReport({
        videos: [aReportVideo({ altered_photos: [altered, bare, beside] })],
        stills: { x: 'data:image/jpeg;base64,AAAA', y: 'data:image/jpeg;base64,BBBB' },
      }),
    );
    expect(html.replace(OWN_SCRIPT, '')).not.toMatch(/<script|<img src=x|onerror='/);
    expect(html).not.toMatch(/href="https?:/);
    expect(html).toContain('<h3>Altered photos</h3>');
    expect(html).toContain(
      `<b>${escapeHtml(altered.label)}</b> 0:12 to 0:15, 1:10 to 1:13, original 0:15 to 0:17<`,
    );
    expect(html).toContain('>Original: https://example.com/empty.jpg<');
    expect(html).toContain('<b>Sky replaced</b> 0:12 to 0:15, 1:10 to 1:13, no original in the video<');
    expect(
      html.match(/src="data:image\/jpeg;base64,BBBB" alt="Frame with the original photo"/g),
    ).toHaveLength(2);
    expect(html.match(/alt="[^"]*: New lawn"/g)).toEqual([
      'alt="Frame with the altered and the original photo: New lawn"',
    ]);
    expect(toReportHtml(aReport())).not.toContain('Altered photos');
  });

  it('loads nothing but what lies beside it', () => {
    const html = toReportHtml(aReport());
    const sources = [...html.matchAll(/(?:src|href|poster)="([^"]+)"/g)].map((match) => match[1] ?? '');
    expect(sources.filter((source) => !/^(\.\/|data:image\/jpeg|report\.json$)/.test(source))).toEqual([]);
    expect(sources).toContain('./a.mp4');
    expect(html).not.toMatch(/https?:\/\//);
  });

  it('names files with odd characters so that a browser finds them', () => {
    const html = toReportHtml(
      aReport({ videos: [aReportVideo({ video: { ...REPORT_FILE, file: 'a b#1%?.mp4' } })] }),
    );
    expect(html).toContain('src="./a%20b%231%25%3F.mp4"');
  });

  it('plays both shapes and what earlier runs made, and says once what holds for all videos', () => {
    const warnings = ['9 of 16 photos are small'];
    const tall = aReportVideo({
      ratio: '1080:1920',
      video: { ...REPORT_FILE, file: 'a-1080x1920.mp4' },
      warnings,
    });
    const kept = aReportVideo({ is_unchanged: true, video: { ...REPORT_FILE, file: 'a-luxury.mp4' } });
    const html = toReportHtml(
      aReport({ videos: [aReportVideo({ warnings })], also_ratio: [tall], kept: [kept] }),
    );
    for (const name of ['a.mp4', 'a-1080x1920.mp4', 'a-luxury.mp4'])
      expect(html).toContain(`src="./${name}"`);
    expect(html).toContain('<h2>Ada Byron, 1080 × 1920</h2>');
    expect(html).toContain('<h2>Ada Byron, from an earlier run</h2>');
    expect(html).toContain('2 videos from');
    expect(html.split('9 of 16 photos are small')).toHaveLength(2);
  });

  it('lists dropped assets with their reasons, and says nothing of them when there are none', () => {
    const dropped = [{ url: 'roof.jpg', reason: 'too_small: 200 x 100 px' }];
    expect(toReportHtml(aReport({ dropped_assets: dropped }))).toMatch(
      /roof\.jpg[\s\S]*too_small: 200 x 100 px/,
    );
    expect(toReportHtml(aReport())).not.toContain('Images left out');
  });

  it('runs its own script alone, by its hash', () => {
    const html = toReportHtml(aReport());
    const [, script = ''] = html.match(/<script>([^<]*)<\/script>/)!;
    const policy = html.match(/Content-Security-Policy" content="([^"]*)"/)![1]!;
    const hash = createHash('sha256').update(script).digest('base64');
    expect(policy).toContain(`default-src 'none'; script-src 'sha256-${hash}';`);
    expect(policy.replace("style-src 'unsafe-inline'", '')).not.toContain('unsafe');
  });

  it('has the texts beside the video as they are on the disk, and the captions in the page', () => {
    const beside = (name: string) => ({ ...REPORT_FILE, file: name });
    const video = aReportVideo({ captions: beside('a.vtt'), description: beside('a.txt') });
    const texts = new Map([
      ['a.vtt', `WEBVTT\n\n00:00:00.000 --> 00:00:01.000\n${HOSTILE}\n`],
      ['a.txt', `${HOSTILE} Lane\n\nMy words\n\n0:00 Opening\n`],
    ]);
    const html = toReportHtml(aReport({ videos: [video] }), texts);
    expect(html.replace(OWN_SCRIPT, '')).not.toMatch(/<script|<img src=x|onerror='/);
    const [, from] = html.match(
      /<track kind="captions" src=".\/a.vtt" srclang="en" label="[^"]+" data-from="([^"]+)">/,
    )!;
    expect(html).toContain(`<pre id="${from}" class="code">WEBVTT\n\n00:00:00.000 --&gt; `);
    expect(html).toContain(`>${escapeHtml(HOSTILE)} Lane</pre>`);
    expect(html).toContain('>My words\n\n0:00 Opening</pre>');
    expect(html.match(/>Copy (?:title|description|HTML for a web page)</g)).toHaveLength(3);
    expect(toReportHtml(aReport()).match(/>Copy [^<]*</g)).toEqual(['>Copy HTML for a web page<']);
  });
});

describe('the HTML for a web page', () => {
  it('offers both files, poster and captions under their names, in the size of the video', () => {
    const beside = (name: string) => ({ ...REPORT_FILE, file: name });
    const files = { captions: beside('a.vtt'), small_video: beside('a-720p.mp4') };
    expect(toWebSnippet(aReportVideo({ ...files, width_px: 1920, height_px: 1080 }), '1 Elm')).toBe(
      `<video controls playsinline preload="none" poster="a.jpg" width="1920" height="1080"
  style="width: 100%; height: auto" aria-label="Video of 1 Elm">
  <source src="a-720p.mp4" type="video/mp4" media="(max-width: 900px)">
  <source src="a.mp4" type="video/mp4">
  <track kind="captions" src="a.vtt" srclang="en" label="Words on screen">
  <a href="a.mp4">Watch the video of 1 Elm</a>
</video>`,
    );
    const tall = toWebSnippet(aReportVideo({ ratio: '1080:1920', poster: null }), '1 Elm');
    expect(tall).toContain(
      'preload="none" width="1080" height="1920"\n  style="width: 100%; max-width: 400px;',
    );
    expect(tall).not.toMatch(/poster|track|media/);
  });

  it('is HTML whatever the names are', () => {
    const video = { ...REPORT_FILE, file: `"><b>'&.mp4` };
    const snippet = toWebSnippet(aReportVideo({ video }), HOSTILE);
    expect(snippet).toContain('src="%22%3E%3Cb%3E&#39;%26.mp4"');
    expect(snippet.match(/<\/?[a-z]+/g)).toEqual(['<video', '<source', '<a', '</a', '</video']);
    // Once for the page that shows it, and once more for the page that it is for.
    const html = toReportHtml(
      aReport({ listing: { id: 'L', file: null, address: HOSTILE }, videos: [aReportVideo({ video })] }),
    );
    expect(html).toContain(escapeHtml(snippet));
  });
});
