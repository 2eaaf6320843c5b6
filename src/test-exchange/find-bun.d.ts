// The launcher's search for Bun, which package.json names under `imports`: it is not built.
declare module '#find-bun' {
  /** Returns the path of the program of Bun. @throws Error with the fix if there is none */
  export function findBun(): string;
}
