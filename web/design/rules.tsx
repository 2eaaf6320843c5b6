import { Panel } from '../components/panel.tsx';

const RULES: readonly (readonly [topic: string, rules: readonly string[]])[] = [
  [
    'Buttons',
    [
      'Primary: the one action that a form, a dialog or a page is for. Never two next to each other.',
      'Default: all other actions; in the rows of a table, small. Quiet: actions of a bar, and the way back out of a form.',
      'Danger: actions that stop trading or cannot be reversed. A dialog confirms them.',
      'Buy and sell colors: only for orders and for price changes.',
      'A label starts with a verb that names the result: “Cancel order”, not “OK”.',
    ],
  ],
  [
    'Texts',
    [
      'Sentence case everywhere: titles, buttons, columns, tabs.',
      'An error says what is wrong, with the value, and then what to do.',
      'An empty list says so in a sentence; where something fills it, it says what.',
      'One word for one thing: deposit, withdrawal, order, fill, tier.',
    ],
  ],
  [
    'Numbers',
    [
      'Separators in thousands, the unit after the number, no space before %.',
      'Numbers of a column are aligned right. Prices and amounts of a market have equally many decimals; balances and payments have no zeros at the end.',
      'Balances are rounded down. A shortened number has the exact one in its tooltip.',
      'A true minus sign (−). Changes also have a plus sign.',
      'No value is “–”, which is not 0.',
      'Times have 24 hours; the page names the time zone.',
    ],
  ],
  [
    'Colors',
    [
      'Color never carries a meaning alone: an arrow, a sign or a word repeats it.',
      'Green: works. Amber: needs attention. Red: failed, or is dangerous.',
      'Text has a contrast of at least 4.5 : 1, borders of fields 3 : 1.',
    ],
  ],
  [
    'Sizes',
    [
      'Facts that decide are at least 13 px. 11 px is for units and notes only.',
      'Targets on a phone are at least 40 px high. No page scrolls sideways from 360 px.',
    ],
  ],
];

export function Rules() {
  return (
    <Panel title="Rules">
      <dl class="rules">
        {RULES.map(([topic, rules]) => (
          <div key={topic}>
            <dt>{topic}</dt>
            {rules.map((rule) => (
              <dd key={rule}>{rule}</dd>
            ))}
          </div>
        ))}
      </dl>
    </Panel>
  );
}
