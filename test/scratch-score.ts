import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import sharp from 'sharp';
import { outsideScore } from '/work/wt/forms/src/video/photos/outside-score.ts';
const cwd = '/work/.mirror/emanhamed+Houses-dataset/repo';
const files = execFileSync('git', ['ls-tree','-r','--name-only','HEAD'], {cwd}).toString().split('\n').filter(f => /\.jpg"?$/.test(f)).map(f=>f.replace(/^"|"$/g,''));
const out: any[] = [];
sharp.concurrency(1);
for (const f of files) {
  const bytes = execFileSync('git', ['show', `HEAD:${f}`], {cwd, maxBuffer: 1<<26});
  const { data, info } = await sharp(bytes).rotate().resize(320,320,{fit:'inside'}).removeAlpha().toColourspace('srgb').raw().toBuffer({resolveWithObject:true});
  out.push([f, outsideScore({ rgb: data, widthPx: info.width, heightPx: info.height } as any)]);
}
writeFileSync('/tmp/houses/scores.json', JSON.stringify(out));
