const STATES = [
  [/:hover/g, '.is-hover'],
  [/:focus(-visible|-within)?/g, '.is-focus'],
] as const;

/** Copies the rules of hovered and focused controls for controls with the classes `is-hover` and `is-focus`. */
export function copyStateRules(): void {
  const copies = new CSSStyleSheet();
  for (const { cssRules } of document.styleSheets) {
    for (const rule of cssRules) {
      if (!(rule instanceof CSSStyleRule)) continue;
      const { selectorText, style } = rule;
      const selector = STATES.reduce(
        (text, [state, name]) => text.replace(state, name),
        selectorText,
      );
      if (selector === selectorText) continue;
      copies.insertRule(`${selector} { ${style.cssText} }`, copies.cssRules.length);
    }
  }
  document.adoptedStyleSheets.push(copies);
}
