import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { PYTHON_FOLDER, pythonApi } from '../../scripts/python-api.ts';
import { PythonTypes, toSnake, union } from '../../scripts/python-types.ts';

test('the Python models and methods match the OpenAPI document; if not, run npm run generate', async () => {
  const files = pythonApi();
  const present = [...new Bun.Glob('_api/*.py').scanSync(PYTHON_FOLDER), 'models.py'];
  expect(present.sort()).toEqual([...files.keys()].sort());
  for (const [name, text] of files) {
    expect(await Bun.file(join(PYTHON_FOLDER, name)).text()).toBe(text);
  }
});

test('names convert to snake case and back, or are refused', () => {
  expect(toSnake('clientOrderId')).toBe('client_order_id');
  expect(toSnake('from')).toBe('from_');
  expect(toSnake('getLevel3')).toBe('get_level3');
  for (const name of ['URL', 'some_name', 'name_']) expect(() => toSnake(name)).toThrow(name);
});

test('unions have no repetition, and None comes last', () => {
  expect(union(['None', 'str', 'list[int | None] | str'])).toBe('str | list[int | None] | None');
});

test('components are read wherever the document refers to them', () => {
  const order = { type: 'object', required: ['price'], properties: { price: { type: 'number' } } };
  const types = new PythonTypes({
    components: {
      schemas: {
        Order: order,
        Side: { type: 'string', enum: ['buy', 'sell'] },
        Page: { allOf: [{ $ref: '#/components/schemas/Cursor' }, listSchema('Order')] },
        Cursor: { type: 'object', properties: { nextCursor: { type: ['string', 'null'] } } },
      },
    },
  });
  const annotate = (name: string, direction: 'request' | 'response') =>
    types.annotate({ $ref: `#/components/schemas/${name}` }, 'Unused', direction);
  expect(annotate('Side', 'response')).toBe('Literal["buy", "sell"]');
  expect(annotate('Page', 'response')).toBe('Page');
  expect(types.classes.get('Page')).toContain('next_cursor: str | None = None\n');
  expect(types.classes.get('Page')).toContain('orders: list[Order]\n');
  expect(types.classes.get('Order')).toContain('price: Decimal\n');
  // A request's object takes more than a response has.
  expect(annotate('Order', 'request')).toBe('OrderInput');
  expect(types.classes.get('OrderInput')).toContain('price: Number\n');
  expect(annotate('Order', 'request')).toBe('OrderInput');
  expect(() => annotate('Missing', 'response')).toThrow('Missing does not exist');
});

function listSchema(name: string) {
  const items = { $ref: `#/components/schemas/${name}` };
  return {
    type: 'object',
    required: ['orders'],
    properties: { orders: { type: 'array', items } },
  };
}
