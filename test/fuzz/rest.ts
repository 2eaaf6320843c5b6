import { PORTION } from '../../src/engine/limits.ts';
import { below, type Random, seededRandom } from '../../src/storage/seeded-random.ts';
import { SMALL_PORTION, setPortion } from '../portions.ts';
import { rememberLittle } from '../reference/little-memory.ts';
import { OPERATIONS, type Operation } from './operations.ts';
import {
  ACTORS,
  type Actor,
  damage,
  type FuzzRequest,
  makeRequest,
  validRequest,
} from './request.ts';
import { World } from './world.ts';

/** Requests to one exchange before a new one starts, because accumulated data slows every list. */
export const REQUESTS_A_WORLD = 5000;
const REFRESH_EVERY = 100;
/** One world in this many has the documented rate limits. */
const LIMITED_EVERY = 4;
/** Time between two refreshes: a minute, or so little that limits are reached. */
const PASS_MS = { off: 60_000, spec: 2000 } as const;

const METHODS = new Map(OPERATIONS.map(({ id, method }) => [id, method]));

/**
 * Operations that cannot succeed here: the exchange of this test has neither its log in files, nor a clock or makers to
 * control, nor operators of two accounts. Their successes are tested in src/archivist/proofs, test/process and
 * test/http/approvals.test.ts.
 */
const REFUSED: ReadonlySet<string> = new Set([
  'getInclusion',
  'makeProof',
  'approveRequest',
  'getSandboxClock',
  'setSandboxClock',
  'getMakers',
  'changeMakers',
  'listCheckpoints',
  'createCheckpoint',
  'deleteCheckpoint',
  'restoreCheckpoint',
]);

/** Counts of each operation's answers by code, '' for success. */
export class Coverage {
  requests = 0;
  unsendable = 0;
  readonly codes = new Map<string, Map<string, number>>();
  readonly pairs = new Set<string>();

  note({ operation, actor, method }: FuzzRequest, code: string): void {
    // Another method of the path is another operation.
    if (method !== METHODS.get(operation)) return;
    let codes = this.codes.get(operation);
    if (codes === undefined) {
      codes = new Map();
      this.codes.set(operation, codes);
    }
    codes.set(code, (codes.get(code) ?? 0) + 1);
    this.pairs.add(`${actor} ${operation}`);
  }

  /** Returns the number of answers with a code, of all operations. */
  total(code: string): number {
    return [...this.codes.values()].reduce((sum, codes) => sum + (codes.get(code) ?? 0), 0);
  }

  /** The operations that could have succeeded and have not. */
  get unsuccessful(): readonly Operation[] {
    return OPERATIONS.filter(({ id }) => !this.codes.get(id)?.has('') && !REFUSED.has(id));
  }

  /** Returns the expected answers that never came. */
  get missing(): readonly string[] {
    const failed = this.unsuccessful.map(({ id }) => `${id} never succeeded`);
    return OPERATIONS.flatMap(({ id }) => {
      const codes = this.codes.get(id) ?? new Map<string, number>();
      const refusals = [...codes.keys()].filter((code) => code !== '');
      return [
        ...(refusals.length > 0 ? [] : [`${id} was never refused`]),
        ...ACTORS.filter((actor) => !this.pairs.has(`${actor} ${id}`)).map(
          (actor) => `${actor} never called ${id}`,
        ),
      ];
    }).concat(failed);
  }
}

/**
 * Sends requests made from the OpenAPI document and checks every answer. The same seed sends the same.
 * @param firstWorld The world to start with, which repeats a failure without the worlds before it.
 * @throws Error with the seed, the world, the request's number and a curl line.
 */
export async function fuzz(
  seed: number,
  requests: number,
  coverage: Coverage,
  onWorld: () => void = () => {},
  firstWorld = 0,
): Promise<void> {
  const worlds = Math.ceil(requests / REQUESTS_A_WORLD);
  // A small memory makes the gateway look up ids and references in history.
  const restoreMemory = rememberLittle();
  try {
    for (let number = firstWorld; number < worlds; number++) {
      const left = requests - number * REQUESTS_A_WORLD;
      // In every other world a few orders take several portions of the engine's work.
      const restorePortion = setPortion(number % 2 === 0 ? SMALL_PORTION : PORTION);
      try {
        await fuzzWorld(seed, number, Math.min(left, REQUESTS_A_WORLD), coverage);
      } finally {
        restorePortion();
      }
      onWorld();
    }
  } finally {
    restoreMemory();
  }
}

async function fuzzWorld(seed: number, number: number, requests: number, coverage: Coverage) {
  const random = seededRandom(seed * 100_003 + number);
  const limits = number % LIMITED_EVERY === LIMITED_EVERY - 1 ? 'spec' : 'off';
  const world = await World.open(random, limits);
  // First a valid request of each operation by each actor, then random requests.
  const rounds =
    number === 0 ? OPERATIONS.flatMap((one) => ACTORS.map((actor) => ({ one, actor }))) : [];
  try {
    for (let count = 0; count < requests; count++) {
      if (count % REFRESH_EVERY === 0) await world.refresh(PASS_MS[limits]);
      const round = rounds[count] ?? retry(coverage, count, random);
      const request =
        round === undefined
          ? await anyRequest(world, random)
          : await soundRequest(world, round.one, round.actor, random);
      try {
        const answer = await world.send(request);
        coverage.requests++;
        if (answer === undefined) coverage.unsendable++;
        else coverage.note(request, answer.code);
      } catch (error) {
        const where = `request ${count} of world ${number}, seed ${seed}`;
        throw new Error(`${where}:\n${toCurl(request)}\n${(error as Error).message}`, {
          cause: error,
        });
      }
    }
  } finally {
    await world.close();
  }
}

/** Returns one of the operations that have not succeeded yet, for every fourth request, with an actor who may call it. */
function retry({ unsuccessful }: Coverage, count: number, random: Random) {
  if (count % 4 !== 0 || unsuccessful.length === 0) return undefined;
  const one = unsuccessful[below(unsuccessful.length, random)]!;
  return { one, actor: chooseActor(one, random) };
}

const WEIGHTED: readonly Operation[] = OPERATIONS.flatMap((operation) =>
  Array.from({ length: weigh(operation) }, () => operation),
);

/** Returns a random operation. Order operations are more frequent, those of users rarer because they take longer. */
function weigh({ access, path }: Operation): number {
  if (path.startsWith('/api/account')) return 1;
  if (path.startsWith('/api/orders')) return 12;
  return access === 'operate' ? 3 : 5;
}

async function soundRequest(world: World, operation: Operation, actor: Actor, random: Random) {
  const given = await world.given(operation.id);
  return makeRequest(validRequest(operation, actor, given, world.known, random), random);
}

async function anyRequest(world: World, random: Random): Promise<FuzzRequest> {
  const operation = WEIGHTED[below(WEIGHTED.length, random)]!;
  const actor = chooseActor(operation, random);
  const isUserOperation = operation.path.startsWith('/api/account');
  const given =
    below(isUserOperation ? 12 : 3, random) === 0 ? await world.given(operation.id) : {};
  const draft = validRequest(operation, actor, given, world.known, random);
  const damages = [0, 0, 1, 1, 2, 3][below(6, random)]!;
  for (let count = 0; count < damages; count++) damage(draft, world.known, random);
  return makeRequest(draft, random);
}

function chooseActor({ access }: Operation, random: Random): Actor {
  const pick = (actors: readonly Actor[]): Actor => actors[below(actors.length, random)]!;
  if (below(12, random) === 0) return pick(ACTORS);
  if (access === 'session') return 'carol';
  if (access === 'custodian') return 'custodian';
  if (access === 'operate') return pick(['operator', 'operator', 'operator', 'boss']);
  if (access === 'private') return pick(['alice', 'alice', 'bob', 'carol']);
  return pick(['anonymous', 'carol']);
}

/** Returns the request as a shell command, without its credentials. */
function toCurl({ actor, method, path, headers, body }: FuzzRequest): string {
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  const parts = ['curl', '-g', '--path-as-is', '-X', method];
  for (const [name, value] of Object.entries(headers))
    parts.push('-H', quoted(`${name}: ${value}`));
  parts.push(quoted(`http://127.0.0.1:3000${path}`));
  const comment = `# as ${actor}`;
  if (body === undefined) return `${parts.join(' ')} ${comment}`;
  const bytes = Buffer.from(body).toString('base64');
  return `echo ${bytes} | base64 -d | ${[...parts, '--data-binary', '@-'].join(' ')} ${comment}\n# ${Buffer.from(body).toString('latin1').slice(0, 2000)}`;
}
