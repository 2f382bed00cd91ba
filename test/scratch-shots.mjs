import { chromium } from 'playwright-core';
import { readFileSync } from 'node:fs';
const url = readFileSync('/tmp/studio.out','utf8').trim().split('\n')[0];
const axe = readFileSync('/tmp/axe/node_modules/axe-core/axe.min.js','utf8');
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox','--disable-gpu','--headless','--mute-audio'] });
const modes = process.argv[2] ? process.argv[2].split(',') : ['1440-light','1440-dark','1024-light','390-light','390-dark'];
const ctxs = await browser.newContext({ bypassCSP: true });
const page0 = await ctxs.newPage(); await page0.goto(url);
await page0.locator('canvas[data-frame]').first().waitFor({timeout:120000});
const run = async (page, label) => {
  await page.addScriptTag({ content: axe });
  const r = await page.evaluate(() => axe.run());
  for (const v of r.violations) console.log(label, v.id, v.impact, v.nodes.length, v.nodes.slice(0,3).map(n => n.html.slice(0,140) + ' :: ' + n.failureSummary?.slice(0,200)).join('\n   '));
  console.log(label, 'axe violations', r.violations.length);
};
for (const mode of modes) {
  const [w, scheme] = mode.split('-');
  const page = page0;
  await page.setViewportSize({ width: Number(w), height: Number(w) < 800 ? 844 : 900 });
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
  for (const tab of [...(Number(w) < 1024 ? ['Photos'] : []), 'Property', 'Agents', 'Template']) {
    await page.getByRole('tab', { name: tab }).click();
    if (tab === 'Agents') await page.locator('[data-path="/agents/0/first_name"]').focus().catch(()=>{});
    await page.waitForTimeout(2500);
    await page.screenshot({ path: `/tmp/shot-${mode}-${tab}.png`, fullPage: Number(w) < 1024 });
  }
  await run(page, mode);
}
await browser.close();
