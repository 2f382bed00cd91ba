/** Values of `template_data`: accepted, refused, or reported. */
import { describe, expect, it } from 'vitest';
import { fillDataLayers } from '../../../src/design/template/data-layers.ts';
import { loadTemplate } from '../../../src/design/template/load-template.ts';

const { dataLayers } = await loadTemplate('classic');
const fill = (data: Record<string, string>) => {
  const { faults, ...filled } = fillDataLayers(dataLayers, data);
  return { ...filled, warnings: faults.map(({ message }) => message) };
};

describe('fillDataLayers', () => {
  it('gives every layer its default', () => {
    const { values, warnings, given } = fill({});
    expect(Object.keys(values).sort()).toEqual(dataLayers.map(({ name }) => name).sort());
    expect(values).toMatchObject({ headline: '', pace: '1', equal_housing: 'true', paper: '#F4EFE4' });
    expect(warnings).toEqual([]);
    expect(given.size).toBe(0);
  });

  it('keeps a text that is too long, and says so', () => {
    const { values, warnings } = fill({ video_title: 'é'.repeat(101) });
    expect(values.video_title).toHaveLength(101);
    expect(warnings).toEqual([
      'template data "video_title" has 101 characters: 100 are the most for uploads',
    ]);
  });

  it('reads colours, numbers, booleans and choices in the forms people write', () => {
    expect(
      fill({
        ...{ accent: '1f5c4d', paper: '#fff', pace: ' 0.9 ' },
        ...{ show_facts: 'No', grade: 'Gentle', length: '30' },
      }).values,
    ).toMatchObject({
      length: '30s',
      accent: '#1F5C4D',
      paper: '#FFFFFF',
      pace: '0.9',
      show_facts: 'false',
      grade: 'gentle',
    });
  });

  it.each([
    ['accent', 'brass', /color/],
    ['pace', '3', /0\.8 to 1\.25/],
    ['pace', 'fast', /number/],
    ['show_facts', 'perhaps', /true or false/],
    ['grade', 'vivid', /none or gentle/],
    ['length', '5s', /short, normal, long or 10s to 90s, found "5s"/],
  ])('refuses %s "%s" and reports what is expected', (name, value, expected) => {
    const { values, warnings, given } = fill({ [name]: value });
    expect(values[name]).toBe(dataLayers.find((layer) => layer.name === name)!.default);
    expect(given.has(name)).toBe(false);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(expected);
  });

  it('names the nearest layer to an unknown one', () => {
    expect(fill({ hedline: 'x' }).warnings[0]).toMatch(/"hedline".*did you mean "headline"\?/);
    expect(fill({ Speed: 'x' }).warnings[0]).toMatch(/"Speed".*did you mean "pace"\?/);
    expect(fill({ zzzzzzzzzzz: 'x' }).warnings[0]).not.toMatch(/did you mean/);
    expect(fill({ __proto__x: 'x', constructor: 'y' }).warnings).toHaveLength(2);
  });

  it('treats a blank value as absent', () => {
    expect(fill({ headline: '  ' })).toMatchObject({ values: { headline: '' }, warnings: [] });
  });
});
