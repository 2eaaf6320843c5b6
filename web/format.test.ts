import { expect, test } from 'bun:test';
import { volumeText } from './format.ts';

test('a volume is shortened from a million on', () => {
  expect(['0', '0.00123', '1984.2137', '999999.4'].map(volumeText)).toEqual([
    '0',
    '0.00123',
    '1,984.21',
    '999,999.40',
  ]);
  expect(['1000000', '233441234.5'].map(volumeText)).toEqual(['1.00M', '233.44M']);
});
