import type { Write } from './store/store.ts';

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** A callback's name with its parameters, as a row stores it. Rows never store code. */
export interface CallbackCall {
  readonly callback: string;
  readonly params: Json;
}

/** The facts that are known when a callback is called. */
export interface Moment {
  readonly at: string;
  /** The agent to which the callback belongs. */
  readonly agent: string;
  /** The end of the leases that it claims or renews now. */
  readonly until: string;
  /** How the agent ended; undefined while it runs. */
  readonly ended:
    | { readonly outcome: string; readonly exitCode: number | null; readonly reason: string | null }
    | undefined;
}

/** Makes statements on tables of the callback's module, for another module's commit. */
export type CallbackWrites<P> = (params: P, moment: Moment) => readonly Write[];

export interface Callback<P extends Json = never> {
  /** `gate.let-go`. Rows store it, so it never changes. Parameters stay flat, and new ones are optional. */
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
