/** Images that template data name. */
import { expect, it } from 'vitest';
import { imageLayers } from '../../src/video/plan/requested-videos.ts';

const layer = (name: string, type: 'image' | 'text') => ({
  name,
  type,
  description: '',
  default: '',
  example: '',
});

it('are those of image layers the template has, and filled', () => {
  const dataLayers = [layer('logo', 'image'), layer('seal', 'image'), layer('cta', 'text')];
  const data = { logo: 'a.png', seal: ' ', cta: 'b.png', badge: 'c.png' };
  expect([...imageLayers({ dataLayers }, data)]).toEqual([['logo', 'a.png']]);
  expect([...imageLayers({ dataLayers: [] }, data)]).toEqual([]);
});
