import type { Write } from './store/store.ts';

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** A callback with its parameters, as a row keeps it: a name, never code. */
export interface CallbackCall {
  readonly callback: string;
  readonly params: Json;
}

/** What is known when the call is made. */
export interface Moment {
  readonly at: string;
  /** The agent to which the callback belongs. */
  readonly agent: string;
  /** Until when that holds which it claims or renews now. */
  readonly until: string;
  /** How the agent ended; undefined where it has not. */
  readonly ended: { readonly outcome: string; readonly exitCode: number | null } | undefined;
}

/** Statements of the module that owns the table, for somebody else's commit. */
export type CallbackWrites<P> = (params: P, moment: Moment) => readonly Write[];

export interface Callback<P extends Json = never> {
  /** `gate.let-go`. Rows keep it, so it is never changed; parameters stay flat, and new ones are optional. */
  readonly name: string;
  call(params: P): CallbackCall;
  load(): Promise<CallbackWrites<P>>;
}

export function defineCallback<P extends Json>(name: string, load: () => Promise<CallbackWrites<P>>): Callback<P> {
  return { name, call: (params) => ({ callback: name, params }), load };
}

export type RunCallback = (call: CallbackCall, moment: Moment) => Promise<readonly Write[]>;

export function callbackRunner(callbacks: readonly Callback[]): RunCallback {
  const byName = new Map(callbacks.map((one) => [one.name, one]));
  return async ({ callback, params }, moment) => {
    const known = byName.get(callback);
    if (known === undefined) throw new Error(`no module has a callback "${callback}"`);
    return (await known.load())(params as never, moment);
  };
}
