import type { Store } from '../../kernel/store.ts';
import { text } from '../../kernel/row.ts';
import { canonical, chainStart, linkHash, sha256 } from './chain.ts';
import type { BroughtArtifact } from './emit.ts';
import { eventDigest } from './emit.ts';
import { problem } from '../problem.ts';

export type Damage = 'changed' | 'added' | 'removed';

export interface Fault {
  readonly run_id: string;
  /** Which table, and which row of it. */
  readonly row: string;
  readonly damage: Damage;
  readonly detail: string;
}

export interface Verification {
  readonly run_id: string;
  readonly rows: number;
  readonly head: string;
  /** The first row that is not what was written; undefined where all are. */
  readonly fault: Fault | undefined;
}

const pageSize = 1000;

interface Progress {
  previous: string;
  readonly hashes: Set<string>;
  revision: number;
  state: string;
  context: string;
  rows: number;
  /** The first link's: what the run was started from. */
  origin: Readonly<Record<string, unknown>>;
  final: boolean;
  visited: readonly string[];
  entered: number;
  evidence: number;
  /** Every version of every artifact as its event brought it, and the newest of each path. */
  readonly versions: Map<string, string>;
  readonly newest: Map<string, string>;
}

/** Walks a run's chain from its first row and compares every table with what the chain says. */
export async function verifyRun(store: Store, runId: string): Promise<Verification> {
  const progress: Progress = {
    previous: chainStart,
    hashes: new Set([chainStart]),
    revision: -1,
    state: '',
    context: '',
    rows: 0,
    origin: {},
    final: false,
    visited: [],
    entered: 0,
    evidence: 0,
    versions: new Map(),
    newest: new Map(),
  };
  const done = (fault?: Omit<Fault, 'run_id'>): Verification => ({
    run_id: runId,
    rows: progress.rows,
    head: progress.previous,
    fault: fault === undefined ? undefined : { run_id: runId, ...fault },
  });
  for (let after = 0; ;) {
    const [links = [], events = []] = await store.read([
      {
        sql: `select seq, at, actor, subject, kind, data from journal
          where subject = :run and kind in ('run.created', 'run.event') and seq > :after order by seq limit :limit`,
        args: { run: runId, after, limit: pageSize },
      },
      {
        sql: `select id, revision, name, actor, role, payload, artifacts, from_state, to_state, idempotency_key, request, answer, at from event
          where run_id = :run and revision > :revision order by revision limit :limit`,
        args: { run: runId, revision: Math.max(0, progress.revision), limit: pageSize },
      },
    ]);
    const byRevision = new Map(events.map((row) => [Number(row['revision']), row]));
    for (const link of links) {
      after = Number(link['seq']);
      const fault = checkLink(progress, link) ?? checkEvent(progress, byRevision, link);
      if (fault !== undefined) return done(fault);
    }
    if (links.length < pageSize) break;
  }
  return done(await checkRun(store, runId, progress));
}

type Row = Readonly<Record<string, string | number | null>>;

function checkLink(progress: Progress, link: Row): Omit<Fault, 'run_id'> | undefined {
  const row = `journal ${String(link['seq'])}`;
  const data = parse(link['data']);
  if (data === undefined) return { row, damage: 'changed', detail: 'its data is no JSON' };
  const { hash, ...linked } = data;
  const plain = {
    at: text(link, 'at'),
    actor: text(link, 'actor'),
    subject: text(link, 'subject'),
    kind: text(link, 'kind'),
  };
  if (linkHash(plain, linked) !== hash)
    return { row, damage: 'changed', detail: 'its digest does not fit its content' };
  if (linked['previous'] !== progress.previous) {
    // It follows a row that came earlier: somebody put it in. Otherwise the row that it follows is gone.
    const added = progress.hashes.has(String(linked['previous']));
    return {
      row,
      damage: added ? 'added' : 'removed',
      detail: added ? 'two rows follow the same one' : 'the row before it is missing',
    };
  }
  if (Number(linked['revision']) !== progress.revision + 1)
    return { row, damage: 'removed', detail: `revision ${progress.revision + 1} is missing` };
  progress.previous = hash;
  progress.hashes.add(hash);
  progress.revision = Number(linked['revision']);
  progress.state = String(linked['to'] ?? linked['state']);
  progress.context = String(linked['context']);
  progress.final = linked['final'] === true;
  if (progress.revision === 0) progress.origin = linked;
  progress.rows++;
  return undefined;
}

function checkEvent(
  progress: Progress,
  events: ReadonlyMap<number, Row>,
  link: Row,
): Omit<Fault, 'run_id'> | undefined {
  if (link['kind'] !== 'run.event') return undefined;
  const row = `event ${progress.revision}`;
  const event = events.get(progress.revision);
  if (event === undefined) return { row, damage: 'removed', detail: 'the journal has it, the table has not' };
  const digest = eventDigest({
    id: text(event, 'id'),
    name: text(event, 'name'),
    actor: text(event, 'actor'),
    role: text(event, 'role'),
    payload: text(event, 'payload'),
    artifacts: text(event, 'artifacts'),
    from: text(event, 'from_state'),
    to: text(event, 'to_state'),
    key: text(event, 'idempotency_key'),
    request: text(event, 'request'),
    answer: text(event, 'answer'),
    at: text(event, 'at'),
  });
  if (digest !== parse(link['data'])?.['row'])
    return { row, damage: 'changed', detail: 'its content is not what the chain recorded' };
  follow(progress, event);
  return undefined;
}

/** What an event made of the run; its row is what the chain says by now. */
function follow(progress: Progress, event: Row): void {
  const from = text(event, 'from_state');
  if (from !== progress.state) {
    if (!progress.visited.includes(from)) progress.visited = [...progress.visited, from];
    progress.entered = progress.revision;
  }
  const brought = JSON.parse(text(event, 'artifacts')) as readonly BroughtArtifact[];
  if (brought.length > 0) progress.evidence = progress.revision;
  for (const file of brought) {
    const facts = artifactFacts({ ...file, revision: progress.revision, at: text(event, 'at') });
    progress.versions.set(`${file.path} v${file.version}`, facts);
    progress.newest.set(file.path, facts);
  }
}

function artifactFacts(row: Readonly<Record<string, string | number | null>>): string {
  const { path, version, type, digest, size, actor, revision, at } = row;
  return canonical([path, Number(version), type, digest, Number(size), actor, Number(revision), at]);
}

async function checkRun(store: Store, runId: string, progress: Progress): Promise<Omit<Fault, 'run_id'> | undefined> {
  const artifactColumns = 'select path, version, type, digest, size, actor, revision, at';
  const [runs = [], events = [], files = [], versions = []] = await store.read([
    { sql: 'select * from run where id = :run', args: { run: runId } },
    { sql: 'select count(*) as count, max(revision) as top from event where run_id = :run', args: { run: runId } },
    { sql: `${artifactColumns} from artifact where run_id = :run order by path`, args: { run: runId } },
    {
      sql: `${artifactColumns} from artifact_version where run_id = :run order by path, version`,
      args: { run: runId },
    },
  ]);
  const run = runs[0];
  if (run === undefined && progress.rows === 0 && Number(events[0]?.['count']) === 0)
    throw problem.RUN_NOT_FOUND({ run_id: runId });
  if (run === undefined)
    return { row: `run ${runId}`, damage: 'removed', detail: 'the journal has it, the table has not' };
  const count = Number(events[0]?.['count']);
  if (count > Math.max(progress.revision, Number(run['revision'])))
    return {
      row: `event ${String(events[0]?.['top'])}`,
      damage: 'added',
      detail: 'the table has more events than the journal',
    };
  if (Number(run['revision']) > progress.revision || run['chain'] !== progress.previous)
    return {
      row: `journal after revision ${progress.revision}`,
      damage: 'removed',
      detail: 'the run’s head is not the last row of its chain',
    };
  if (Number(run['revision']) !== progress.revision || run['state'] !== progress.state)
    return {
      row: `run ${runId}`,
      damage: 'changed',
      detail: `the chain says ${progress.state} at revision ${progress.revision}`,
    };
  if (sha256(canonical(parse(run['context']))) !== progress.context)
    return { row: `run ${runId}`, damage: 'changed', detail: 'its context is not what the chain recorded' };
  return (
    checkColumns(run, progress) ??
    checkArtifacts('artifact', progress.newest, files, (row) => text(row, 'path')) ??
    checkArtifacts(
      'artifact_version',
      progress.versions,
      versions,
      (row) => `${text(row, 'path')} v${String(row['version'])}`,
    )
  );
}

/** Columns that the chain does not spell out, but that follow from it. */
function checkColumns(run: Row, progress: Progress): Omit<Fault, 'run_id'> | undefined {
  const { origin } = progress;
  const expected: Readonly<Record<string, unknown>> = {
    process_id: origin['process'],
    process_version: origin['version'],
    definition: origin['definition'],
    is_final: progress.final ? 1 : 0,
    visited: JSON.stringify(progress.visited),
    entered: progress.entered,
    evidence: progress.evidence,
  };
  const column = Object.keys(expected).find((name) => String(run[name]) !== String(expected[name]));
  if (column === undefined) return undefined;
  const detail = `its ${column} is not what follows from the chain: ${String(expected[column])}`;
  return { row: `run ${text(run, 'id')}`, damage: 'changed', detail };
}

function checkArtifacts(
  table: string,
  expected: ReadonlyMap<string, string>,
  rows: readonly Row[],
  nameOf: (row: Row) => string,
): Omit<Fault, 'run_id'> | undefined {
  const found = new Set<string>();
  for (const row of rows) {
    const name = nameOf(row);
    const facts = expected.get(name);
    found.add(name);
    if (facts === undefined) return { row: `${table} ${name}`, damage: 'added', detail: 'no event brought it' };
    if (facts !== artifactFacts(row))
      return { row: `${table} ${name}`, damage: 'changed', detail: 'it differs from what its event brought' };
  }
  const gone = [...expected.keys()].find((name) => !found.has(name));
  return gone === undefined
    ? undefined
    : { row: `${table} ${gone}`, damage: 'removed', detail: 'an event brought it, the table has it not' };
}

/** Runs of the journal and of the table: also those whose row, or whose whole journal, is gone. */
export async function journalledRuns(store: Store, after: string, limit: number): Promise<readonly string[]> {
  const [rows = []] = await store.read([
    {
      sql: `select subject from (select subject from journal where kind in ('run.created', 'run.event') and subject > :after
        union select id as subject from run where id > :after) as known order by subject limit :limit`,
      args: { after, limit },
    },
  ]);
  return rows.map((row) => text(row, 'subject'));
}

function parse(value: unknown): Record<string, unknown> | undefined {
  try {
    return JSON.parse(String(value)) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
