import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { clientApi, FOLDER } from '../../scripts/client-api.ts';

test('client types match the OpenAPI document; if not, run npm run generate', async () => {
  const files = await clientApi();
  expect(readdirSync(FOLDER).sort()).toEqual([...files.keys()].sort());
  for (const [name, text] of files) expect(await Bun.file(join(FOLDER, name)).text()).toBe(text);
});
