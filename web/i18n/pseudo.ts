import { type MessageFormatElement, TYPE } from '@formatjs/icu-messageformat-parser';

const ACCENTED: Readonly<Record<string, string>> = Object.fromEntries(
  [...'aáAÁcçCÇeéEÉgĝGĜiíIÍnñNÑoóOÓsšSŠuúUÚyýYÝzžZŽ'.matchAll(/(.)(.)/gu)].map(
    ([, plain, accented]) => [plain!, accented!],
  ),
);

/**
 * Turns a message into the pseudo-locale: accented letters in brackets, half as long again as English, as German is.
 * Text without brackets on a page has not been translated, and a text that is cut has too little space.
 */
export function accentuate(elements: MessageFormatElement[]): MessageFormatElement[] {
  const length =
    JSON.stringify(elements)
      .match(/"value":"[^"]*"/g)
      ?.join('').length ?? 0;
  const padding = '~'.repeat(Math.min(12, Math.ceil(length / 20)));
  const literal = (value: string) => ({ type: TYPE.literal, value }) as MessageFormatElement;
  return [literal('['), ...elements.map(accentElement), literal(`${padding}]`)];
}

function accentElement(element: MessageFormatElement): MessageFormatElement {
  if (element.type === TYPE.literal) {
    return { ...element, value: [...element.value].map((char) => ACCENTED[char] ?? char).join('') };
  }
  if (element.type === TYPE.tag)
    return { ...element, children: element.children.map(accentElement) };
  if (element.type === TYPE.plural || element.type === TYPE.select) {
    const options = Object.entries(element.options).map(([name, option]) => [
      name,
      { ...option, value: option.value.map(accentElement) },
    ]);
    return { ...element, options: Object.fromEntries(options) };
  }
  return element;
}
