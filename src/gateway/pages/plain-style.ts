/** The style of pages without scripts. It is inline, to save a request; their policy allows it by its hash. */
export const PLAIN_STYLE = `
:root { color-scheme: light dark; }
body { font: 17px/1.55 system-ui, sans-serif; max-width: 44rem; margin: 3rem auto; padding: 0 1.2rem; }
h1 { font-size: 2rem; margin-bottom: 0; }
.lead { margin-top: .3rem; opacity: .75; }
`;
