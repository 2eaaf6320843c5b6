export async function runCli(_a: string[], _e: unknown): Promise<number> { return 2; }
